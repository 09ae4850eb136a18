import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkWords } from '../../shared/evidence/chain-words.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import { errnoOf } from '../storage/file-problem.ts';
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
const FILES_AT_ONCE = 2;

/** Whether what was proven to be here still is: the record as it was written, and each copy by its bytes. What is deleted on a box rests on this. */
export class HomeCheck {
  readonly #workers: Pick<Workers, 'run'>;
  readonly #evidence: Pick<EvidenceTable, 'check'>;

  constructor(workers: Pick<Workers, 'run'>, evidence: Pick<EvidenceTable, 'check'>) {
    this.#workers = workers;
    this.#evidence = evidence;
  }

  /** Reads all of them; those that do not stand, in their order. */
  async check(
    copies: readonly ProvenCopy[],
    options: HomeCheckOptions,
  ): Promise<Result<readonly HomeFault[], Problem>> {
    const chain = await this.#evidence.check();
    if (!chain.ok) return chain;
    if (chain.value.fault !== null) {
      const said = `The evidence was changed behind Leasehold’s back. ${checkWords(chain.value)}`;
      return err(problem('database-corrupt', said));
    }
    const because = new Map<number, string>();
    const waiting = copies.entries();
    const lane = async (): Promise<void> => {
      for (const [at, copy] of waiting) {
        if (options.signal.aborted) return;
        const found = await this.#fault(copy, options);
        if (found !== null) because.set(at, found);
        options.onFile();
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, lane));
    if (options.signal.aborted) {
      return err(problem('aborted', 'Reading the copies on this computer was stopped.'));
    }
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
  ): Promise<string | null> {
    const path = join(to, ...file.path.split('/'));
    try {
      // SECURITY: a link, which could lead to the same bytes on the box itself, is no copy.
      if (!(await lstat(path)).isFile()) return 'its copy here is no plain file any more';
    } catch (cause) {
      const errno = errnoOf(cause);
      if (errno === null) throw cause;
      return errno === 'ENOENT' || errno === 'ENOTDIR'
        ? 'its copy here is gone'
        : `its copy here cannot be looked at (${errno})`;
    }
    let told = 0;
    const add = (done: number): void => {
      onBytes(done - told);
      told = done;
    };
    const read = await this.#workers.run(
      'prove-file',
      { path, name: null },
      { signal, onProgress: add },
    );
    if (!read.ok) return 'its copy here cannot be read';
    add(read.value.sizeBytes);
    return read.value.sha256 === file.sha256 ? null : 'its copy here has other bytes now';
  }
}
