import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  forAnyShell,
  markStart,
  markStartAndEnd,
  quoteForAnyShell,
  splitAtStart,
} from './any-shell.ts';

const MARK = 'leaseholdabcd1234x';

/** Every login shell that is known to be somebody's; `csh` is another name of tcsh here, and elsewhere a shell of its own. */
const SHELLS = [
  'sh',
  'dash',
  'bash',
  'rbash',
  'busybox sh',
  'zsh',
  'fish',
  'tcsh',
  'csh',
  'ksh',
  'mksh',
].map((name) => [name, run(name, 'true').status === 0] as const);

function run(shell: string, command: string) {
  const [program = 'sh', ...args] = shell.split(' ');
  return spawnSync(program, [...args, '-c', command], { encoding: 'utf8' });
}

/** All printable ASCII, in an order that puts every special character beside several others. */
const PRINTABLE = Array.from({ length: 95 }, (_none, i) => String.fromCharCode(32 + i));
const NASTY = [
  PRINTABLE.join(''),
  [...PRINTABLE].reverse().join(''),
  PRINTABLE.map((char) => `${char}\\${char}'${char}!`).join(''),
  `'\\''`,
  `\\`,
  `\\\\'`,
  `!!`,
  `!$ !1 ^a^b`,
  `$(echo no) \`echo no\` $HOME %5 {a,b} ~ * ? [a-z] # ; & | > < (`,
  `"; echo injected; "`,
  `häß 你好 \u{1F600}`,
  '',
];

describe.each(SHELLS)('a command under %s', (shell, isHere) => {
  beforeEach((test) => test.skip(!isHere, `${shell} is not installed`));

  it.each(NASTY)('keeps the word %j as it is', (word) => {
    // The inner shell is sh by definition; what is tested is the outer one that reads the packed command.
    const inner = `printf %s ${quoteForAnyShell(word)}`;
    expect(run(shell, forAnyShell(inner))).toMatchObject({ status: 0, stdout: word, stderr: '' });
  });

  it('is found between its marks, with its own exit code', () => {
    const { stdout, status } = run(shell, markStartAndEnd('echo out; echo err >&2; exit 7', MARK));
    const begun = splitAtStart(stdout, MARK);
    expect(begun?.before).toBe('');
    expect(begun?.rest).toBe(`out\n${MARK} 7\n`);
    expect(status).toBe(7);
  });
});

describe('marks', () => {
  it('are on both outputs before the first word of a command', () => {
    const { stdout, stderr } = run('sh', markStart('echo out; echo err >&2', MARK));
    expect(splitAtStart(stdout, MARK)).toEqual({ before: '', rest: 'out\n' });
    expect(splitAtStart(stderr, MARK)).toEqual({ before: '', rest: 'err\n' });
  });

  it('part noise without a line end from the answer', () => {
    expect(splitAtStart(`Welcome${MARK}\nout`, MARK)).toEqual({ before: 'Welcome', rest: 'out' });
  });

  it('are not in the command line, so an echo of it is no answer', () => {
    const refused = `not allowed: ${markStartAndEnd('true', MARK)}\n`;
    expect(refused).not.toContain(MARK);
    expect(splitAtStart(refused, MARK)).toBeNull();
  });
});

it.each(['\n', '\r', '\0'])('refuses a command with %j in it: csh would end it there', (char) => {
  expect(() => forAnyShell(`echo a${char}echo b`)).toThrow('one line');
});
