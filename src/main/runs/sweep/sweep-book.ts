import { z } from 'zod';
import { boxId } from '../../../shared/ipc/box-id.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import type { RunCode } from '../../../shared/runs/launch/run-about.ts';
import type { PushRequest } from '../../../shared/runs/launch/run-request.ts';
import type { CellMark, QueueView } from '../../../shared/runs/queue/queue-view.ts';
import { runRequest } from '../../../shared/runs/launch/run-request-schema.ts';
import type {
  RosterCell,
  SweepRoster,
  SweepShare,
} from '../../../shared/runs/sweep/sweep-roster.ts';
import { sweepBase, sweepId, sweepShare } from '../../../shared/runs/sweep/sweep-schema.ts';
import type { SweepLine } from '../../../shared/runs/sweep/sweep-view.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import { nextTurn } from '../../streams/in-turns.ts';
import { digestOf } from './roster-digest.ts';

/** Older ones lie on their boxes all the same. */
const MAX_SWEEPS = 500;

export interface KeptShare extends SweepShare {
  /** Null: no box of this app's list has shown the run. */
  readonly boxId: string | null;
  readonly wasThere: boolean;
}

export interface KeptSweep {
  readonly id: string;
  readonly name: string;
  readonly cells: number;
  readonly launchedAtMs: number;
  readonly digest: string;
  /** The code of this computer that was pushed for it; null: none, or it was launched from elsewhere. */
  readonly push: PushRequest | null;
  /** The box that its cells were read from; null: this app began it. Absent: an older Leasehold did not write that down. */
  readonly readFrom?: string | null;
  /** What was pushed at its first launch; null: nothing. Absent: not known. */
  readonly code?: RunCode | null;
  /** In the order of their launches. */
  readonly shares: readonly KeptShare[];
}

/** What the queue of a share last told of its cells, in numbers alone: for when its box is asked in vain, or is gone. */
export interface ToldShare extends Pick<QueueView, 'marks' | 'pruning'> {
  /** The indices of those that are left out. */
  readonly commented: readonly number[];
  /** The run that went on with it last, which was over, and all was read; null: it was not. */
  readonly wholeAs: string | null;
}

/** What a sweep came from: code of this computer, or a box that told it. */
export type SweepOrigin = Pick<KeptSweep, 'push' | 'readFrom' | 'code'>;

/** The digest is known to whoever has a roster: for ten thousand cells it is a tenth of a second. */
type BegunSweep = SweepOrigin & Pick<KeptSweep, 'digest'>;

const keptShare = sweepShare.extend({ boxId: boxId.nullable(), wasThere: z.boolean() });
const runCode = z.strictObject({
  tree: z.string(),
  commit: z.string().nullable(),
  isDirty: z.boolean(),
}) satisfies z.ZodType<RunCode>;
const keptSweep: z.ZodType<KeptSweep> = z.strictObject({
  id: sweepId,
  name: z.string(),
  cells: z.int(),
  launchedAtMs: z.number(),
  digest: z.string(),
  push: runRequest.shape.push.unwrap().nullable(),
  readFrom: boxId.nullable().exactOptional(),
  code: runCode.nullable().exactOptional(),
  shares: z.array(keptShare).readonly(),
});
const ids: z.ZodType<readonly string[]> = z.array(sweepId);
/** Its cells were proven when it was kept, and its digest says that they are those: to prove ten thousand anew is a tenth of a second. */
const keptRoster: z.ZodType<SweepRoster> = z.strictObject({
  id: sweepId,
  name: z.string(),
  base: sweepBase,
  cells: z.custom<readonly RosterCell[]>((told) => Array.isArray(told) && told.every(isCell)),
});
const isCell = (told: unknown): boolean => {
  const { name, command, results, ...rest } = (told ?? {}) as Partial<RosterCell>;
  const texts = [name, command, results];
  return texts.every((text) => typeof text === 'string') && Object.keys(rest).length === 0;
};

/** As it was written here: to prove ten thousand marks field by field is a tenth of a second. */
const toldShare: z.ZodType<ToldShare> = z.strictObject({
  marks: z.custom<ToldShare['marks']>(
    (told) => isRecord(told) && Object.values(told).every(isMark),
  ),
  pruning: z.array(z.int()),
  commented: z.array(z.int()),
  wholeAs: z.string().nullable(),
});
const isRecord = (told: unknown): told is Readonly<Record<string, unknown>> =>
  typeof told === 'object' && told !== null && !Array.isArray(told);
const ENDS: ReadonlySet<unknown> = new Set(['exit', 'cut', 'copied', 'uncopied']);
function isMark(told: unknown): boolean {
  if (!isRecord(told)) return false;
  const { beganAtMs, times, end } = told as Partial<CellMark>;
  if (typeof beganAtMs !== 'number' || typeof times !== 'number') return false;
  return end === null || (isRecord(end) && ENDS.has(end.kind) && typeof end.atMs === 'number');
}

export interface SweepBookOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  readonly onProblem: (found: Problem) => void;
  readonly onChanged: () => void;
}

const toldKey = (run: string): string => `sweep-told ${run}`;

/** What this app knows of sweeps. A cache: the boxes know each of them, too. */
export class SweepBook {
  readonly #options: SweepBookOptions;
  readonly #sweeps = new Map<string, KeptSweep>();
  /** What was just written is not read back and checked once more: of ten thousand cells, nobody is answered meanwhile. */
  readonly #fresh = new Map<string, SweepRoster>();

  constructor(options: SweepBookOptions) {
    this.#options = options;
    for (const id of this.#read('sweeps', ids) ?? []) {
      const kept = this.#read(`sweep ${id}`, keptSweep);
      if (kept !== null) this.#sweeps.set(id, kept);
    }
  }

  get sweeps(): readonly KeptSweep[] {
    return [...this.#sweeps.values()];
  }

  get lines(): readonly SweepLine[] {
    return this.sweeps
      .map(({ id, name, cells, launchedAtMs, shares }) => ({
        ...{ id, name, cells, launchedAtMs },
        boxIds: [...new Set(shares.flatMap((share) => share.boxId ?? []))],
      }))
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  of(id: string): KeptSweep | null {
    return this.#sweeps.get(id) ?? null;
  }

  /** All that is to be done, for whoever keeps it; null: it cannot be read here any more. */
  async rosterOf(id: string): Promise<SweepRoster | null> {
    const fresh = this.#fresh.get(id);
    this.#fresh.delete(id);
    if (fresh !== undefined) return fresh;
    const key = `sweep-roster ${id}`;
    const read = this.#read(key, keptRoster);
    await nextTurn();
    if (read === null || digestOf(read) === this.of(id)?.digest) return read;
    this.#options.onProblem(
      problem(
        'sweep-not-read',
        'The cells of a sweep, as this computer kept them, were changed since its launch.',
      ),
    );
    this.#options.entries.setAside('', key, Date.now());
    return null;
  }

  /** Before anything of it is sent, so that a run that came to be is known whatever happens to this app. `from`: of one that is new here. */
  begin(roster: SweepRoster, { digest, ...from }: BegunSweep, shares: readonly KeptShare[]): void {
    const { id, name, cells } = roster;
    const known = this.of(id);
    if (known === null) {
      this.#write(`sweep-roster ${id}`, roster);
      this.#fresh.set(id, roster);
    }
    const base = known ?? {
      ...{ id, name, cells: cells.length, push: from.push },
      ...(from.readFrom === undefined ? {} : { readFrom: from.readFrom }),
      ...(from.code === undefined ? {} : { code: from.code }),
      launchedAtMs: Date.now(),
      digest,
      shares: [],
    };
    const had = new Set(base.shares.map(({ run }) => run));
    const added = shares.filter(({ run }) => !had.has(run));
    if (known === null || added.length > 0)
      this.#put({ ...base, shares: [...base.shares, ...added] });
  }

  /** A box has shown this run. */
  seen(id: string, run: string, boxId: string): void {
    const known = this.of(id);
    const share = known?.shares.find((each) => each.run === run);
    if (known === null || share === undefined) return;
    if (share.boxId === boxId && share.wasThere) return;
    const shares = known.shares.map((each) =>
      each.run === run ? { ...each, boxId, wasThere: true } : each,
    );
    this.#put({ ...known, shares });
  }

  /** What the run of a share last told; null: nothing that is known here. */
  toldOf(run: string): ToldShare | null {
    return this.#read(toldKey(run), toldShare);
  }

  keepTold(run: string, told: ToldShare): void {
    this.#write(toldKey(run), told);
  }

  #put(kept: KeptSweep): void {
    const isNew = !this.#sweeps.has(kept.id);
    this.#sweeps.set(kept.id, kept);
    this.#write(`sweep ${kept.id}`, kept);
    if (isNew) {
      const all = [...this.#sweeps.keys()].sort();
      for (const old of all.slice(0, -MAX_SWEEPS)) this.#sweeps.delete(old);
      this.#write('sweeps', all.slice(-MAX_SWEEPS));
    }
    this.#options.onChanged();
  }

  #read<T>(key: string, schema: z.ZodType<T>): T | null {
    const { entries, onProblem } = this.#options;
    const read = entries.read('', key, schema);
    if (read.ok) return read.value;
    onProblem(read.error);
    entries.setAside('', key, Date.now());
    return null;
  }

  #write(key: string, value: unknown): void {
    const { entries, onProblem } = this.#options;
    const written = entries.write('', key, value, Date.now());
    if (!written.ok) onProblem(written.error);
  }
}
