import { line } from '../../detectors/finding.ts';
import { BOX, clear, found, unknown, type LookDetector } from '../look-detector.ts';
import type { PatrolLook, WaiterLook } from '../patrol-look.ts';
import { says } from '../../detectors/says.ts';

/** One that was forgotten is no pile. */
const PILE_FROM = 2;
/** Whoever has just started one, or whose run is about to begin, is not told of it (chosen for Leasehold). */
const OLD_FROM_S = 600;

/** U16 */
export const oldWaiters: LookDetector = {
  id: 'U16',
  judge({ look }) {
    if (!look.processes.isWhole) return [unknown('the box did not tell of all its processes')];
    const waiters = look.waiters.flatMap((waiter) => {
      const waits = waitsFor(waiter.command);
      return waits === null ? [] : [{ ...waiter, waits }];
    });
    const judged = waiters.map((waiter) => ({ waiter, isOver: isOver(waiter, look) }));
    const over = judged.filter(({ isOver: over }) => over === true).map(({ waiter }) => waiter);
    const superfluous = new Set([...over, ...repeated(waiters)]);
    if (over.length >= PILE_FROM || superfluous.size >= PILE_FROM) {
      return [
        found(BOX, {
          severity: 'warn',
          says: says('U16', 'pile', { count: superfluous.size }),
          clues: [...superfluous]
            .slice(0, 12)
            .map(({ pid, ageS, command }) =>
              line(
                `pid ${String(pid)}, for ${ageS === null ? 'an unknown time' : `${String(Math.floor(ageS / 60))} min`}: ${command.slice(0, 200)}`,
              ),
            ),
        }),
      ];
    }
    const open = judged.filter(({ isOver: over }) => over === null).length;
    return [
      open >= PILE_FROM ? unknown(`what ${String(open)} waiters wait for is not told`) : clear(),
    ];
  },
};

/** What its own words say that it waits for; null: it is no waiter, or a loop that does something else. */
type Waits =
  | { readonly kind: 'process'; readonly pid: number }
  | { readonly kind: 'log'; readonly path: string }
  | { readonly kind: 'other'; readonly words: string };

function waitsFor(command: string): Waits | null {
  const words = command.trim();
  const isTail = /^(?:\S*\/)?(?:busybox )?tail\b/.test(words);
  const isLoop = /\b(?:while|until)\b/.test(words);
  if (!isTail && !isLoop) return null;
  const pid = /(?:--pid[= ]|kill -0 |\/proc\/)(\d{1,10})\b/.exec(words)?.[1];
  if (pid !== undefined) return { kind: 'process', pid: Number(pid) };
  if (isTail) {
    const follows = / (?:-[a-zA-Z0-9]*[fF]|--follow\S*|--retry)(?: |$)/.test(words);
    const path = words.split(' ').at(-1) ?? '';
    return follows ? { kind: 'log', path } : null;
  }
  // `while true; do train; done` waits for nothing; a wait looks whether something is there, and sleeps. One that nothing
  // ends is a service: it looks after something, again and again.
  const isEndless = ENDLESS.test(words) && !/\b(?:break|exit)\b/.test(words);
  const isWait = /\bsleep\b/.test(words) && /\[ |\btest\b|\bgrep\b|\bpgrep\b|\bls\b/.test(words);
  return isWait && !isEndless ? { kind: 'other', words } : null;
}
const ENDLESS = /\bwhile +(?:true|:|1|\[ 1 \]|\[\[ 1 \]\]|\(\( *1 *\)\)) *(?:;|do\b|$)/;

/** Whether what it waits for is gone; null: nobody can tell. */
function isOver(waiter: WaiterLook & { readonly waits: Waits }, look: PatrolLook): boolean | null {
  const { waits, ageS } = waiter;
  if (ageS === null || ageS < OLD_FROM_S) return false;
  switch (waits.kind) {
    case 'process':
      return !look.processes.rows.some(({ pid, state }) => pid === waits.pid && state !== 'Z');
    case 'log':
      return isLogOver(waiter.follows?.path ?? waits.path, waiter, look);
    case 'other':
      if (look.isCut) return null;
      // "A watcher older than its run": with no run at all there is nothing that it could be the watcher of.
      return isWithoutRuns(waiter, look) ? true : null;
  }
}

/** No run's log, nobody writes to it, and nobody has for as long as it takes to be old. */
function isLogOver(
  path: string,
  { hasTerminal, follows }: WaiterLook,
  look: PatrolLook,
): boolean | null {
  // Somebody may be reading it; and what the machine or an editor says is no run's.
  if (hasTerminal === true || NO_RUNS_LOG.test(path)) return false;
  if (look.runs.some(({ logs }) => logs.some((log) => log.path === path))) return false;
  if (follows === null) return !path.startsWith('/') || look.isCut ? null : true;
  const nowS = (look.atMs + (look.machine.clockOffsetMs ?? 0)) / 1000;
  return !follows.isWritten && nowS - follows.modifiedAtS >= OLD_FROM_S;
}
const NO_RUNS_LOG =
  /^\/(?:dev|proc|sys|run|var\/log)\/|\/\.(?:vscode|cursor|windsurf|trae)[\w-]*\//;

/** A waiter that writes to a file looks like a run itself. */
function isWithoutRuns({ pid }: WaiterLook, { runs, waiters }: PatrolLook): boolean {
  const own = new Set([pid, ...waiters.map((each) => each.pid)]);
  return runs.every((run) => own.has(run.pid));
}

/** Further ones for the very same thing; the newest is the one that counts. Who has a terminal may be a person who looks. */
function repeated<T extends WaiterLook & { readonly waits: Waits }>(
  waiters: readonly T[],
): readonly T[] {
  const byTarget = new Map<string, T[]>();
  for (const waiter of waiters) {
    if (waiter.hasTerminal !== false || waiter.ageS === null || waiter.ageS < OLD_FROM_S) continue;
    const target = JSON.stringify(waiter.waits);
    byTarget.set(target, [...(byTarget.get(target) ?? []), waiter]);
  }
  return [...byTarget.values()].flatMap((same) =>
    [...same].sort((a, b) => b.startTicks - a.startTicks).slice(1),
  );
}
