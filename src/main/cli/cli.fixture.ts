import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command, CommandContext, ExitCode } from './command.ts';
import { commands as allCommands } from './commands.ts';
import { runCli } from './run-cli.ts';
import { Writer } from './writer.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A stream that remembers what was written to it. */
export class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface Ran {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** The command line inside this process: everything but the outermost file is the real thing. */
export async function run(
  argv: readonly string[],
  given: Partial<Pick<CommandContext, 'env' | 'platform' | 'root'>> & {
    readonly stdin?: Iterable<string | Uint8Array>;
    readonly commands?: readonly Command[];
  } = {},
): Promise<Ran> {
  const out = new Sink();
  const err = new Sink();
  const code = await runCli(argv, given.commands ?? allCommands, {
    out: new Writer(out),
    err: new Writer(err),
    stdin: Readable.from([...(given.stdin ?? [])].map((piece) => Buffer.from(piece))),
    env: given.env ?? {},
    platform: given.platform ?? 'linux',
    root: given.root ?? ROOT,
  });
  return { code, out: out.text, err: err.text };
}
