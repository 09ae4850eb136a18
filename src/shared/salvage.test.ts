import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { salvage, salvageText } from './salvage.ts';

const schema = z.strictObject({
  name: z.string(),
  count: z.int().nullable(),
  size: z.int().default(7),
  note: z.string().exactOptional(),
  rows: z
    .array(z.strictObject({ id: z.int(), kind: z.enum(['a', 'b']), seen: z.int().nullable() }))
    .max(3)
    .default([]),
  choice: z
    .discriminatedUnion('is', [
      z.strictObject({ is: z.literal('one'), at: z.int() }),
      z.strictObject({ is: z.literal('two') }),
    ])
    .nullable(),
});
const ROW = { id: 1, kind: 'a', seen: 5 };
const WHOLE = { name: 'x', count: 1, size: 2, note: 'n', rows: [ROW], choice: { is: 'two' } };
type Whole = z.infer<typeof schema>;

describe('salvage', () => {
  it('takes nothing out of what fits', () => {
    expect(salvage(schema, WHOLE)).toEqual({ value: WHOLE, fitting: WHOLE, dropped: [] });
  });

  it.each<readonly [string, object, Partial<Whole>, readonly string[]]>([
    ['a field of a newer version', { colour: 3 }, {}, ['colour']],
    ['a wrong value that may be unknown', { count: 'many' }, { count: null }, ['count']],
    ['a wrong value that has a default', { size: 'big' }, { size: 7 }, ['size']],
    ['an entry of an unknown kind', { rows: [ROW, { ...ROW, kind: 'c' }] }, {}, ['rows.1']],
    ['an unknown field of an entry', { rows: [{ ...ROW, hue: 1 }] }, {}, ['rows.0.hue']],
    ['an entry that is no entry', { rows: [3, ROW] }, {}, ['rows.0']],
    [
      'more entries than are read',
      { rows: [ROW, ROW, ROW, ROW] },
      { rows: [ROW, ROW, ROW] as Whole['rows'] },
      ['rows.3 and further'],
    ],
    ['a choice that is not known', { choice: { is: 'three' } }, { choice: null }, ['choice']],
  ])('leaves out %s, and no more', (_what, change, other, named) => {
    const read = salvage(schema, { ...WHOLE, ...change });
    expect(read?.value).toEqual({ ...WHOLE, ...other });
    for (const name of named) expect(read?.dropped).toContain(name);
  });

  it('drops one of very many entries, and of what is nested far deeper than anything of ours its field alone', () => {
    const many = z.strictObject({ list: z.array(z.int()), note: z.string().exactOptional() });
    const list = Array.from({ length: 200_000 }, (_, at) => at);
    const deep = JSON.parse(`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`) as unknown;
    const read = salvage(many, { list: [...list, 'x'], note: deep });
    expect(read?.value).toEqual({ list });
    expect(read?.dropped).toEqual(['list.200000', 'note']);
    expect(salvageText(many, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toBeNull();
  });

  it('says "unknown" for a field that is missing', () => {
    const { count: _count, ...older } = WHOLE;
    expect(salvage(schema, older)?.value).toEqual({ ...WHOLE, count: null });
  });

  it('drops what may not be there, and leaves the stored value alone', () => {
    const stored = { ...WHOLE, note: 3 };
    const { note: _note, ...rest } = WHOLE;
    expect(salvage(schema, stored)?.value).toEqual(rest);
    expect(stored.note).toBe(3);
  });

  it.each([[null], [3], ['text'], [[WHOLE]], [{ count: 1 }]])('finds nothing in %j', (stored) => {
    expect(salvage(schema, stored)).toBeNull();
  });

  it('comes to an end, with something that fits, whatever is stored', () => {
    fc.assert(
      fc.property(
        fc.record({ name: fc.string() }),
        fc.object({ maxDepth: 4 }),
        fc.jsonValue(),
        (name, more, rows) => {
          const read = salvage(schema, { ...more, rows, choice: rows, ...name });
          expect(schema.parse(read?.fitting)).toEqual(read?.value);
        },
      ),
    );
  });
});

describe('salvageText', () => {
  const text = JSON.stringify({ ...WHOLE, rows: [ROW, { ...ROW, id: 2 }, { ...ROW, id: 3 }] });

  it('reads what stands in front of the place where a text ends', () => {
    const cut = text.slice(0, text.indexOf('"id":3'));
    const read = salvageText(schema, cut);
    expect(read?.value.rows.map(({ id }) => id)).toEqual([1, 2]);
    expect(read?.dropped).toContain('the end of it');
    expect(salvageText(schema, text)?.dropped).toEqual([]);
  });

  it('never throws, and makes up no value, wherever the text ends', () => {
    for (let end = 0; end < text.length; end += 1) {
      const read = salvageText(schema, text.slice(0, end));
      expect([undefined, 'x']).toContain(read?.value.name);
      for (const { id } of read?.value.rows ?? []) expect([1, 2, 3]).toContain(id);
    }
    expect(salvageText(schema, '\0'.repeat(4096))).toBeNull();
  });
});
