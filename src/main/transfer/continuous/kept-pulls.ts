import { z } from 'zod';
import type { Problem } from '../../../shared/problem.ts';
import {
  LIMIT_MBPS,
  type ContinuousPull,
} from '../../../shared/transfer/continuous/continuous-pull.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import { folderId } from '../folder-id.ts';

const KEPT_AS = 'continuous-pulls';

const done = z.strictObject({
  atMs: z.number(),
  files: z.int(),
  bytes: z.number(),
});

const kept = z.array(
  z.strictObject({
    runId: z.string(),
    runName: z.string(),
    to: z.string(),
    toId: folderId.exactOptional(),
    everyMin: z.number().positive(),
    limitMBps: z.number().min(LIMIT_MBPS.min).max(LIMIT_MBPS.max).nullable(),
    last: done.nullable(),
    brought: done.nullable(),
    failure: z
      .strictObject({
        sinceMs: z.number(),
        atMs: z.number(),
        rounds: z.int(),
        says: z.string(),
      })
      .nullable(),
    isFinished: z.boolean(),
    /** A person was told of the failure that lasts. */
    isTold: z.boolean(),
  }),
);

/** A continuous pull as it is kept between two starts of the app. */
export type KeptContinuous = z.infer<typeof kept>[number] &
  Pick<ContinuousPull, 'last' | 'brought' | 'failure'>;

export interface KeptPullsOptions {
  readonly boxId: string;
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly onProblem: (found: Problem) => void;
}

export function readKept({
  boxId,
  entries,
  onProblem,
}: KeptPullsOptions): readonly KeptContinuous[] {
  const read = entries.read(boxId, KEPT_AS, kept);
  if (read.ok) return read.value ?? [];
  onProblem(read.error);
  return [];
}

export function writeKept(
  { boxId, entries }: KeptPullsOptions,
  pulls: readonly KeptContinuous[],
  atMs: number,
): ReturnType<EntriesTable['write']> {
  return entries.write(boxId, KEPT_AS, pulls, atMs);
}
