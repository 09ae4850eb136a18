import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doAtOnce } from '../../shared/steps.ts';
import { textOfList, textsOfList } from './list-text.ts';

const text = (bytes: Uint8Array): string => doAtOnce(textOfList(Buffer.from(bytes)));

it('what is UTF-8 is as it was, and of what is not each byte can be told', () => {
  expect(text(Buffer.from('f 1 ü/😀\0l 2 x\0\nend'))).toBe('f 1 ü/😀\0l 2 x\0\nend');
  expect(text(Buffer.from('Gr\xf6\xdfe\0\0\xc3\xbc\xff\0', 'latin1'))).toBe(
    'Gr\u{fffd}f6\u{fffd}dfe\0\0ü\u{fffd}ff\0',
  );
  // Cut off within a letter.
  expect(text(Buffer.from([0x61, 0xf0, 0x9f, 0x98]))).toBe('a\u{fffd}f0\u{fffd}9f\u{fffd}98');
});

it('two lists that differ are two texts, and as long in names', () => {
  const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xef, 0xbf, 0xbd));
  const list = fc.array(byte, { maxLength: 60 }).map((bytes) => Uint8Array.from(bytes));
  fc.assert(
    fc.property(list, fc.nat(59), byte, (bytes, at, other) => {
      const said = text(bytes);
      expect(said.split('\0')).toHaveLength(bytes.filter((each) => each === 0).length + 1);
      if (at >= bytes.length || bytes[at] === other) return;
      const others = Uint8Array.from(bytes);
      others[at] = other;
      expect(text(others)).not.toBe(said);
    }),
  );
});

it('a name that has U+FFFD in it is not the one whose byte that would stand for', () => {
  expect(text(Buffer.from('\u{fffd}f6'))).toBe('\u{fffd}ef\u{fffd}bf\u{fffd}bdf6');
  expect(text(Buffer.from('\xf6', 'latin1'))).toBe('\u{fffd}f6');
});

it('what no disk has as a path is not told byte by byte', () => {
  expect(text(Buffer.alloc(5000, 0xff))).toBe('\u{fffd}'.repeat(5000));
});

it('no part of a list is longer than some milliseconds of work, whatever stands in it, and each but the last ends behind a NUL', () => {
  const record = fc.oneof(
    fc.constantFrom('', 'f 1 ü', '\u00ff'.repeat(30), 'a'.repeat(65_535), 'b'.repeat(70_000)),
    fc.string({ maxLength: 20 }).map((name) => name.replaceAll('\0', '')),
  );
  const list = fc.array(record, { maxLength: 40 });
  fc.assert(
    fc.property(list, (records) => {
      const bytes = Buffer.from(records.join('\0'), 'latin1');
      const texts = [...textsOfList(bytes)];
      expect(texts.slice(0, -1).filter((each) => !each.endsWith('\0'))).toEqual([]);
      expect(Math.max(0, ...texts.map((each) => each.length))).toBeLessThanOrEqual(3 * 65_536);
      expect(texts.join('')).toBe(text(bytes));
      expect(texts.join('').split('\0')).toHaveLength(Math.max(1, records.length));
    }),
  );
});

it('what is longer than any path is told as a letter that stands for none, and what follows it is told', () => {
  const long = Buffer.from(`a\0${'x'.repeat(200_000)}\0b\0`);
  expect(text(long)).toBe('a\0\u{fffd}\0b\0');
  expect(text(Buffer.from('x'.repeat(200_000)))).toBe('\u{fffd}');
});
