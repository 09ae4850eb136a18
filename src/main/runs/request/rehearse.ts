import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { PushRequest, RunRequest } from '../../../shared/runs/launch/run-request.ts';
import type { RehearsalEnd } from '../../../shared/runs/request/rehearsal.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import { hashOfFolder } from '../../transfer/code-pusher.ts';
import { LocalHashes } from '../../transfer/local-hashes.ts';
import { keepRehearsal } from './rehearsals.ts';

/** Between asking it to end and ending it. */
const GRACE_MS = 3000;

/** A command that must pass on this computer, and the code that it must pass with. */
export interface WantedRehearsal {
  readonly command: string;
  readonly push: PushRequest;
}

export interface RehearsedCode {
  readonly end: Exclude<RehearsalEnd, { readonly kind: 'declined' }>;
  /** The SHA-256 of the code before it. */
  readonly tree: string;
}

export interface RehearseOptions {
  /** Where it is remembered that it passed. */
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  /** Of what it prints, and of its errors, to their ends. */
  readonly read: (stream: Readable) => Promise<void>;
  /** Ends the command with everything that it started; absent: whoever started Leasehold ends it with that (Ctrl-C). */
  readonly signal?: AbortSignal;
}

/** Refused where the request names nothing, or pushes no code. */
export const rehearsalIn = ({
  rehearsal: command,
  push,
}: Pick<RunRequest, 'rehearsal' | 'push'>): Result<WantedRehearsal, Problem> =>
  command === undefined || push === undefined
    ? err(problem('rehearsal-not-run', 'The request names no rehearsal of code that it pushes.'))
    : ok({ command, push });

/** Runs the command in the folder that is pushed, as the person themself, and remembers the code that it passed with. */
export async function rehearse(
  { command, push }: WantedRehearsal,
  { entries, read, signal }: RehearseOptions,
): Promise<Result<RehearsedCode, Problem>> {
  const hashes = new LocalHashes();
  const before = await hashOfFolder(push, hashes);
  if (!before.ok) return before;
  const tree = before.value;
  const isStopped = (): boolean => signal?.aborted === true;
  const is = (end: RehearsedCode['end']): Result<RehearsedCode, Problem> => ok({ end, tree });
  if (isStopped()) return is({ kind: 'stopped' });
  const child = spawn(command, {
    ...{ shell: true, cwd: push.from, stdio: ['ignore', 'pipe', 'pipe'] },
    // A group of its own can be ended as one.
    detached: signal !== undefined && process.platform !== 'win32',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const stopCaring = endWith(child, signal);
  const streams = [child.stdout, child.stderr].flatMap((stream) => stream ?? []);
  const [[exitCode]] = await Promise.all([ended, ...streams.map(read)]).finally(stopCaring);
  if (isStopped()) return is({ kind: 'stopped' });
  if (exitCode !== 0) return is({ kind: 'failed', exitCode });
  const after = await hashOfFolder(push, hashes);
  if (!after.ok || after.value !== tree) return is({ kind: 'changed' });
  const kept = keepRehearsal(entries, { tree, command, atMs: Date.now() });
  return kept.ok ? is({ kind: 'passed' }) : kept;
}

/** Answers how to stop caring. */
function endWith(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    endGroup(child, 'SIGTERM');
    timer = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
  };
  signal?.addEventListener('abort', end, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (cause) {
    // Ended meanwhile: that is all that was wanted.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause;
  }
}
