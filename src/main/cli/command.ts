import type { Writer } from './writer.ts';

/** 0 fine, 1 a finding or a refusal, 2 the command line could not be used as it was typed. */
export type ExitCode = 0 | 1 | 2;

/** What a command may touch. Tests hand in their own. */
export interface CommandContext {
  readonly out: Writer;
  readonly err: Writer;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The app's folder, with package.json in it. */
  readonly root: string;
}

export interface Flag {
  /** What `--name` takes: nothing, or one text that the help shows as `<value>`. */
  readonly value: string | null;
  readonly help: string;
  /** It may be given several times. */
  readonly isRepeated?: true;
}

/** What was typed, checked against the command's own list. */
export interface CommandInput {
  readonly operands: readonly string[];
  readonly isJson: boolean;
  /** Of the command's own flags, those that were given; '' for one without a value. */
  readonly flags: ReadonlyMap<string, string>;
  /** Of those that may be given several times, every value in its order. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

/** The operands or flags make no sense, or name a file that cannot be read: exit code 2. */
export interface Refused {
  readonly refused: string;
}

/** One command is one file that exports one of these; `commands.ts` lists them. */
export interface Command {
  /** One or two words: `version`, `read dmon`. */
  readonly name: string;
  readonly summary: string;
  /** What must follow the name, in order, as the help shows it: `<file|->`; the last may end in `…`: one or more. */
  readonly operands: readonly string[];
  /** Besides --json and --help, which every command has. */
  readonly flags: Readonly<Record<string, Flag>>;
  /** Further lines of its help. */
  readonly details: readonly string[];
  readonly run: (input: CommandInput, context: CommandContext) => Promise<ExitCode | Refused>;
}
