import { basename } from 'node:path';
import type { Problem, ProblemCode } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Loaded } from '../../shared/verify/loaded.ts';
import { formatNamed } from '../verify/formats.ts';
import type { Jobs } from '../workers/jobs.ts';
import type { Workers } from '../workers/workers.ts';

/** Less is read in the time that it takes to set anything up. */
const FOLLOWED_BYTES = 16 * 1024 * 1024;

/** `writtenNs`: by this computer's clock. */
export type Read = Pick<Jobs['prove-file']['output'], 'sha256' | 'loaded' | 'writtenNs'>;

const OF_THE_READER: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'worker-ended',
  'job-failed',
]);

/** What came home, as a worker reads it. */
export class PartReader {
  readonly #workers: Pick<Workers, 'run'>;
  readonly #signal: AbortSignal;

  constructor(workers: Pick<Workers, 'run'>, signal: AbortSignal) {
    this.#workers = workers;
    this.#signal = signal;
  }

  /** A file that ends its reader is hashed all the same; one without a name is only hashed. */
  async read(path: string, named: string | null): Promise<Result<Read, Problem>> {
    const signal = this.#signal;
    const name = named === null ? null : basename(named);
    const read = await this.#workers.run('prove-file', { path, name }, { signal });
    if (name === null || read.ok || !OF_THE_READER.has(read.error.code)) return read;
    const format = formatNamed(name);
    if (format === null) return read;
    const hashed = await this.#workers.run('prove-file', { path, name: null }, { signal });
    if (!hashed.ok) return hashed;
    const because =
      read.error.code === 'worker-ended'
        ? 'reading it took more memory than Leasehold gives a reader'
        : `its reader failed: ${read.error.detail ?? read.error.message}`;
    const loaded: Loaded = { kind: 'not-loadable', format, because };
    return ok({ ...hashed.value, loaded });
  }

  /** Of a large one, which is hashed while it comes: after that it would take as long again. */
  follow(path: string, name: string | null, bytes: number): Following {
    // The oldest runtime has no AbortSignal.any.
    const stopper = new AbortController();
    const end = (): void => stopper.abort();
    let reading: Promise<Result<Read, Problem>> | null = null;
    return {
      begin: () => {
        if (name === null || bytes < FOLLOWED_BYTES || this.#signal.aborted) return;
        this.#signal.addEventListener('abort', end);
        const asked = { path, name: basename(name), bytes };
        reading = this.#workers.run('prove-growing', asked, {
          signal: stopper.signal,
        });
      },
      read: async (isAsItGrew) => {
        if (!isAsItGrew) end();
        const read = await reading;
        return isAsItGrew && read?.ok === true ? read : this.read(path, name);
      },
      end: () => {
        end();
        this.#signal.removeEventListener('abort', end);
      },
    };
  }
}

/** A worker behind a file that grows. */
export interface Following {
  /** Its part is there, and only grows. */
  begin(): void;
  /** All of it is there. Where it did not only grow, or nobody was free to follow it, it is read anew. */
  read(isAsItGrew: boolean): Promise<Result<Read, Problem>>;
  /** Called once whatever came of it. */
  end(): void;
}
