import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PushProgress } from '../../shared/transfer/push-progress.ts';
import {
  LEAST_MEASURED_BYTES,
  withMeasured,
  type MeasuredPush,
} from '../../shared/transfer/push-rate.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const KEY = 'pushes';

const measuredPushes: z.ZodType<readonly MeasuredPush[]> = z
  .array(z.strictObject({ bytes: z.int().min(1), ms: z.number().positive(), atMs: z.int() }))
  .readonly();

/** What earlier pushes to a box took, the newest first. */
export function readMeasured(
  entries: Pick<EntriesTable, 'read'>,
  boxId: string,
): Result<readonly MeasuredPush[], Problem> {
  const read = entries.read(boxId, KEY, measuredPushes);
  return read.ok ? ok(read.value ?? []) : read;
}

export function keepMeasured(
  entries: Pick<EntriesTable, 'read' | 'write'>,
  boxId: string,
  push: MeasuredPush,
): Result<null, Problem> {
  const read = readMeasured(entries, boxId);
  if (!read.ok) return read;
  return entries.write(boxId, KEY, withMeasured(read.value, push), push.atMs);
}

interface Clock {
  /** In milliseconds, and never back. */
  readonly now: () => number;
  readonly wall: () => number;
}

const CLOCK: Clock = { now: () => performance.now(), wall: Date.now };

/**
 * Measures how long the bytes of a push take, by its stages: from the first one until the box has them all. A push that was cut off
 * is measured from where it goes on, so that waiting for the network counts for nothing.
 */
export function measureSending(
  tell: (push: MeasuredPush) => void,
  { now, wall }: Clock = CLOCK,
): (progress: PushProgress) => void {
  let from: { readonly atMs: number; readonly bytes: number } | null = null;
  return ({ stage, doneBytes }) => {
    if (stage === 'sending') from ??= { atMs: now(), bytes: doneBytes };
    else if (stage === 'placing' && from !== null) {
      const [bytes, ms] = [doneBytes - from.bytes, now() - from.atMs];
      from = null;
      if (bytes >= LEAST_MEASURED_BYTES && ms > 0) tell({ bytes, ms, atMs: wall() });
    } else from = null;
  };
}
