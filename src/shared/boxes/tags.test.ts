import { describe, expect, it } from 'vitest';
import { parseTags } from './tag-words.ts';
import { tags } from './tags.ts';

describe('parseTags', () => {
  it.each([
    ['', []],
    [' ablation , team  müller,,', ['ablation', 'team müller']],
    ['A, a, b', ['A', 'b']],
  ])('reads “%s”', (line, read) => {
    expect(parseTags(line)).toEqual(read);
    expect(tags.safeParse(read).success).toBe(true);
  });

  it.each([
    ['x'.repeat(31), /30 characters/],
    [Array.from({ length: 11 }, (_none, i) => `t${String(i)}`).join(','), /at most 10 tags/],
    ['a\u202eb', /invisible/],
  ])('says why %j cannot be used', (line, why) => {
    expect(parseTags(line)).toMatch(why);
  });
});

describe('the schema', () => {
  it.each([
    [['']],
    [[' a']],
    [['a  b']],
    [['a\nb']],
    [['a\u200bb']],
    [['x'.repeat(31)]],
    [['Same', 'same']],
    [Array.from({ length: 11 }, (_none, i) => String(i))],
  ])('refuses %j', (value) => {
    expect(tags.safeParse(value).success).toBe(false);
  });

  it('takes what a person may call a box', () => {
    const given = ['ablation', 'team müller', '日本', 'k=v', '<b>'];
    expect(tags.parse(given)).toEqual(given);
  });
});
