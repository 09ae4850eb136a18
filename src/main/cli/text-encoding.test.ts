import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleNames, samplePath } from '../../shared/probes/sample.fixture.ts';
import { run } from './cli.fixture.ts';
import { judgeEncoding, type TextEncoding } from './text-encoding.ts';
import { readWhole } from './text-input.ts';

const MARKS = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
} as const satisfies Record<TextEncoding, readonly number[]>;
const encodings = Object.keys(MARKS) as readonly TextEncoding[];

function encode(text: string, encoding: TextEncoding, hasMark: boolean): Buffer {
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf-16be') bytes.swap16();
  return hasMark ? Buffer.concat([Buffer.from(MARKS[encoding]), bytes]) : bytes;
}

function cut(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const places = at.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b);
  const edges = [0, ...places, bytes.length];
  return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
}

const read = (pieces: Iterable<Uint8Array>) => readWhole('-', { stdin: Readable.from(pieces) });

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
const encoding = fc.constantFrom(...encodings);
const noMark = (text: string): boolean => !text.startsWith('\ufeff');
const noZero = (text: string): boolean => !text.includes('\0');
const anyText = fc.string({ unit: 'grapheme', maxLength: 300 }).filter(noMark);
const plainText = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 });

describe('a text in any of the encodings', () => {
  it('is read by its mark, wherever its pieces are cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, encoding, places, async (text, name, at) => {
        expect(await read(cut(encode(text, name, true), at))).toEqual({ ok: true, value: text });
      }),
    );
  });

  it('is read without a mark where it is mostly English', async () => {
    const mixed = fc
      .tuple(plainText, anyText)
      .map(([plain, any]) => `${plain.padEnd(128, '.')}${any}`);
    await fc.assert(
      fc.asyncProperty(fc.oneof(plainText, mixed), encoding, places, async (text, name, at) => {
        expect(await read(cut(encode(text, name, false), at))).toEqual({ ok: true, value: text });
      }),
    );
  });

  it('is never taken for UTF-16 where it is UTF-8', () => {
    fc.assert(
      fc.property(anyText.filter(noZero), (text) => {
        expect(judgeEncoding(Buffer.from(text))).toBe('utf-8');
      }),
    );
  });

  it('has a last byte too much, or half a character, shown as such', async () => {
    const odd = Buffer.concat([encode('ab', 'utf-16le', true), Buffer.from([0x63])]);
    expect(await read([odd])).toEqual({ ok: true, value: 'ab\ufffd' });
    const half = encode('a\ud83d', 'utf-16be', true);
    expect(await read([half])).toEqual({ ok: true, value: 'a\ufffd' });
  });

  it('is no other text for holding some zeros', () => {
    expect(judgeEncoding(Buffer.from('GPU\0\0\0 0'))).toBe('utf-8');
    expect(judgeEncoding(Buffer.alloc(64))).toBe('utf-8');
    expect(judgeEncoding(Buffer.alloc(0))).toBe('utf-8');
  });
});

const recorded = ['dmon', 'query', 'xid', 'df'].flatMap((probe) =>
  sampleNames(probe).map((name) => ({ probe, name })),
);

describe('as Windows PowerShell saves what a program prints', () => {
  const saved = (name: string): Buffer =>
    encode(readFileSync(samplePath(name), 'utf8').replace(/\r?\n/g, '\r\n'), 'utf-16le', true);

  it.each(recorded)('$name says the same', async ({ probe, name }) => {
    const argv = ['read', probe, '-', '--json'];
    const plain = await run(argv, { stdin: [readFileSync(samplePath(name))] });
    expect(await run(argv, { stdin: [saved(name)] })).toEqual(plain);
  });

  it.each([
    ['dmon--h100-590-load', 'dmon'],
    ['query-form--h100-mig-590-table-load', 'query'],
    ['xid--79-with-aer', 'xid'],
    ['df--centos7', 'df'],
  ])('%s is known by its words', async (name, reader) => {
    const { out } = await run(['read', 'auto', '-', '--json'], { stdin: [saved(name)] });
    expect(JSON.parse(out)).toMatchObject({ reader });
  });

  it('a byte too much makes what follows unreadable, and no other figure of it', async () => {
    const bytes = saved('dmon--a100x2-pucm-no-ccpm');
    const rowsOf = async (stdin: readonly Uint8Array[]) => {
      const { out, err } = await run(['read', 'dmon', '-', '--rows'], { stdin });
      return { rows: out.split('\n').slice(0, -1), err };
    };
    const { rows: all } = await rowsOf([bytes]);
    const middle = Math.floor(bytes.length / 4) * 2 + 1;
    const pieces = [bytes.subarray(0, middle), Buffer.from([0x20]), bytes.subarray(middle)];
    const { rows, err } = await rowsOf(pieces);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(all.length);
    expect(rows).toEqual(all.slice(0, rows.length));
    expect(err).toContain('Unreadable lines: ');
  });
});
