import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { LeftFiles } from '../../shared/transfer/left-files.ts';
import type { PullFile, PullProgress } from '../../shared/transfer/pull.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

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
});

/** A pull that a person has paused: what it takes to go on, and how far it was. */
export interface PausedPull extends Omit<PullProgress, 'stage' | 'way' | 'retry'> {
  readonly to: string;
  readonly left: readonly LeftFiles[];
}

/** One for each box at most, kept until it goes on or a person ends it: also over a restart. */
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
  const { to: _to, left: _left, ...progress } = pull;
  return { ...progress, stage: 'paused' };
}

export const pausedAt = (
  { runId, doneFiles, files, doneBytes, bytes, hashedFiles, hashedBytes }: PullProgress,
  { to, left }: Pick<PausedPull, 'to' | 'left'>,
): PausedPull => ({
  ...{ runId, to, left: left.map(({ because, paths }) => ({ because, paths: [...paths] })) },
  ...{ doneFiles, files, doneBytes, bytes, hashedFiles, hashedBytes },
});

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
