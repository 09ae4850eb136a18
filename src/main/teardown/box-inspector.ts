import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { FoundOnBox } from '../../shared/teardown/found-on-box.ts';
import type { CopiesRead, Inspection } from '../../shared/teardown/inspection.ts';
import {
  copiesOf,
  digestInSteps,
  judgeFilesInSteps,
} from '../../shared/teardown/blockers/result-files.ts';
import {
  blockedUnseen,
  judgeInspectionInSteps,
  withoutReturned,
} from '../../shared/teardown/judge-inspection.ts';
import type { ProofNeed } from '../../shared/teardown/proof-holds.ts';
import type { TeardownDoing } from '../../shared/teardown/teardown-view.ts';
import { sha256 } from '../storage/sha256.ts';
import { doInTurns } from '../streams/in-turns.ts';
import { untilAborted } from '../streams/until-aborted.ts';
import type { HomeCheck } from '../transfer/home-check.ts';
import { readCopies } from './copies.ts';
import { countCopies } from './count-copies.ts';
import { stampsOf } from './copy-stamps.ts';
import { inspectBox, type InspectionSources } from './inspect-box.ts';
import type { TeardownRecords } from './teardown-records.ts';

export interface InspectorOptions extends InspectionSources {
  readonly home: Pick<HomeCheck, 'check' | 'checkRecord'>;
  readonly records: Pick<TeardownRecords, 'losses' | 'appendLosses'>;
  /** A count that nobody sets. */
  readonly monoMs: () => number;
  /** How long a reading of the copies counts. */
  readonly proofHoldsMs: () => number;
  /** How far they have to be proven. */
  readonly proofNeeds: () => ProofNeed;
}

type TellDoing = (doing: TeardownDoing) => void;

/** Looks at one box, and remembers when the copies of what it has were read last. */
export class BoxInspector {
  readonly #boxId: string;
  readonly #options: InspectorOptions;
  #read: CopiesRead | null = null;

  constructor(boxId: string, options: InspectorOptions) {
    this.#boxId = boxId;
    this.#options = options;
  }

  /** Null: it was stopped. */
  inspectUntil(signal: AbortSignal, tell: TellDoing): Promise<Inspection | null> {
    const tellStill: TellDoing = (doing) => {
      if (!signal.aborted) tell(doing);
    };
    return untilAborted(this.inspect(tellStill, signal), signal);
  }

  async inspect(tell: TellDoing = () => undefined, signal?: AbortSignal): Promise<Inspection> {
    const { home, records, monoMs, proofHoldsMs, proofNeeds } = this.#options;
    const record = await home.checkRecord();
    const found = await this.#find(tell, signal);
    const losses = records.losses(this.#boxId);
    if (!found.ok) return blockedUnseen(found.error.message, { atMs: Date.now(), sha256 });
    if (!losses.ok) return blockedUnseen(losses.error.message, { atMs: Date.now(), sha256 });
    const judged = await doInTurns(judgeFilesInSteps(found.value));
    // Last: a copy that is written to from here on is one that was whole when the box was ended.
    const stamps = await stampsOf(copiesOf(judged));
    const beside = {
      ...{ atMs: Date.now(), monoMs: monoMs(), holdsMs: proofHoldsMs() },
      ...{ sha256, losses: losses.value, needs: proofNeeds() },
      ...{ read: this.#read, stamps, evidenceFault: record.ok ? null : faultWords(record.error) },
    };
    const inspection = await doInTurns(judgeInspectionInSteps(found.value, judged, beside));
    const struck = this.#strikeReturned(inspection);
    return struck.ok
      ? inspection
      : blockedUnseen(struck.error.message, { atMs: Date.now(), sha256 });
  }

  /** Reads the copies on this computer again, byte by byte. */
  async readCopies(signal: AbortSignal, tell: TellDoing): Promise<Result<null, Problem>> {
    const { runs, home, monoMs: mono } = this.#options;
    const found = await this.#find(tell, signal);
    if (!found.ok) return found;
    const judged = await doInTurns(judgeFilesInSteps(found.value));
    const copies = copiesOf(judged);
    const [atMs, monoMs] = [Date.now(), mono()];
    const stamps = await stampsOf(copies);
    const sources = { boxId: this.#boxId, runs, home };
    const faults = await readCopies(judged, sources, { signal, ...countCopies(copies, tell) });
    if (!faults.ok) return faults;
    const of = await doInTurns(digestInSteps(copies, sha256));
    const { machine } = found.value;
    this.#read = { atMs, monoMs, machine, copies: of, stamps, faults: faults.value };
    return ok(null);
  }

  /** Kept at once: what is away again at the next look is asked about again. */
  #strikeReturned({ blockers }: Inspection): Result<null, Problem> {
    const { records } = this.#options;
    const kept = records.losses(this.#boxId);
    if (!kept.ok) return kept;
    const held = withoutReturned(kept.value, blockers);
    if (held.length === kept.value.length) return ok(null);
    const struck = records.appendLosses(this.#boxId, held);
    return struck.ok ? ok(null) : struck;
  }

  #find(tell: TellDoing, signal?: AbortSignal): Promise<Result<FoundOnBox, Problem>> {
    return inspectBox(this.#boxId, this.#options, {
      tell: (progress) => tell({ kind: 'inspecting', ...progress }),
      ...(signal !== undefined && { signal }),
    });
  }
}

/** A record that nobody could read to its end has a way out of its own; one that is not what was written has that of its blocker. */
const faultWords = ({ code, message, nextStep }: Problem): string =>
  code === 'database-unavailable' ? `${message} ${nextStep}` : message;
