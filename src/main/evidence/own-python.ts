import { join } from 'node:path';
import { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { PythonAnswer } from '../../shared/verify/python-answer.ts';
import { isPythonFile } from '../../shared/verify/python-files.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { lookHere } from '../transfer/look-here.ts';
import { checkByPython } from '../verify/python-check.ts';
import type { Workers } from '../workers/workers.ts';

export interface OwnPythonOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly workers: Pick<Workers, 'run'>;
  /** What was proven of a run's results when they last came home; null: they never did. */
  readonly proof: (boxId: string, runId: string) => Promise<Result<RunProof | null, Problem>>;
  /** Asks the person which program; null: they cancelled. */
  readonly choose: () => Promise<string | null>;
  /** `resources/verify/python-check.py`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** For no box alone. */
const OF_ALL = '';
const ENTRY = 'own-python';
const entry = z.strictObject({ python: z.string().min(1) });

/** A person's Python, asked of what came home. It is off until they have chosen one, and then it is asked only when they say so. */
export class OwnPython {
  readonly #options: OwnPythonOptions;
  #asking: AbortController | null = null;

  constructor(options: OwnPythonOptions) {
    this.#options = options;
  }

  /** Which was chosen; null: none. */
  chosen(): Result<string | null, Problem> {
    const read = this.#options.entries.read(OF_ALL, ENTRY, entry);
    return read.ok ? ok(read.value?.python ?? null) : read;
  }

  /** SECURITY: by the system's own dialog alone, so that no page can name a program that is run. */
  async choose(): Promise<Result<string | null, Problem>> {
    const python = await this.#options.choose();
    if (python === null) return this.chosen();
    const kept = this.#options.entries.write(OF_ALL, ENTRY, { python }, Date.now());
    return kept.ok ? this.chosen() : kept;
  }

  /** SECURITY: only of a file that came home, by the evidence, and that still has the bytes that were proven. One at a time. */
  async ask(boxId: string, runId: string, path: string): Promise<Result<PythonAnswer, Problem>> {
    const { proof, env, program } = this.#options;
    const python = this.chosen();
    if (!python.ok) return python;
    if (python.value === null) return err(notAsked('No Python was chosen.'));
    if (this.#asking !== null) return err(notAsked('Another file is being loaded already.'));
    const stopper = new AbortController();
    this.#asking = stopper;
    try {
      const proven = await proof(boxId, runId);
      if (!proven.ok) return proven;
      const report = proven.value?.report;
      const file = report?.files.find((each) => each.path === path);
      if (report === undefined || file === undefined || !isPythonFile(file)) {
        return err(notAsked('It is no file of torch that came home.'));
      }
      if ((await lookHere(report.to, path)).kind !== 'file') {
        return err(notAsked('The file is not on this computer any more.'));
      }
      const place = join(report.to, ...path.split('/'));
      const { signal } = stopper;
      const isProven = await this.#hasBytes(place, file.sha256, signal);
      if (!isProven.ok) return isProven;
      if (!isProven.value) {
        return err(notAsked('The file on this computer is not the one that came home.'));
      }
      const answer = await checkByPython({ python: python.value, program, env, signal }, place);
      if (signal.aborted) return ok(answer);
      // Where the system does not close the process in, nothing but this tells that it wrote.
      const isStill = await this.#hasBytes(place, file.sha256, signal);
      if (!isStill.ok) return isStill;
      return isStill.value
        ? ok(answer)
        : err(
            problem(
              'python-not-asked',
              'The file on this computer was changed while your Python had it open. Bring it home again.',
            ),
          );
    } finally {
      this.#asking = null;
    }
  }

  async #hasBytes(
    path: string,
    sha256: string | null,
    signal: AbortSignal,
  ): Promise<Result<boolean, Problem>> {
    const read = await this.#options.workers.run('prove-file', { path, name: null }, { signal });
    return read.ok ? ok(read.value.sha256 === sha256) : read;
  }

  stop(): void {
    this.#asking?.abort();
  }

  close(): void {
    this.stop();
  }
}

const notAsked = (because: string): Problem =>
  problem('python-not-asked', `Your Python was not asked. ${because}`);
