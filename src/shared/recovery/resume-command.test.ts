import { describe, expect, it } from 'vitest';
import { resumeCommand } from './resume-command.ts';

const redact = (text: string): string => text.replace(/hf_\w+/g, '[redacted]');
const resume = (command: string | null, argumentCount: number | null, folder = '/work') =>
  resumeCommand({ command, argumentCount, folder }, redact);

describe('resumeCommand', () => {
  it.each([
    ['python -u train.py --lr 1e-3', 5, 'python -u train.py --lr 1e-3'],
    ['python train.py --x=$HOME;rm', 3, "python train.py '--x=$HOME;rm'"],
    ["sh -c it's", 3, String.raw`sh -c 'it'\''s'`],
  ])('is exact where each argument is known: %s', (command, count, expected) => {
    expect(resume(command, count)).toEqual({ kind: 'exact', command: expected });
  });

  it('does not send anybody into a folder whose name was not told whole', () => {
    expect(resume('python a.py', 2, '/w/a?b').kind).toBe('not-known');
    expect(resume('python a.py', 2, '/w/hf_abc').kind).toBe('not-known');
  });

  it.each([
    ['no command line', null, null, /did not show/],
    ['no count, as an older Leasehold kept it', 'python a.py', null, /where one argument ends/],
    ['a blank inside of an argument', 'python a.py my run', 3, /holds a blank or is empty/],
    ['a line break, told as "?"', 'python a?b', 2, /line break/],
    ['a character that turns the direction of reading', 'python a\u202eb', 2, /line break/],
    ['a secret', 'python a.py --hf hf_abc', 4, /secret/],
    ['one that was cut', `python ${'x'.repeat(1995)}`, 2, /longer than the box tells/],
  ])('says that it is not known, and why: %s', (_name, command, count, because) => {
    const resumed = resume(command, count);
    expect(resumed).toMatchObject({ kind: 'not-known', because: expect.stringMatching(because) });
    expect(JSON.stringify(resumed)).not.toContain('hf_abc');
  });
});
