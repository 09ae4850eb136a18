import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { load } from './load.fixture.ts';
import { plainLines } from './plain-json.ts';

const plainOf = (text: string) => plainLines(Buffer.from(text, 'latin1'), 0, true);
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What JSON is made of, and what it is not, put together in any order. */
const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '\\', '\\n', '\\u00e', '\\u00e9', '\\x'],
  ...['0', '1', '-', '+', '.', 'e', 'E', '01', '1.5', '1.', '.5', '1e5', '1e', '1e+', '-0', '--1'],
  ...['true', 'false', 'null', 'tru', 'NaN', 'Infinity', ' ', '\t', '\r', '\0', '\x1f', '\x7f'],
  ...['{"a":1}', '[1,2]', '{}', '[]', '{"a":{"b":[]}}', '\xff', '\xef\xbb\xbf'],
];

describe('a line that is called plain', () => {
  it('is one JSON text, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        const { end, records } = plainOf(text);
        if (end === text.length && records > 0) expect(isJson(text)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is each that JSON writes of what is in ASCII and not deep', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: 'binary-ascii' }), (text) => {
        const isAscii = /^[ -~]*$/.test(text);
        expect(plainOf(text).records).toBe(isAscii ? 1 : plainOf(text).records);
      }),
    );
  });

  it('ends where it ends', () => {
    expect(plainOf('{"a":1}\n\n [2] \r\n  \n"x')).toEqual({ end: 19, lines: 4, records: 2 });
    expect(plainLines(Buffer.from('[1]\n[2]'), 0, false)).toEqual({ end: 4, lines: 1, records: 1 });
    // Together they would be one text.
    expect(plainOf('{"a":[1\n,2]}')).toEqual({ end: 0, lines: 0, records: 0 });
  });
});

describe('records in lines', () => {
  const letter = Buffer.from('{"a":"é"}\n');
  it.each([1, 2, 3, 7, 64, 1 << 20])('are the same in pieces of %i bytes', async (bytes) => {
    const text = Buffer.concat([Buffer.from('{"a":1}\n\n[1]\n{"a":NaN}\n'), letter]);
    expect(await load('x.jsonl', text, bytes)).toMatchObject({ holds: '4 records' });
    const broken = Buffer.concat([text, Buffer.from('{"a":}\n[1]\n')]);
    expect(await load('x.jsonl', broken, bytes)).toBe('damaged: it is no valid JSON in line 6');
    const other = Buffer.concat([letter, text, Buffer.from('"\xff"', 'latin1')]);
    expect(await load('x.jsonl', other, bytes)).toBe('damaged: it is not UTF-8');
    // At the beginning of the file it says how it is written; in a line it is none of JSON's.
    const mark = Buffer.from('\ufeff');
    expect(await load('x.jsonl', Buffer.concat([mark, text]), bytes)).toMatchObject({
      holds: '4 records',
    });
    expect(await load('x.jsonl', Buffer.concat([text, mark, letter]), bytes)).toMatch(/in line 6/);
    const behindPlain = Buffer.concat([Buffer.from('{"a":1}\n'), mark, letter]);
    expect(await load('x.jsonl', behindPlain, bytes)).toBe(
      'damaged: it is no valid JSON in line 2',
    );
  });

  it('are checked without making anything of them', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const text = Buffer.from('{"step":1,"loss":0.5}\n'.repeat(3));
      expect(await load('x.jsonl', text, 10)).toMatchObject({ holds: '3 records' });
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it('are told by their number where the first one that is wrong follows others', async () => {
    expect(await load('x.jsonl', Buffer.from('{}\n{}\n{]\n'))).toMatch(/in line 3$/);
    expect(await load('x.jsonl', Buffer.from('{]\n'))).toMatch(/in line 1$/);
    expect(await load('x.jsonl', Buffer.from(`{}\n"${'x'.repeat(70_000)}"\n{]`), 9000)).toMatch(
      /in line 3$/,
    );
  });
});
