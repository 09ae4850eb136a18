import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { RunFailure, RunOutcome } from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export type OnboxScript =
  'find-services.sh' | 'tensorboard-start.sh' | 'tensorboard-stop.sh' | 'link-folder.sh';

/** Names of the environment that the scripts take their values from. */
export type OnboxValues = Readonly<Record<`LEASEHOLD_${string}`, string>>;

const MAX_CHARS = 512 * 1024;

/** Runs scripts of resources/onbox on a box. */
export class OnboxScripts {
  readonly #folder: string;
  readonly #texts = new Map<OnboxScript, Promise<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The values and the script itself go over stdin: none of them ever is part of a command line, where quoting could fail
   * and everybody on the box could read it. `read` takes exactly its own line, so the shell after it gets the rest.
   */
  async run(
    connection: SshConnection,
    script: OnboxScript,
    values: OnboxValues = {},
    timeoutMs = 30_000,
  ): Promise<Result<RunOutcome, RunFailure>> {
    const names = Object.keys(values).sort();
    const lines = names.map((name) => values[name as keyof OnboxValues] ?? '');
    if (lines.some((line) => /[\r\n\0]/.test(line))) {
      const refused = problem('bad-input', 'A line break cannot be part of this value.');
      return err({ ...refused, mayHaveRun: false });
    }
    const reads = names.map((name) => `IFS= read -r ${name}; export ${name}; `).join('');
    const text = await this.#read(script);
    return connection.run(`${reads}exec sh -s`, {
      input: [...lines, text].join('\n'),
      timeoutMs,
      maxChars: MAX_CHARS,
    });
  }

  #read(script: OnboxScript): Promise<string> {
    const known = this.#texts.get(script);
    if (known !== undefined) return known;
    const reading = readFile(join(this.#folder, script), 'utf8');
    this.#texts.set(script, reading);
    return reading;
  }
}
