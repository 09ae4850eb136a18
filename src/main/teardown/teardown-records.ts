import { z } from 'zod';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FoundMachine } from '../../shared/teardown/found-on-box.ts';
import type { Act, GateEvent } from '../../shared/teardown/gate.ts';
import type { InspectedRun, KeptLoss } from '../../shared/teardown/inspection.ts';
import type { OrderAnswer, ProviderSaid } from '../../shared/teardown/provider-said.ts';
import { SECRET_KINDS } from '../../shared/teardown/secret-kinds.ts';
import type { RemovedSecret } from '../../shared/teardown/secrets-found.ts';
import type { TeardownStep } from '../../shared/teardown/teardown-record.ts';
import { jsonBody } from '../evidence/json-body.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';

const kept = z.strictObject({
  runId: z.string(),
  runName: z.string(),
  path: z.string(),
  to: z.string().nullable(),
  files: z.int(),
  bytes: z.int(),
  homeFiles: z.int(),
  homeBytes: z.int(),
  evidence: z.int().nullable(),
  away: z.strictObject({ files: z.int(), bytes: z.int() }).exactOptional(),
}) satisfies z.ZodType<InspectedRun>;
const loss = z.strictObject({
  id: z.string(),
  loss: z.string(),
  says: z.string(),
  because: z.string(),
  atMs: z.int(),
});
const money = z.strictObject({ micros: z.number(), currency: z.string() });
const machine = z
  .strictObject({
    hostKey: z.string().nullable(),
    life: z.string().nullable(),
    instance: z.string().nullable(),
  })
  .nullable()
  .default(null) satisfies z.ZodType<FoundMachine | null>;
const aim = z.enum(['stopped', 'gone']);
const said = z.strictObject({
  provider: z.string(),
  kind: z.enum(['running', 'stopping', 'stopped', 'gone', 'unheard', 'silent']),
  says: z.string(),
  atMs: z.int(),
}) satisfies z.ZodType<ProviderSaid>;
const answer = z.strictObject({
  provider: z.string(),
  kind: z.enum(['accepted', 'refused', 'lost']),
  says: z.string(),
  atMs: z.int(),
}) satisfies z.ZodType<OrderAnswer>;
const losses = z.array(loss) satisfies z.ZodType<readonly KeptLoss[]>;
const secret = z.strictObject({
  kind: z.enum(['sent', ...SECRET_KINDS.map(({ id }) => id)]),
  path: z.string(),
});
const removed = z.array(secret.extend({ atMs: z.int() })) satisfies z.ZodType<
  readonly RemovedSecret[]
>;
const step = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.literal('approved'),
    boxName: z.string(),
    actId: z.string(),
    verb: z.string(),
    aim,
    typed: z.string(),
    who: z.string().nullable().default(null),
    approvedAtMs: z.int(),
    machine,
    copiesReadAtMs: z.int().nullable(),
    runs: z.array(kept),
    left: z.array(
      z.strictObject({
        runName: z.string(),
        path: z.string(),
        files: z.int(),
        bytes: z.int(),
        because: z.string(),
        shows: z.array(z.string()),
      }),
    ),
    losses,
    secrets: z
      .strictObject({
        lookedAtMs: z.int().nullable(),
        isWhole: z.boolean(),
        removed,
        left: z.array(secret),
      })
      .nullable()
      .default(null),
  }),
  z.strictObject({
    step: z.literal('gone'),
    approval: z.int(),
    actId: z.string(),
    verb: z.string(),
    aim,
    ends: z.boolean().nullable().default(null),
    approvedAtMs: z.int(),
    machine,
    silence: z.string(),
    by: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('provider'), said }),
      z.strictObject({ kind: z.literal('person'), saidAtMs: z.int(), said: said.nullable() }),
    ]),
    told: z.array(z.union([said, answer])),
    cost: z
      .strictObject({
        fromMs: z.number(),
        untilMs: z.number(),
        known: z.array(money),
        unresolved: z.array(money),
        unresolvedMs: z.number(),
        unpricedMs: z.number(),
      })
      .nullable(),
  }),
  z.strictObject({ step: z.enum(['called-off', 'again']), approval: z.int() }),
]) satisfies z.ZodType<TeardownStep>;

/** An entry of kind `teardown`, as it was kept. */
export const readStep = (entry: EvidenceEntry): Result<TeardownStep, Problem> =>
  readBody(entry, step);

/** An entry of kind `losses`, as it was kept. */
export const readLosses = (entry: EvidenceEntry): Result<readonly KeptLoss[], Problem> =>
  readBody(entry, losses);

/** An entry of kind `secrets`, as it was kept. */
export const readRemovedSecrets = (
  entry: EvidenceEntry,
): Result<readonly RemovedSecret[], Problem> => readBody(entry, removed);

/** It stays in the log, where nothing is taken out. */
const UNREADABLE_STEP =
  'If a newer Leasehold wrote it, go on with that one. If it is damaged, put your data folder back from a backup.';

function readBody<T>({ seq, body }: EvidenceEntry, schema: z.ZodType<T>): Result<T, Problem> {
  const read = schema.safeParse(jsonBody(body));
  if (read.success) return ok(read.data);
  const said = `Evidence entry ${String(seq)} is not what Leasehold writes.`;
  return err(problem('database-corrupt', said, { nextStep: UNREADABLE_STEP }));
}

type TeardownKind = Extract<EvidenceEntry['kind'], 'teardown' | 'losses' | 'secrets'>;

export interface KeptStep {
  readonly seq: number;
  readonly atMs: number;
  readonly step: TeardownStep;
}

/** An end that was begun from here. */
export interface KeptAct extends Pick<Act, 'id' | 'verb' | 'approvedAtMs' | 'machine'> {
  readonly boxId: string;
  /** As it was typed. */
  readonly boxName: string;
  /** It was called off, or its box begun again. */
  readonly isOver: boolean;
  /** It was to stop its machine, and that was confirmed. */
  readonly isStopped: boolean;
}

const OPEN = { isOver: false, isStopped: false };

/** What the evidence has of the end of boxes. Nothing of it is kept anywhere else. */
export class TeardownRecords {
  readonly #evidence: Pick<EvidenceTable, 'append' | 'newest' | 'ofKind'>;

  constructor(evidence: Pick<EvidenceTable, 'append' | 'newest' | 'ofKind'>) {
    this.#evidence = evidence;
  }

  /** Null: nobody has ended this box yet. */
  newest(boxId: string): Result<KeptStep | null, Problem> {
    const entry = this.#newest('teardown', boxId);
    if (!entry.ok || entry.value === null) return entry.ok ? ok(null) : entry;
    const read = readStep(entry.value);
    const { seq, atMs } = entry.value;
    return read.ok ? ok({ seq, atMs, step: read.value }) : read;
  }

  /** Whether an end of this box is begun, and not over. What cannot be read may be one: an error is never a no. */
  isUnderWay(boxId: string): Result<boolean, Problem> {
    const newest = this.newest(boxId);
    return newest.ok ? ok(newest.value?.step.step === 'approved') : newest;
  }

  /** Of every box, the oldest first. What cannot be read is left out: it proves nothing. */
  all(): Result<readonly (KeptStep & { readonly boxId: string })[], Problem> {
    const entries = this.#evidence.ofKind('teardown');
    if (!entries.ok) return entries;
    return ok(
      entries.value.rows.flatMap((entry) => {
        const { seq, atMs, boxId } = entry;
        const step = readStep(entry);
        return step.ok ? { seq, atMs, boxId, step: step.value } : [];
      }),
    );
  }

  /** All acts that were ever begun from here, by their ids. */
  acts(): Result<ReadonlyMap<string, KeptAct>, Problem> {
    const all = this.all();
    if (!all.ok) return all;
    const acts = new Map<string, KeptAct>();
    const newest = new Map<string, KeptAct>();
    for (const { boxId, step } of all.value) {
      if (step.step === 'approved') {
        const { actId: id, boxName, verb, approvedAtMs, machine } = step;
        newest.set(boxId, { id, boxId, boxName, verb, approvedAtMs, machine, ...OPEN });
      }
      const act = newest.get(boxId);
      if (act === undefined) continue;
      const isOver = step.step === 'called-off' || step.step === 'again';
      const isStopped = step.step === 'gone' && step.aim === 'stopped';
      acts.set(act.id, { ...act, isOver, isStopped });
    }
    return ok(acts);
  }

  /** The number of the entry with which this box was begun again last after its machine was deleted; 0: that never was. */
  begunAgainAt(boxId: string): Result<number, Problem> {
    const all = this.all();
    if (!all.ok) return all;
    let [at, isDeleted] = [0, false];
    for (const { seq, step } of all.value.filter((each) => each.boxId === boxId)) {
      if (step.step === 'again' && isDeleted) at = seq;
      isDeleted = step.step === 'gone' && step.ends === true;
    }
    return ok(at);
  }

  /** All that was accepted of this box since it was last gone. */
  losses(boxId: string): Result<readonly KeptLoss[], Problem> {
    const entry = this.#newest('losses', boxId);
    if (!entry.ok) return entry;
    return entry.value === null ? ok([]) : readLosses(entry.value);
  }

  /** Answers the number of the entry, once it is on the disk. `behind`: only where that is still the newest step of the box. */
  append(boxId: string, said: TeardownStep, behind?: number): Result<number, Problem> {
    return this.#append('teardown', boxId, said, behind);
  }

  appendLosses(boxId: string, accepted: readonly KeptLoss[]): Result<number, Problem> {
    return this.#append('losses', boxId, accepted);
  }

  /** All secrets that were removed from this box since it was last gone. */
  removedSecrets(boxId: string): Result<readonly RemovedSecret[], Problem> {
    const entry = this.#newest('secrets', boxId);
    if (!entry.ok) return entry;
    return entry.value === null ? ok([]) : readRemovedSecrets(entry.value);
  }

  appendRemovedSecrets(boxId: string, secrets: readonly RemovedSecret[]): Result<number, Problem> {
    return this.#append('secrets', boxId, secrets);
  }

  #append(
    kind: TeardownKind,
    boxId: string,
    body: TeardownStep | readonly KeptLoss[] | readonly RemovedSecret[],
    behind?: number,
  ): Result<number, Problem> {
    const entry = this.#evidence.append(
      { ...{ atMs: Date.now(), kind, boxId, about: boxId }, body: JSON.stringify(body) },
      behind,
    );
    return entry.ok ? ok(entry.value.seq) : entry;
  }

  #newest(kind: TeardownKind, boxId: string): Result<EvidenceEntry | null, Problem> {
    const found = this.#evidence.newest({ kind, boxId, about: boxId });
    if (!found.ok) return found;
    const [unreadable] = found.value.unreadable;
    if (unreadable === undefined) return ok(found.value.rows[0] ?? null);
    return err({ ...unreadable, nextStep: UNREADABLE_STEP });
  }
}

/** What the evidence said last, to a gate that has not heard of it. */
export function resumedBy({ seq, atMs, step }: KeptStep): GateEvent {
  switch (step.step) {
    case 'approved': {
      const { actId: id, verb, aim, approvedAtMs, machine } = step;
      const act = { id, verb, aim, approvedAtMs, machine, evidence: seq };
      return { kind: 'resumed', act, gone: null };
    }
    case 'gone': {
      const { actId: id, verb, aim, approvedAtMs, machine, approval, silence, by } = step;
      const act = { id, verb, aim, approvedAtMs, machine, evidence: approval };
      return { kind: 'resumed', act, gone: { atMs, silence, by } };
    }
    case 'called-off':
      return { kind: 'called-off' };
    case 'again':
      return { kind: 'begin-again' };
  }
}
