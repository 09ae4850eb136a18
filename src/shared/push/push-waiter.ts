/** What a waiter on a box waits for: a process, or a file that appears. */
export type PushSubject =
  | { readonly kind: 'process'; readonly pid: number; readonly startTicks: number }
  | { readonly kind: 'marker'; readonly path: string };

/** What posts; null: the box has neither curl nor GNU Wget, so that nothing can be posted from it. */
export type PushTool = 'curl' | 'wget';

export interface PushWaiter {
  readonly id: string;
  readonly subject: PushSubject;
  /** `ended-silently`: it is gone and left no word: the box was restarted, or somebody ended it. Nothing was posted. */
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'ended-silently' }
    | {
        readonly kind: 'fired';
        readonly because: 'ended' | 'appeared';
        readonly isDelivered: boolean;
        /** By the box's clock. */
        readonly atMs: number;
      };
}

export interface PushLook {
  readonly tool: PushTool | null;
  readonly waiters: readonly PushWaiter[];
}

/** One waiter for each subject: the same one has the same id. */
export function pushId(subject: PushSubject, digest: (text: string) => string): string {
  return subject.kind === 'process'
    ? `p-${String(subject.pid)}-${String(subject.startTicks)}`
    : `m-${digest(subject.path).slice(0, 16)}`;
}

/** Where the address lies on the box; parts/push-waiter.sh removes it when it has fired. */
export const pushUrlPath = (id: string): string => `~/.local/state/leasehold/push/${id}/url`;

export const MAX_WAITERS = 50;

const TOOL = /^tool (curl|wget|none)$/;
const WAITER = /^waiter ([a-z0-9-]{1,40}) (alive|dead) (\d{0,10}) (\d{0,18})$/;
const MARKER = /^marker (\/.{0,1000})$/;
const RESULT = /^result (ended|appeared) (delivered|failed) (\d{1,12})$/;

/** What resources/onbox/push-waiters.sh printed. Null: not whole. Noisy start-up files may print around it. */
export function parsePushLook(stdout: string): PushLook | null {
  let tool: PushTool | null | undefined;
  const found: {
    id: string;
    isAlive: boolean;
    pid: string;
    start: string;
    marker: string | null;
    result: PushWaiter['state'] | null;
  }[] = [];
  for (const line of stdout.split('\n')) {
    const [, said] = TOOL.exec(line) ?? [];
    if (said !== undefined) tool = said === 'none' ? null : (said as PushTool);
    const [, id, standing, pid = '', start = ''] = WAITER.exec(line) ?? [];
    if (id !== undefined && found.length < MAX_WAITERS) {
      found.push({ id, isAlive: standing === 'alive', pid, start, marker: null, result: null });
    }
    const last = found.at(-1);
    if (last === undefined) continue;
    last.marker = MARKER.exec(line)?.[1] ?? last.marker;
    const [, because, outcome, seconds] = RESULT.exec(line) ?? [];
    if (because !== undefined) {
      last.result = {
        kind: 'fired',
        because: because as 'ended' | 'appeared',
        isDelivered: outcome === 'delivered',
        atMs: Number(seconds) * 1000,
      };
    }
  }
  if (tool === undefined) return null;
  return {
    tool,
    waiters: found.flatMap(({ id, isAlive, pid, start, marker, result }) => {
      const subject: PushSubject | null =
        pid !== '' && start !== ''
          ? { kind: 'process', pid: Number(pid), startTicks: Number(start) }
          : marker === null
            ? null
            : { kind: 'marker', path: marker };
      if (subject === null) return [];
      const state =
        result ?? (isAlive ? { kind: 'waiting' as const } : { kind: 'ended-silently' as const });
      return [{ id, subject, state }];
    }),
  };
}
