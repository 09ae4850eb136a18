import { z } from 'zod';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { doAtOnce, type Steps } from '../../shared/steps.ts';
import { fates } from '../../shared/transfer/fate.ts';
import {
  proofLevels,
  pullWaits,
  type PulledFile,
  type PullReport,
  type RunProof,
} from '../../shared/transfer/pull.ts';
import { formatNames, type Loaded } from '../../shared/verify/loaded.ts';
import { setKinds } from '../../shared/verify/sets.ts';
import { jsonBody } from '../evidence/json-body.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { doInTurns, nextTurn } from '../streams/in-turns.ts';

const format = z.enum(formatNames);
const loaded = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('loaded'),
    format,
    holds: z.string(),
    numbers: z
      .strictObject({
        scanned: z.int(),
        nonFinite: z.int(),
        affected: z.array(z.strictObject({ tensor: z.string(), count: z.int() })),
        allZero: z.array(z.string()),
      })
      .optional(),
  }),
  z.strictObject({ kind: z.literal('damaged'), format, because: z.string() }),
  z.strictObject({
    kind: z.literal('not-loadable'),
    format,
    because: z.string(),
  }),
  z.strictObject({ kind: z.literal('no-reader') }),
]) as z.ZodType<Loaded>;

export const STAMP = /^[-0-9.]{1,24} [-0-9.]{1,24} \d{1,20}$/;

const report = z.strictObject({
  runId: z.string(),
  runName: z.string(),
  from: z.string(),
  to: z.string(),
  manifest: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      bytes: z.int(),
      modifiedAtMs: z.number(),
      // Entries from before boxes were asked for it have none.
      stamp: z.string().regex(STAMP).exactOptional(),
      keep: z.enum(['evidence', 'checkpoint', 'scratch', 'unknown']),
      // Entries from before the tiers were asked have none.
      fate: z.enum(fates).exactOptional(),
      mark: z.enum(['equal', 'differs', 'missing-here', 'missing-there', 'could-not-read']),
      level: z.enum(proofLevels),
      sha256: z.string().nullable(),
      copyWrittenNs: z
        .string()
        .regex(/^-?\d{1,20}$/)
        .exactOptional(),
      loaded: loaded.nullable(),
      says: z.string().nullable(),
      // Entries from before anything could be left have none.
      left: z.string().exactOptional(),
      // Those of a continuous pull alone have these.
      waits: z.enum(pullWaits).exactOptional(),
      provenIn: z.int().exactOptional(),
      isGrowing: z.literal(true).exactOptional(),
    }),
  ),
  tellsWrites: z.boolean().exactOptional(),
  // Entries that were written before sets were looked at say nothing of them.
  sets: z
    .array(
      z.strictObject({
        kind: z.enum(setKinds),
        path: z.string(),
        state: z.enum(['whole', 'damaged', 'not-loadable', 'unknown']),
        says: z.string(),
      }),
    )
    .optional(),
}) satisfies z.ZodType<PullReport>;

/** Keeps what a pull found as evidence, and reads it back. */
export async function keepProof(
  evidence: Pick<EvidenceTable, 'append'>,
  boxId: string,
  report: PullReport,
): Promise<Result<RunProof, Problem>> {
  await nextTurn();
  const body = JSON.stringify(report);
  await nextTurn();
  const about = report.runId;
  const entry = evidence.append({
    atMs: Date.now(),
    kind: 'pull',
    boxId,
    about,
    body,
  });
  if (!entry.ok) return entry;
  await nextTurn();
  return doInTurns(readProofInSteps(entry.value));
}

/** An entry of kind `pull`, as it was kept. */
export const readProof = (entry: EvidenceEntry): Result<RunProof, Problem> =>
  doAtOnce(readProofInSteps(entry));

const besideFiles = report.extend({ files: z.array(z.unknown()) });
const oneFile = report.shape.files.element;
/** Some milliseconds, where the twenty thousand of one pull are a tenth of a second. */
const FILES_IN_STEP = 1000;

/** The same in steps, for main. */
export function* readProofInSteps({
  seq,
  atMs,
  hash,
  body,
}: EvidenceEntry): Steps<Result<RunProof, Problem>> {
  const said = `Evidence entry ${String(seq)} is not what Leasehold writes.`;
  const wrong = err(problem('database-corrupt', said));
  const read = besideFiles.safeParse(jsonBody(body));
  if (!read.success) return wrong;
  const files: PulledFile[] = [];
  for (const told of read.data.files) {
    if (files.length % FILES_IN_STEP === 0) yield;
    const file = oneFile.safeParse(told);
    if (!file.success) return wrong;
    files.push(file.data);
  }
  return ok({ seq, atMs, hash, report: { ...read.data, files } });
}
