import type { ProcessInLook } from '../runs/process-ref.ts';
import { readPost, type PostOutcome, type PushTool } from './post-outcome.ts';
import type { PushCause } from './push-message.ts';

/** What waits on a box for the end of one process, to tell it. */
export interface PushWaiter {
  readonly id: string;
  /** The process that it waits for. */
  readonly process: ProcessInLook;
  /** By this machine's clock; null: the box does not tell any more. */
  readonly armedAtMs: number | null;
  /** When it gives up at the latest. */
  readonly untilMs: number | null;
  readonly state: PushState;
}

export type PushState =
  | { readonly kind: 'waiting' }
  /** It has posted, or tried to, and is gone. */
  | {
      readonly kind: 'fired';
      readonly because: PushCause;
      readonly post: PostOutcome;
      readonly isDelivered: boolean;
      readonly atMs: number;
    }
  /** It is gone and left no word, so nothing was posted. */
  | { readonly kind: 'lost'; readonly because: 'restart' | 'ended' | 'unknown' };

export interface PushLook {
  readonly atMs: number;
  /** Null: the box has neither curl nor GNU Wget. */
  readonly tool: PushTool | null;
  /** Whether the box shows this session's own processes; otherwise nothing that is started could be read back. */
  readonly hasTable: boolean;
  readonly waiters: readonly PushWaiter[];
  /** There are more than one look tells. */
  readonly isCut: boolean;
}

export const PUSH_ID = /^p-(\d{1,10})-(\d{1,15})-[0-9a-f]{8}$/;

export function pushId({ pid, startTicks }: ProcessInLook, nonce: string): string {
  return `p-${String(pid)}-${String(startTicks)}-${nonce}`;
}

export const pushFolder = (id: string): string => `~/.local/state/leasehold/push/${id}`;

interface WaiterLines {
  readonly id: string;
  readonly isAlive: boolean;
  readonly life: string;
  about: { readonly tool: PushTool; readonly maxS: number; readonly armedS: number } | null;
  fired: Extract<PushState, { kind: 'fired' }> | null;
}

/** What resources/onbox/push-waiters.sh printed behind its mark. Null: not whole. */
export function parsePushLook(stdout: string, mark: string, atMs: number): PushLook | null {
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith(`${mark} `))
    .map((line) => line.slice(mark.length + 1).trim());
  const tool = firstMatch(lines, /^tool (curl|wget|none)$/);
  const table = firstMatch(lines, /^table (yes|no)$/);
  const now = firstMatch(lines, /^now (\d{1,12})$/);
  if (tool === null || table === null || now === null || lines.at(-1) !== 'whole') return null;
  const ownTime = (boxS: number): number => atMs - (Number(now) - boxS) * 1000;
  const told = new Map<string, WaiterLines>();
  for (const line of lines) takeLine(line, told, ownTime);
  return {
    atMs,
    tool: tool === 'none' ? null : (tool as PushTool),
    hasTable: table === 'yes',
    waiters: [...told.values()].flatMap((each) => waiterOf(each, ownTime) ?? []),
    isCut: lines.includes('cut'),
  };
}

const WAITER = /^waiter (\S+) (alive|dead) (same|other|unknown)$/;
const ABOUT = /^about (\S+) (\d{1,9}) (curl|wget) (\d{1,12})$/;
const RESULT = /^result (\S+) (ended|expired) (delivered|failed) (\d{3}) (\d{1,3}) (\d{1,12})$/;

function takeLine(
  line: string,
  told: Map<string, WaiterLines>,
  ownTime: (boxS: number) => number,
): void {
  const [, id = '', living, life = ''] = WAITER.exec(line) ?? [];
  if (PUSH_ID.test(id)) {
    told.set(id, { id, isAlive: living === 'alive', life, about: null, fired: null });
    return;
  }
  const [, aboutId = '', maxS, tool, armedS] = ABOUT.exec(line) ?? [];
  const about = told.get(aboutId);
  if (about !== undefined) {
    about.about = { tool: tool as PushTool, maxS: Number(maxS), armedS: Number(armedS) };
    return;
  }
  const [, firedId = '', because, outcome, status = '', exitCode = '', atS] =
    RESULT.exec(line) ?? [];
  const fired = told.get(firedId);
  const post = readPost(fired?.about?.tool ?? 'curl', status, exitCode);
  if (fired === undefined || post === null) return;
  fired.fired = {
    kind: 'fired',
    because: because as PushCause,
    post,
    isDelivered: outcome === 'delivered',
    atMs: ownTime(Number(atS)),
  };
}

function waiterOf(
  { id, isAlive, life, about, fired }: WaiterLines,
  ownTime: (boxS: number) => number,
): PushWaiter | null {
  const [, pid, startTicks] = PUSH_ID.exec(id) ?? [];
  if (pid === undefined || startTicks === undefined) return null;
  const armedAtMs = about === null ? null : ownTime(about.armedS);
  return {
    id,
    process: { pid: Number(pid), startTicks: Number(startTicks) },
    armedAtMs,
    untilMs: about === null || armedAtMs === null ? null : armedAtMs + about.maxS * 1000,
    state:
      fired ?? (isAlive ? { kind: 'waiting' } : { kind: 'lost', because: LOST[life] ?? 'unknown' }),
  };
}

const LOST: Readonly<Record<string, 'restart' | 'ended'>> = { other: 'restart', same: 'ended' };

function firstMatch(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const [, word] = pattern.exec(line) ?? [];
    if (word !== undefined) return word;
  }
  return null;
}
