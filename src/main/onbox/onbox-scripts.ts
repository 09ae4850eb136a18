import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { linesBehindMark } from '../../shared/runs/launch/marked-parts.ts';
import type { Secret } from '../secrets/secret.ts';
import type { FastLane } from '../ssh/fast-lane.ts';
import type { Received, Receiving } from '../ssh/lane-receive.ts';
import type {
  BytesOutcome,
  RunBytesOptions,
  RunFailure,
  RunOptions,
  RunOutcome,
} from '../ssh/run-command.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export type OnboxScript =
  | 'find-services.sh'
  | 'listening-ports.sh'
  | 'tensorboard-start.sh'
  | 'tensorboard-log.sh'
  | 'tensorboard-stop.sh'
  | 'link-folder.sh'
  | 'gpu-facts.sh'
  | 'patrol.sh'
  | 'sentinel.sh'
  | 'list-mounts.sh'
  | 'measure-mounts.sh'
  | 'gpu-holders.sh'
  | 'slurm-jobs.sh'
  | 'end-processes.sh'
  | 'send-secret.sh'
  | 'sent-secrets.sh'
  | 'push-arm.sh'
  | 'push-test.sh'
  | 'push-waiters.sh'
  | 'run-preflight.sh'
  | 'run-savers.sh'
  | 'real-places.sh'
  | 'run-launch.sh'
  | 'run-look.sh'
  | 'run-log.sh'
  | 'log-find.sh'
  | 'files-find.sh'
  | 'files-outside.sh'
  | 'secrets-find.sh'
  | 'teardown-order.sh'
  | 'secrets-remove.sh'
  | 'run-end.sh'
  | 'run-resume.sh'
  | 'run-decline.sh'
  | 'run-machine-gone.sh'
  | 'run-results.sh'
  | 'link-targets.sh'
  | 'result-file.sh'
  | 'result-files.sh'
  | 'hash-many.sh'
  | 'weigh-folders.sh'
  | 'queue-look.sh'
  | 'queue-add.sh'
  | 'queue-control.sh'
  | 'cell-tails.sh'
  | 'cell-files.sh'
  | 'cell-parts.sh'
  | 'sweep-read.sh'
  | 'sweep-results.sh'
  | 'tree-look.sh'
  | 'tree-record.sh'
  | 'tree-receive.sh'
  | 'tree-place.sh';

/** Names of the environment that the scripts take their values from. */
export type OnboxValues = Readonly<Record<`LEASEHOLD_${string}`, string>>;

const MAX_CHARS = 512 * 1024;

/**
 * How a script names what it shares with others. The part's text goes in place of the line: on the box there is no file
 * that it could be read from.
 */
const PART = /^\. \.\/(parts\/[a-z-]+\.sh)$/gm;

/**
 * Lines that only explain, and indentation. They are for readers here: each patrol would carry them over the link, and a bash
 * that reads its script from a pipe asks for every byte by itself. What a script writes into a file is for whoever finds it there,
 * and stays as it is.
 */
const UNSAID = /<<'([A-Z]+)'[^]*?\n\1\n|^[ \t]*#.*\n|^[ \t]*\n|^[ \t]+/gm;

/**
 * A bash would ask a pipe for each byte of its script, which costs more than one process that reads all of it. A script that asks
 * for its own number has a shell of its own: where main's command stands in brackets, "$$" is another one's.
 */
const startOf = (text: string): string =>
  text.includes('$$')
    ? 'exec sh -s'
    : 'case ${BASH_VERSION-} in "") exec sh -s;; esac; t=$(cat) && eval "$t"';

/** Where a script ends and what it is given after it begins. */
const END = '#leasehold:end-of-script';
/** Longer ones are worth a question to the box's `head`. */
const LINE_BY_LINE_BYTES = 8192;
/**
 * Reads the script and runs it with what is left of stdin: a shell that reads its script from stdin by itself may take a block of it
 * along. Line by line a shell asks for each byte by itself, which takes a bash 0.4 s for the 73 KB that launch a run; of a pipe GNU's
 * `head` takes exactly as much as it is told, and others may take more. A script that was cut off is not run.
 */
const readScript = (bytes: number): string =>
  [
    'n=$(printf "\\nx")',
    'n=${n%x}',
    't=',
    'e=',
    ...(bytes > LINE_BY_LINE_BYTES
      ? [
          `case $(head --version 2>/dev/null </dev/null) in *"GNU coreutils"*) t=$(head -c ${String(bytes)} && printf x) || exit 1; t=\${t%x};; esac`,
        ]
      : []),
    `while IFS= read -r l; do case $l in "${END}") e=1; break;; esac; t=$t$l$n; done`,
    '[ -n "$e" ] || exit 1',
    'eval "$t"',
  ].join('; ');

/** Runs scripts of resources/onbox on a box. */
export class OnboxScripts {
  readonly #folder: string;
  readonly #texts = new Map<OnboxScript, Promise<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The values and the script itself go over stdin: none of them ever is part of a command line, where quoting could fail
   * and everybody on the box could read it. `read` takes exactly its own line, so what comes after it gets the rest.
   */
  async run(
    connection: Pick<SshConnection, 'run'>,
    script: OnboxScript,
    values: OnboxValues = {},
    timeoutMs = 30_000,
    signal?: AbortSignal,
  ): Promise<Result<RunOutcome, RunFailure>> {
    const given = readsOf(values);
    if (!given.ok) return given;
    const { lines, reads } = given.value;
    const text = await this.textOf(script);
    // shell-text: the names of the values, which stand in our own code
    return connection.run(`${reads}${startOf(text)}`, {
      // A file of resources/onbox; the values are data in front of it.
      input: [...lines, text].join('\n'),
      timeoutMs,
      maxChars: MAX_CHARS,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /**
   * The same, with lines that the script finds on its stdin behind itself. SECURITY: a secret goes this way, and is nowhere else:
   * not in the script's environment either.
   */
  async runWithInput(
    connection: Pick<SshConnection, 'run'>,
    script: OnboxScript,
    values: OnboxValues,
    rest: Secret | string,
    {
      signal,
      timeoutMs,
      maxChars = MAX_CHARS,
    }: Pick<RunOptions, 'signal' | 'timeoutMs' | 'maxChars'> = {},
  ): Promise<Result<RunOutcome, RunFailure>> {
    const begun = await this.#begin(script, values);
    if (!begun.ok) return begun;
    const { command, input } = begun.value;
    // shell-text: the names of the values, which stand in our own code
    return connection.run(command, {
      input: input + (typeof rest === 'string' ? rest : rest.reveal()),
      maxChars,
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  /** Reads what a script prints for as long as it takes. Its stdin stays open until then: its end tells it that nobody reads any more. */
  async follow<T>(
    connection: Pick<SshConnection, 'runBytes'>,
    script: OnboxScript,
    values: OnboxValues,
    { read, signal }: Required<Pick<RunBytesOptions<T>, 'read' | 'signal'>>,
  ): Promise<Result<BytesOutcome<T>, RunFailure>> {
    const begun = await this.#begin(script, values);
    if (!begun.ok) return begun;
    const { command, input } = begun.value;
    return connection.runBytes(command, {
      input: thenOpen(Buffer.from(input), signal),
      timeoutMs: null,
      read,
      signal,
    });
  }

  /** Runs a script to its end whose output goes into a file, past this process. `rest`: what stands on its stdin behind itself. */
  async receive(
    lane: Pick<FastLane, 'receive'>,
    script: OnboxScript,
    values: OnboxValues,
    rest: string,
    receiving: Omit<Receiving, 'input'>,
  ): Promise<Result<Received, Problem>> {
    const begun = await this.#begin(script, values);
    if (!begun.ok) return begun;
    const { command, input } = begun.value;
    return lane.receive(command, { ...receiving, input: input + rest });
  }

  /** Runs a script to its end with bytes in both directions: what stands on its stdin behind itself, and what it prints. */
  async stream<T>(
    connection: Pick<SshConnection, 'runBytes'>,
    script: OnboxScript,
    values: OnboxValues,
    rest: AsyncIterable<Uint8Array>,
    { read, signal, timeoutMs, inFlightBytes }: Omit<RunBytesOptions<T>, 'input'>,
  ): Promise<Result<BytesOutcome<T>, RunFailure>> {
    const begun = await this.#begin(script, values);
    if (!begun.ok) return begun;
    const { command, input } = begun.value;
    return connection.runBytes(command, {
      input: thenBytes(Buffer.from(input), rest),
      timeoutMs,
      read,
      ...(signal === undefined ? {} : { signal }),
      ...(inFlightBytes === undefined ? {} : { inFlightBytes }),
    });
  }

  /** The script as it is sent: with the parts that it shares with others in it. */
  textOf(script: OnboxScript): Promise<string> {
    const known = this.#texts.get(script);
    if (known !== undefined) return known;
    const reading = this.#assemble(script);
    this.#texts.set(script, reading);
    return reading;
  }

  async #begin(
    script: OnboxScript,
    values: OnboxValues,
  ): Promise<Result<{ readonly command: string; readonly input: string }, RunFailure>> {
    const given = readsOf(values);
    if (!given.ok) return given;
    const { lines, reads } = given.value;
    const text = `${await this.textOf(script)}\n`;
    return ok({
      command: `${reads}${readScript(Buffer.byteLength(text))}`,
      input: `${[...lines, text].join('\n')}${END}\n`,
    });
  }

  async #assemble(script: OnboxScript): Promise<string> {
    const text = await readFile(join(this.#folder, script), 'utf8');
    const parts = new Map<string, string>();
    for (const [, part = ''] of text.matchAll(PART)) {
      const whole = await readFile(join(this.#folder, part), 'utf8');
      parts.set(part, whole.replace(/^#!.*\n/, '').trimEnd());
    }
    return text
      .replace(PART, (line, part: string) => parts.get(part) ?? line)
      .replace(UNSAID, (found) => (found.startsWith('<<') ? found : ''));
  }
}

/** For a script that finds nothing more on its stdin. */
export async function* noInput(): AsyncGenerator<Uint8Array, void> {}

async function* thenBytes(
  bytes: Buffer,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield bytes;
  yield* rest;
}

/** These bytes, and then nothing until somebody has enough. */
async function* thenOpen(bytes: Buffer, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  yield bytes;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** What marks the answers of one run of a script: nothing on the box can know it before. */
export function newMark(): string {
  return `leasehold-${randomBytes(12).toString('hex')}`;
}

/** What a script has printed behind its mark; start-up files may print around it. */
export function afterMark(stdout: string, mark: string): string {
  return [...linesBehindMark(stdout, mark)].map((line) => line.trim()).join('\n');
}

interface Given {
  readonly lines: readonly string[];
  /** Takes exactly those lines from stdin into the environment. */
  readonly reads: string;
}

function readsOf(values: OnboxValues): Result<Given, RunFailure> {
  const names = Object.keys(values).sort();
  const lines = names.map((name) => values[name as keyof OnboxValues] ?? '');
  if (lines.some((line) => /[\r\n\0]/.test(line))) {
    const refused = problem('bad-input', 'A line break cannot be part of this value.');
    return err({ ...refused, mayHaveRun: false });
  }
  return ok({
    lines,
    reads: names.map((name) => `IFS= read -r ${name}; export ${name}; `).join(''),
  });
}
