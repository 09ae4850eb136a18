import { describe, expect, it } from 'vitest';
import { run } from './cli.fixture.ts';
import type { Command, CommandInput } from './command.ts';
import { commands } from './commands.ts';

describe('help', () => {
  it.each([['help'], ['--help'], ['-h']])('lists every command after %s', async (word) => {
    const { code, out, err } = await run([word]);
    expect(code).toBe(0);
    expect(err).toBe('');
    for (const { name, summary } of commands) {
      expect(out).toContain(name);
      expect(out).toContain(summary);
    }
  });

  it.each(commands.map(({ name }) => [name]))('explains %s in all ways to ask', async (name) => {
    const words = name.split(' ');
    const asked = await run([...words, '--help']);
    expect(asked.code).toBe(0);
    expect(asked.out).toContain(`Usage: leasehold ${name}`);
    expect(asked.out).toContain('--json');
    expect(await run(['help', ...words])).toEqual(asked);
    expect(await run([...words, '-h'])).toEqual(asked);
  });

  it('explains a group', async () => {
    const { code, out } = await run(['read', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('read xid');
    expect(out).not.toContain('doctor');
  });

  it('prints JSON when asked to', async () => {
    const { code, out } = await run(['help', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      commands: expect.arrayContaining([
        expect.objectContaining({ name: 'read dmon', flags: ['rows'] }),
      ]),
    });
  });
});

describe('wrong use', () => {
  it.each([
    ['nothing', [], 'a command is missing'],
    ['only --json', ['--json'], 'a command is missing'],
    ['an unknown command', ['frobnicate'], 'there is no command "frobnicate"'],
    ['an unknown flag alone', ['--frobnicate'], 'there is no command "--frobnicate"'],
    ['half a command', ['read'], 'there is no command "read"'],
    ['an unknown half', ['read', 'tea-leaves', 'x'], 'there is no command "read tea-leaves x"'],
    ['help for nothing', ['help', 'tea'], 'there is no command "tea"'],
    ['a missing file', ['read', 'dmon'], '<file|-> is missing'],
    ['a word too many', ['read', 'dmon', 'a', 'b'], '"b" is one word too many'],
    ['an operand where there is none', ['version', 'x'], '"x" is one word too many'],
    ['an unknown flag', ['read', 'dmon', '-', '--fast'], "Unknown option '--fast'"],
    ['a flag of another command', ['read', 'df', '-', '--rows'], "Unknown option '--rows'"],
    ['a flag without its value', ['read', 'cgroup', '-', '--as'], '--as'],
    ['a value for a flag that has none', ['version', '--json=yes'], '--json'],
    ['a file that is not there', ['read', 'xid', '/nowhere/x'], 'There is no file /nowhere/x.'],
  ])('answers %s with its usage on stderr and 2', async (_, argv, sentence) => {
    const { code, out, err } = await run(argv);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(sentence);
    expect(err).toContain('Usage: leasehold');
  });

  it('shows the usage of the command that was meant', async () => {
    expect((await run(['read', 'cgroup'])).err).toContain(
      'Usage: leasehold read cgroup <file|-> [--as <kind>] [--json]',
    );
    expect((await run(['read'])).err).toContain('read cgroup');
  });

  it('prints no control character of what was typed', async () => {
    const { err } = await run(['read', '\x1b[2J\u202e']);
    expect(err).toContain('\\x1b[2J\\u{202e}');
    expect(err).not.toMatch(/\x1b|\u202e/);
  });
});

describe('a command of later', () => {
  const inputs: CommandInput[] = [];
  const later: Command = {
    name: 'profiles check',
    summary: 'checks',
    operands: ['<one>', '<two>'],
    flags: { deep: { value: null, help: 'x' }, only: { value: 'name', help: 'y' } },
    details: [],
    run: async (input) => {
      inputs.push(input);
      return 1;
    },
  };

  it('gets its operands and flags wherever they stand', async () => {
    const forms = [
      ['profiles', 'check', 'a', '-', '--json', '--deep', '--only', 'x'],
      ['--json', 'profiles', 'check', '--only=x', 'a', '--deep', '-'],
      ['profiles', 'check', '--deep', '--json', '--only', 'x', '--', 'a', '-'],
    ];
    for (const argv of forms) {
      expect(await run(argv, { commands: [later] })).toEqual({ code: 1, out: '', err: '' });
      expect(inputs.pop()).toEqual({
        operands: ['a', '-'],
        isJson: true,
        flags: new Map([
          ['deep', ''],
          ['only', 'x'],
        ]),
        repeated: new Map(),
      });
    }
  });
});

it.each(commands.map((command) => [command.name, command] as const))(
  '%s can be told from every other command',
  (name) => {
    const twins = commands.filter((other) => `${name} `.startsWith(`${other.name} `));
    expect(twins).toHaveLength(1);
  },
);
