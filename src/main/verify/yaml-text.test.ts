import { expect, it } from 'vitest';
import { load } from './load.fixture.ts';

const of = (text: string) => load('x.yaml', Buffer.from(text));

it.each([
  ['a: "b\n', 'damaged: it is no valid YAML in line 2'],
  ['a: [1, 2\n', 'damaged: it is no valid YAML in line 2'],
  ['a: 1\n  b: 2\n', 'damaged: it is no valid YAML in line 1'],
  ['a: 1\nb: *nowhere\n', 'damaged: it is no valid YAML in line 2'],
  ['a: "\u000e"\n', 'damaged: it is no valid YAML in line 1'],
  ['a: 1\n\0\0\0\0', 'damaged: it is no valid YAML in line 2'],
])('%j is damaged', async (text, found) => {
  expect(await of(text)).toBe(found);
});

it('a set of Python’s whose missing values stand in quotes is one', async () => {
  expect(await of('a: !!set\n  "1": !!null "null"\n')).toMatchObject({ holds: '1 field' });
});

it.each(['\u0085', '\u2028', '\u2029'])(
  'a block text may begin with %j, which ended a line until YAML 1.2',
  async (end) => {
    expect(await of(`a: |2-\n${end}  b\nc: >2+\n${end}  d\n`)).toMatchObject({ holds: '2 fields' });
    expect(await of(`a: |2-\n${end}  b\nc: [\n`)).toMatch(/^damaged: it is no valid YAML in line /);
  },
);

it.each(['[', '- ', '{a: ', '? '])('does not follow %j as deep as it goes', async (open) => {
  const nested = open.repeat(50_000);
  expect(await of(nested)).toBe('not loadable: it is nested deeper than Leasehold reads');
});

it('makes nothing of aliases that would grow beyond all memory, nor of a tag', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => {
    const before = at === 0 ? 'x' : `*a${String(at - 1)}`;
    return `a${String(at)}: &a${String(at)} [${Array(9).fill(before).join(', ')}]`;
  });
  expect(await of(lines.join('\n'))).toMatchObject({ holds: '40 fields' });
  expect(await of('a: !!python/object/apply:os.system ["exit 1"]\n')).toMatchObject({
    holds: '1 field',
  });
});

it('a long one is hashed only', async () => {
  expect(await of('a: 1\n'.repeat(60_000))).toEqual({ kind: 'no-reader' });
});
