import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Command, CommandContext, CommandInput, ExitCode } from './command.ts';
import { commandHelp, generalHelp, helpJson, PROGRAM, usageLine } from './help.ts';

/** `argv` is what follows the program's name. */
export async function runCli(
  argv: readonly string[],
  commands: readonly Command[],
  context: CommandContext,
): Promise<ExitCode> {
  const { words, rest } = splitWords(argv);
  if (words[0] === 'help') return help(words.slice(1), rest.includes('--json'), commands, context);
  if (words.length === 0 && rest.some((flag) => flag === '--help' || flag === '-h')) {
    return help([], rest.includes('--json'), commands, context);
  }
  const command = findCommand(words, commands);
  if (command === undefined) return refuseCommand(words, rest, commands, context);

  const typed = [...words.slice(command.name.split(' ').length), ...rest];
  const input = parseInput(command, typed);
  if (!input.ok) return refuse(input.error, command, context);
  if (input.value === 'help') return help(command.name.split(' '), false, commands, context);
  const end = await command.run(input.value, context);
  return typeof end === 'number' ? end : refuse(end.refused, command, context);
}

/** The words of the command's name come first; --json may stand before them. */
function splitWords(argv: readonly string[]): {
  readonly words: readonly string[];
  readonly rest: readonly string[];
} {
  const first = argv.findIndex((word) => word !== '--json');
  const words = argv.slice(first < 0 ? argv.length : first);
  const end = words.findIndex((word) => word.startsWith('-'));
  const before = argv.slice(0, argv.length - words.length);
  return end < 0
    ? { words, rest: before }
    : { words: words.slice(0, end), rest: [...before, ...words.slice(end)] };
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));
}

/** The commands that begin with these words. */
function listGroup(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => words.every((word, i) => name.split(' ')[i] === word));
}

function parseInput(
  command: Command,
  typed: readonly string[],
): Result<CommandInput | 'help', string> {
  const own = Object.entries(command.flags).map(
    ([name, { value, isRepeated = false }]) =>
      [
        name,
        {
          type: value === null ? ('boolean' as const) : ('string' as const),
          multiple: isRepeated,
        },
      ] as const,
  );
  const options = {
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
    ...Object.fromEntries(own),
  };
  let parsed;
  try {
    parsed = parseArgs({ args: [...typed], options, allowPositionals: true, strict: true });
  } catch (cause) {
    if (cause instanceof TypeError && 'code' in cause) return err(cause.message);
    throw cause;
  }
  const { positionals } = parsed;
  const values: Readonly<Record<string, unknown>> = parsed.values;
  if (values['help'] === true) return ok('help');
  const required = command.operands.filter((operand) => !operand.startsWith('['));
  if (positionals.length < required.length) {
    return err(`${required[positionals.length] ?? ''} is missing.`);
  }
  const takesMore = command.operands.at(-1)?.endsWith('…') === true;
  if (positionals.length > command.operands.length && !takesMore) {
    return err(`"${positionals[command.operands.length] ?? ''}" is one word too many.`);
  }
  const flags = new Map<string, string>();
  const repeated = new Map<string, readonly string[]>();
  for (const name of Object.keys(command.flags)) {
    const value = values[name];
    if (Array.isArray(value)) repeated.set(name, value.map(String));
    else if (value !== undefined) flags.set(name, typeof value === 'string' ? value : '');
  }
  return ok({ operands: positionals, isJson: values['json'] === true, flags, repeated });
}

async function help(
  words: readonly string[],
  isJson: boolean,
  commands: readonly Command[],
  context: CommandContext,
): Promise<ExitCode> {
  const named = listGroup(words, commands);
  if (named.length === 0) return refuseCommand(words, [], commands, context);
  const [only] = named;
  if (isJson) await context.out.json(helpJson(named));
  else if (named.length === 1 && only !== undefined) await context.out.lines(commandHelp(only));
  else await context.out.lines(generalHelp(named));
  return 0;
}

/** No such command, or only half of one. */
async function refuseCommand(
  words: readonly string[],
  rest: readonly string[],
  commands: readonly Command[],
  context: CommandContext,
): Promise<ExitCode> {
  const group = words.length === 0 ? [] : listGroup(words.slice(0, 1), commands);
  if (words.length === 1 && group.length > 0 && rest.some((flag) => flag === '--help')) {
    return help(words, rest.includes('--json'), commands, context);
  }
  const unknown = words.length === 0 ? rest.find((flag) => flag !== '--json') : words.join(' ');
  await context.err.line(
    unknown === undefined
      ? `${PROGRAM}: a command is missing.`
      : `${PROGRAM}: there is no command "${unknown}".`,
  );
  await context.err.lines(generalHelp(group.length > 0 ? group : commands));
  return 2;
}

async function refuse(
  sentence: string,
  command: Command,
  { err: writer }: CommandContext,
): Promise<ExitCode> {
  await writer.lines([`${PROGRAM} ${command.name}: ${sentence}`, usageLine(command)]);
  return 2;
}
