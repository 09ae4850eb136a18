import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { LeftFiles } from '../../shared/transfer/left-files.ts';
import type { PullFile, PullProgress } from '../../shared/transfer/pull.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { folderId, type FolderId } from './folder-id.ts';
import type { KeptPull } from './plan-pull.ts';

const KEPT_AS = 'paused-pull';
const count = z.number().min(0);

const kept = z.strictObject({
  runId: z.string(),
  to: z.string(),
  left: z.array(z.strictObject({ because: z.string(), paths: z.array(z.string()) })),
  doneFiles: count,
  files: count,
  doneBytes: count,
  bytes: count,
  hashedFiles: count,
  hashedBytes: count,
  toId: folderId.exactOptional(),
  isUnderWay: z.literal(true).exactOptional(),
  because: z.string().exactOptional(),
});

/** What a person has asked for. */
export interface AskedPull {
  readonly to: string;
  /** Absent: it began when that was not kept yet. */
  readonly toId?: FolderId;
  readonly left: readonly LeftFiles[];
}

/** A person's pull that is not over: what it takes to go on, and how far it was. */
export interface PausedPull extends Omit<PullProgress, 'stage' | 'way' | 'retry'>, AskedPull {
  /** Nobody has paused it: found at a start of the app, it was cut off and goes on by itself. */
  readonly isUnderWay?: true;
}

/** One for each box at most, kept until it is over, or until a person ends it where it is paused or was cut off: also over a restart. */
export class PausedPulls {
  readonly #entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly #known = new Map<string, PausedPull | null>();

  constructor(entries: Pick<EntriesTable, 'read' | 'write'>) {
    this.#entries = entries;
  }

  /** Reads what an earlier start of the app has kept. */
  recall(boxId: string): Result<PausedPull | null, Problem> {
    const read = this.#entries.read(boxId, KEPT_AS, kept.nullable());
    if (read.ok) this.#known.set(boxId, read.value);
    return read;
  }

  of(boxId: string): PausedPull | null {
    return this.#known.get(boxId) ?? null;
  }

  put(boxId: string, pull: PausedPull | null, atMs: number): Result<null, Problem> {
    const written = this.#entries.write(boxId, KEPT_AS, pull, atMs);
    if (written.ok) this.#known.set(boxId, pull);
    return written;
  }
}

/** As the window is told of it. */
export function pausedProgress(pull: PausedPull): PullProgress {
  const { to: _to, toId: _toId, left: _left, isUnderWay, ...progress } = pull;
  return { ...progress, stage: isUnderWay === true ? 'cut-off' : 'paused' };
}

type HowFar = Omit<PullProgress, 'stage'>;

export const pausedAt = (
  { runId, doneFiles, files, doneBytes, bytes, hashedFiles, hashedBytes }: HowFar,
  { to, toId, left }: AskedPull,
): PausedPull => ({
  ...(toId !== undefined && { toId }),
  ...{ runId, to, left: left.map(({ because, paths }) => ({ because, paths: [...paths] })) },
  ...{ doneFiles, files, doneBytes, bytes, hashedFiles, hashedBytes },
});

/** One that begins, by what lies here of it. */
export const begunAt = ({ run, shown }: KeptPull, asked: AskedPull): PausedPull => {
  const files = shown.files.filter(({ refused }) => refused === null).length;
  const { bytes, missingBytes } = shown;
  const none = { doneFiles: 0, hashedFiles: 0, hashedBytes: 0 };
  const howFar = { runId: run.id, files, bytes, doneBytes: bytes - missingBytes, ...none };
  return { ...pausedAt(howFar, asked), isUnderWay: true };
};

/** Of what a person left on the box, what is there now and could come. */
export function stillLeft(
  left: readonly LeftFiles[],
  files: readonly PullFile[],
): readonly LeftFiles[] {
  const wanted = new Set(files.filter(({ refused }) => refused === null).map(({ path }) => path));
  return left.flatMap(({ because, paths }) => {
    const there = paths.filter((path) => wanted.has(path));
    return there.length === 0 ? [] : { because, paths: there };
  });
}
