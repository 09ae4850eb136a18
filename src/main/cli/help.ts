import type { Command } from './command.ts';
import { tableLines } from './table.ts';

/** The name that help and refusals use; from a clone it is `npm run -s cli --`. */
export const PROGRAM = 'leasehold';

export function usageLine(command: Command): string {
  const flags = Object.entries(command.flags).map(
    ([name, { value, isRepeated }]) =>
      (value === null ? `[--${name}]` : `[--${name} <${value}>]`) +
      (isRepeated === true ? '…' : ''),
  );
  return [`Usage: ${PROGRAM}`, command.name, ...command.operands, ...flags, '[--json]'].join(' ');
}

export function commandHelp(command: Command): readonly string[] {
  const flags: readonly (readonly [string, string])[] = [
    ...Object.entries(command.flags).map(([name, { help }]) => [`--${name}`, help] as const),
    ['--json', 'prints exact JSON instead of text for people'],
    ['--help', 'prints this'],
  ];
  const width = Math.max(...flags.map(([name]) => name.length)) + 1;
  return [
    `${command.name}: ${command.summary}`,
    '',
    usageLine(command),
    ...(command.operands.includes('<file|->') ? ['A single - reads the standard input.'] : []),
    '',
    ...flags.map(([name, help]) => `  ${name.padEnd(width)}${help}`),
    ...(command.details.length > 0 ? ['', ...command.details] : []),
  ];
}

export function generalHelp(commands: readonly Command[]): readonly string[] {
  return [
    `Usage: ${PROGRAM} <command> [--json] [--help]`,
    'From a clone: npm run -s cli -- <command>',
    '',
    ...tableLines(
      ['command', 'what it does'],
      [
        ...commands.map(({ name, summary }) => [name, summary]),
        ['help', 'prints this, or the help of the command that follows'],
      ],
    ),
    '',
    'Exit codes: 0 fine, 1 a finding or a refusal, 2 wrong use.',
  ];
}

/** What `help --json` prints. */
export function helpJson(commands: readonly Command[]): unknown {
  return {
    commands: commands.map((command) => ({
      name: command.name,
      summary: command.summary,
      usage: usageLine(command),
      flags: Object.keys(command.flags),
    })),
  };
}
