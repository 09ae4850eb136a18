import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import type { OpenedRequest, SavedRequest } from '../../../shared/runs/request/opened-request.ts';
import type { WantedRun } from '../../../shared/runs/request/wanted-run.ts';
import { REQUEST_FILE } from '../../../shared/runs/request/request-file-schema.ts';
import { replaceFile } from '../../storage/atomic-file.ts';
import { fileProblem } from '../../storage/file-problem.ts';
import { readRequestFile } from './read-request.ts';
import { requestText } from './write-request.ts';

export interface RequestFilesOptions {
  readonly chooseRequestFile: () => Promise<string | null>;
  readonly chooseFolder: () => Promise<string | null>;
  readonly chooseFile: (suggested: string, kind: 'yaml') => Promise<string | null>;
}

/** Request files of this machine that the person chose in the system's own dialog. */
export class RequestFiles {
  readonly #options: RequestFilesOptions;
  /** Until Leasehold quits. */
  readonly #chosen = new Set<string>();

  constructor(options: RequestFilesOptions) {
    this.#options = options;
  }

  async open(): Promise<Result<OpenedRequest, Problem>> {
    const file = await this.#options.chooseRequestFile();
    if (file === null) return ok({ kind: 'cancelled' });
    const read = await readRequestFile(file);
    this.#chosen.add(dirname(file));
    return ok(
      read.ok
        ? { kind: 'read', file, ...read.value }
        : { kind: 'faults', file, faults: read.error },
    );
  }

  /** A folder whose code is to be pushed; null: cancelled. */
  async chooseFolder(): Promise<Result<string | null, Problem>> {
    const folder = await this.#options.chooseFolder();
    if (folder !== null) this.#chosen.add(folder);
    return ok(folder);
  }

  /**
   * SECURITY: only what the person has shown in the system's own dialog, and what lies in there, leaves this machine. A foreign
   * project may name a link of its own that leads somewhere else.
   */
  async judge({ push }: Pick<RunRequest, 'push'>): Promise<Result<null, Problem>> {
    if (push === undefined) return ok(null);
    const from = await realPathOf(push.from);
    const chosen = await Promise.all([...this.#chosen].map(realPathOf));
    const isIn = (folder: string): boolean => {
      const way = relative(folder, from);
      return !isAbsolute(way) && !way.split(sep).includes('..');
    };
    if (chosen.some(isIn)) return ok(null);
    return err(
      problem(
        'code-not-read',
        `The folder ${push.from} was not chosen since Leasehold was started.`,
        {
          nextStep: 'Choose the folder, or open the request file, once more.',
        },
      ),
    );
  }

  async save(wanted: WantedRun): Promise<Result<SavedRequest, Problem>> {
    const file = await this.#options.chooseFile(REQUEST_FILE, 'yaml');
    if (file === null) return ok({ kind: 'cancelled' });
    const text = requestText(wanted, file);
    if (!text.ok) return text;
    try {
      await replaceFile(file, text.value);
      return ok({ kind: 'saved', file });
    } catch (cause) {
      const failed = 'The request was not saved';
      const found = fileProblem(cause, { failed, file, otherwise: 'export-failed' });
      return err({ ...found, nextStep: 'Choose another folder and save it again.' });
    }
  }
}

/** What is not there leads nowhere: whoever reads it says so. */
function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
