import { join } from 'node:path';
import { checkWords } from '../../shared/evidence/chain-words.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import type { Workers } from '../workers/workers.ts';
import { lookHere, type FoundHere } from './look-here.ts';

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
const FILES_AT_ONCE = 2;

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
    if (chain.value.fault === null) return ok(null);
    const said = `The evidence was changed behind Leasehold’s back. ${checkWords(chain.value)}`;
    return err(problem('database-corrupt', said));
  }

  /** Reads all of them; those that do not stand, in their order. What nobody could read to its end is a problem, and no fault of a copy. */
  async check(
    copies: readonly ProvenCopy[],
    options: HomeCheckOptions,
  ): Promise<Result<readonly HomeFault[], Problem>> {
    const record = await this.checkRecord();
    if (!record.ok) return record;
    const because = new Map<number, string>();
    const waiting = copies.entries();
    let unread: Problem | null = null;
    const lane = async (): Promise<void> => {
      for (const [at, copy] of waiting) {
        if (unread !== null || options.signal.aborted) return;
        const found = await this.#fault(copy, options);
        if (!found.ok) unread = found.error;
        else if (found.value !== null) because.set(at, found.value);
        options.onFile();
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
    if (options.signal.aborted) {
      return err(problem('aborted', 'You stopped the check of the copies.'));
    }
    if (unread !== null) return err(unread);
    return ok(
      copies.flatMap(({ file: { path } }, at) => {
        const found = because.get(at);
        return found === undefined ? [] : [{ path, because: found }];
      }),
    );
  }

  async #fault(
    { to, file }: ProvenCopy,
    { signal, onBytes }: HomeCheckOptions,
  ): Promise<Result<string | null, Problem>> {
    const here = await lookHere(to, file.path);
    if (here.kind !== 'file') return ok(whyNoCopy(here));
    let told = 0;
    const add = (done: number): void => {
      onBytes(done - told);
      told = done;
    };
    const path = join(to, ...file.path.split('/'));
    const read = await this.#workers.run(
      'prove-file',
      { path, name: null },
      { signal, onProgress: add },
    );
    if (!read.ok) {
      return read.error.code === 'job-failed' ? ok('its copy here cannot be read') : read;
    }
    add(read.value.sizeBytes);
    return ok(read.value.sha256 === file.sha256 ? null : 'its copy here has other bytes now');
  }
}

/** SECURITY: behind a link there may be the same bytes on the box itself, which are no copy. */
function whyNoCopy(here: Exclude<FoundHere, { readonly kind: 'file' }>): string {
  switch (here.kind) {
    case 'gone':
      return 'its copy here is gone';
    case 'not-a-file':
      return 'its copy here is no longer a regular file';
    case 'linked':
      return `its copy here is only reached over a link, ${here.folder}`;
    case 'denied':
      return `its copy here cannot be looked at (${here.errno})`;
  }
}
