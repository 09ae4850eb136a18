import { expect, it } from 'vitest';
import { canOverride } from '../launch-plan.ts';
import { sameCodeCheck } from './same-code.ts';

const code = (letter: string, commit: string | null = null, isDirty = false) => ({
  ...{ tree: letter.repeat(64), commit, isDirty },
});

it('blocks other code than that of the first launch until a person says so', () => {
  const [check, ...more] = sameCodeCheck(
    code('a', 'c'.repeat(40)),
    code('b', 'd'.repeat(40), true),
  );
  expect(more).toEqual([]);
  expect(check && canOverride(check)).toBe(true);
  expect(check?.says).toBe(
    'It is not that of the first launch: now tree bbbbbbbbbbbb (commit dddddddddddd with changes), then tree aaaaaaaaaaaa (commit cccccccccccc).',
  );
});

it.each([
  ['the same code, whatever its commit', code('a', 'c'.repeat(40)), code('a'), ['pass']],
  ['no code at all', null, null, []],
  ['code that nobody pushes again', code('a'), null, ['unknown']],
  ['a launch that nobody wrote down', undefined, code('a'), ['unknown']],
  ['such a launch without code', undefined, null, []],
])('tells of %s', (_what, first, now, answers) => {
  expect(sameCodeCheck(first, now).map(({ answer }) => answer)).toEqual(answers);
});
