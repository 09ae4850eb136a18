import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { readMarkedSections } from './marked-sections.ts';
import { nonBlankLines } from './probe-output.ts';

const line = fc.oneof(
  fc.constantFrom('M begin a', 'M end a 0', 'M begin b', 'M end b 12', 'M note x', 'M', ' M end a'),
  fc.constantFrom('', ' ', '\r', 'x', 'M end a 0 y', 'z'.repeat(MAX_LINE_CHARS + 5)),
);

it('tells each section, line by line, and what stands outside of all', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 16 }), (lines) => {
      const said = readMarkedSections(lines.join('\n'), 'M');
      let open: { readonly name: string; readonly text: string[] } | null = null;
      const [texts, outside] = [new Map<string, string>(), [] as string[]];
      for (const each of lines) {
        const [mark, word, name = ''] = each.split(' ');
        if (mark !== 'M' || word === undefined) {
          if (open !== null) open.text.push(each.slice(0, MAX_LINE_CHARS));
          else if (each.trim() !== '') outside.push(each);
        } else if (word === 'begin') open = { name, text: [] };
        else if (word === 'end') {
          if (open?.name === name) texts.set(name, open.text.join('\n'));
          open = null;
        }
      }
      expect([said.text('a'), said.text('b')]).toEqual([
        texts.get('a') ?? null,
        texts.get('b') ?? null,
      ]);
      expect([said.text('a', 1), said.text('b', 2)]).toEqual([
        texts.get('a')?.split('\n', 1)[0] ?? null,
        texts.get('b')?.split('\n').slice(0, 2).join('\n') ?? null,
      ]);
      expect(said.outside).toHaveLength(Math.min(20, outside.length));
    }),
  );
});

it('takes the lines that have something on them, whatever ends them', () => {
  expect(nonBlankLines('a\r\n\n \n\r\n b \nc')).toEqual(['a', ' b ', 'c']);
  expect(nonBlankLines('\n'.repeat(9))).toEqual([]);
});
