import type { ChainFault } from '../../shared/evidence/chain.ts';
import { checkWords, faultWords } from '../../shared/evidence/chain-words.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { HEAD } from '../storage/evidence-head.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import type { Workers } from '../workers/workers.ts';

/** A file that the evidence says is here, and where. */
export interface ProvenCopy {
  readonly to: string;
  readonly file: Pick<PulledFile, 'path' | 'bytes' | 'sha256'>;
}

/** A copy that is not what was proven; a clause about it. */
export interface HomeFault {
  readonly path: string;
  readonly because: string;
}

export interface HomeCheckOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  readonly onFile: () => void;
}

/** As many as there are workers. */
const BATCHES_AT_ONCE = 2;
/** A message to a worker and back takes longer than to read a small file. */
const MOST_IN_BATCH = 256;
const MOST_BATCH_BYTES = 64 * 1024 * 1024;

/** Whether what was proven to be here still is: the record as it was written, and each copy by its bytes. What is deleted on a box rests on this. */
export class HomeCheck {
  readonly #workers: Pick<Workers, 'run'>;
  readonly #evidence: Pick<EvidenceTable, 'check'>;

  constructor(workers: Pick<Workers, 'run'>, evidence: Pick<EvidenceTable, 'check'>) {
    this.#workers = workers;
    this.#evidence = evidence;
  }

  /** Whether each entry of the evidence is what was written. */
  async checkRecord(): Promise<Result<null, Problem>> {
    const chain = await this.#evidence.check();
    if (!chain.ok) return chain;
    const { fault } = chain.value;
    if (fault === null) return ok(null);
    if (fault.because === 'cut-off') return err(problem('database-corrupt', olderCopy(fault)));
    if (fault.because === 'empty') return err(problem('database-corrupt', FROM_BEFORE_ALL));
    const said = `${faultWords(fault)} ${checkWords(chain.value)}`;
    return err(problem('database-corrupt', said));
  }

  /** Reads all of them; those that do not stand, in their order. What nobody could read to its end is a problem, and no fault of a copy. */
  async check(
    copies: readonly ProvenCopy[],
    options: HomeCheckOptions,
  ): Promise<Result<readonly HomeFault[], Problem>> {
    const record = await this.checkRecord();
    if (!record.ok) return record;
    const because = new Map<ProvenCopy, string>();
    const waiting = inBatches(copies).values();
    let unread: Problem | null = null;
    const lane = async (): Promise<void> => {
      for (const batch of waiting) {
        if (unread !== null || options.signal.aborted) return;
        const found = await this.#faults(batch, options);
        if (!found.ok) unread = found.error;
        else
          for (const [at, said] of found.value.entries()) {
            const copy = batch[at];
            if (said !== null && copy !== undefined) because.set(copy, said);
          }
      }
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, lane));
    if (options.signal.aborted) {
      return err(problem('aborted', 'You stopped the check of the copies.'));
    }
    if (unread !== null) return err(unread);
    return ok(
      copies.flatMap((copy) => {
        const said = because.get(copy);
        return said === undefined ? [] : [{ path: copy.file.path, because: said }];
      }),
    );
  }

  async #faults(
    batch: readonly ProvenCopy[],
    { signal, onBytes, onFile }: HomeCheckOptions,
  ): Promise<Result<readonly (string | null)[], Problem>> {
    let told = 0;
    const add = (done: number): void => {
      onBytes(done - told);
      told = done;
    };
    const input = {
      to: batch[0]?.to ?? '',
      files: batch.map(({ file: { path, sha256 } }) => ({ path, sha256 })),
    };
    const read = await this.#workers.run('check-copies', input, { signal, onProgress: add });
    if (!read.ok) return read;
    add(read.value.bytes);
    for (const _ of batch) onFile();
    return ok(read.value.because);
  }
}

const PUT_BACK =
  'Quit Leasehold, and put back a newer copy. ' +
  `If there is none, move ${DATABASE_FILE}${HEAD} out of the data folder: then what was proven, accepted, taken back or ended after this copy was made is not known here.`;

/** Whoever put it back is not told to put it back. */
const olderCopy = ({ seq }: ChainFault): string =>
  `This is an older copy of the database: entry ${String(seq)} of the evidence was written and is not in it. ${PUT_BACK}`;

const FROM_BEFORE_ALL = `This may be an older copy of the database, from before the first entry of the evidence: it has none, and its note is about databases that had some. ${PUT_BACK}`;

/** Those below one folder together, and as many as are read in a moment: what is stopped ends with its batch. */
function inBatches(copies: readonly ProvenCopy[]): readonly (readonly ProvenCopy[])[] {
  const batches: ProvenCopy[][] = [];
  let bytes = 0;
  for (const copy of copies) {
    const last = batches.at(-1);
    const isFull =
      last === undefined ||
      last.length >= MOST_IN_BATCH ||
      bytes + copy.file.bytes > MOST_BATCH_BYTES ||
      last[0]?.to !== copy.to;
    if (isFull) {
      batches.push([copy]);
      bytes = 0;
    } else last.push(copy);
    bytes += copy.file.bytes;
  }
  return batches;
}
