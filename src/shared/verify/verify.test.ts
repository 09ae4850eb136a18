import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from './byte-source.ts';
import { openReading } from './formats.ts';
import { Damaged, NotLoadable, type Loaded } from './loaded.ts';

const FOLDER = new URL('./specimens/', import.meta.url);
const specimen = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read: (at, length) => {
      // A reader that asks for what is not there would wait for a file that never comes.
      expect(at + length).toBeLessThanOrEqual(bytes.length);
      return Uint8Array.prototype.slice.call(bytes, at, at + length);
    },
  };
}

const isFound = (found: Loaded | string): boolean =>
  typeof found === 'string' && found.startsWith('damaged');

/** As a worker reads it, in pieces of this size. */
function load(name: string, bytes: Uint8Array, piece = 1 << 20): Loaded | string {
  try {
    const reading = openReading(name, sourceOf(bytes));
    if (reading === null) return 'no reader';
    for (let at = 0; at < bytes.length; at += piece) {
      reading.take(bytes.subarray(at, at + piece), at);
    }
    return reading.end();
  } catch (cause) {
    if (cause instanceof Damaged) return `damaged: ${cause.message}`;
    if (cause instanceof NotLoadable) return `not loadable: ${cause.message}`;
    throw cause;
  }
}

describe('what the libraries wrote', () => {
  const written = readdirSync(FOLDER).filter((name) => name.includes('--'));

  it('is loaded, but for objects that only Python could make', () => {
    const found = written.map((name) => {
      const loaded = load(name, specimen(name));
      return [name, typeof loaded === 'string' || loaded.kind !== 'loaded' ? loaded : loaded.holds];
    });
    expect(Object.fromEntries(found)).toEqual({
      'numpy-2.4.6--empty.npy': 'an array of 0 × 3, i4',
      'numpy-2.4.6--fortran.npy': 'an array of 3 × 5, f4',
      'numpy-2.4.6--matrix.npy': 'an array of 3 × 5, f8',
      'numpy-2.4.6--names.npy': 'an array of 2, U8',
      'numpy-2.4.6--objects.npy':
        'not loadable: it holds Python objects, which only running what it says could load',
      'numpy-2.4.6--scalar.npy': 'one value, f4',
      'numpy-2.4.6--table.npy': 'an array of 2, [(step, i4), (loss, f8)]',
      'numpy-2.4.6--version-2.npy': 'an array of 6, i2',
      'python--log.jsonl': '3 records',
      'python--metrics.json': '3 fields',
      'safetensors-0.8.0--empty.safetensors': '0 tensors, 0 numbers',
      'safetensors-0.8.0--not-finite.safetensors': '4 tensors, 36 numbers',
      'safetensors-0.8.0--plain.safetensors': '8 tensors, 154 numbers',
    });
  });

  it.each([1, 3, 7, 64, 1 << 20])('has its numbers looked at in pieces of %i bytes', (piece) => {
    const numbers = (name: string) => load(name, specimen(name), piece);
    expect(numbers('safetensors-0.8.0--not-finite.safetensors')).toMatchObject({
      numbers: {
        scanned: 36,
        nonFinite: 5,
        affected: expect.arrayContaining([
          { tensor: 'a', count: 2 },
          { tensor: 'b', count: 1 },
          { tensor: 'c', count: 1 },
          { tensor: 'd', count: 1 },
        ]) as unknown,
        allZero: [],
      },
    });
    expect(numbers('safetensors-0.8.0--plain.safetensors')).toMatchObject({
      numbers: { scanned: 149, nonFinite: 0, affected: [], allZero: ['unused'] },
    });
    expect(numbers('numpy-2.4.6--scalar.npy')).toMatchObject({ numbers: { nonFinite: 1 } });
  });
});

describe('a safetensors file', () => {
  const whole = specimen('safetensors-0.8.0--plain.safetensors');
  const headerBytes = Number(whole.readBigUInt64LE(0));
  const withHeader = (header: string, data = whole.subarray(8 + headerBytes)): Buffer => {
    const lead = Buffer.alloc(8);
    lead.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
    return Buffer.concat([lead, Buffer.from(header), data]);
  };
  const tensor = (begin: number, end: number, more: object = {}) => ({
    ...{ dtype: 'U8', shape: [end - begin], data_offsets: [begin, end] },
    ...more,
  });
  const of = (fields: object, dataBytes: number): Loaded | string =>
    load('x.safetensors', withHeader(JSON.stringify(fields), Buffer.alloc(dataBytes, 1)));

  it('is found out wherever it is cut off, and with a byte too many', () => {
    const cuts = Array.from({ length: whole.length }, (_, bytes) => whole.subarray(0, bytes));
    const passed = [...cuts, Buffer.concat([whole, Buffer.alloc(1)])].filter(
      (bytes) => !isFound(load('x.safetensors', bytes)),
    );
    expect(passed).toEqual([]);
  });

  it('is found out with a bit flipped in the length of its header', () => {
    const passed = Array.from({ length: 64 }, (_, bit) => {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return load('x.safetensors', bytes);
    }).filter((found) => !isFound(found));
    expect(passed).toEqual([]);
  });

  it.each([
    ['a hole', { a: tensor(0, 4), b: tensor(5, 8) }, 8],
    ['an overlap', { a: tensor(0, 5), b: tensor(4, 8) }, 8],
    ['a beginning that is not the first byte', { a: tensor(1, 8) }, 8],
    ['bytes at its end that are nobody’s', { a: tensor(0, 7) }, 8],
    ['an end beyond the file', { a: tensor(0, 9) }, 8],
    ['a shape that is longer', { a: tensor(0, 8, { shape: [9] }) }, 8],
    ['a shape beyond all numbers', { a: tensor(0, 8, { shape: [2 ** 40, 2 ** 40] }) }, 8],
    ['a negative size', { a: tensor(0, 8, { shape: [-8] }) }, 8],
    ['a fraction', { a: tensor(0, 8, { shape: [8.5] }) }, 8],
    ['an unknown type', { a: tensor(0, 8, { dtype: 'Q8' }) }, 8],
    ['a field too many', { a: tensor(0, 8, { code: 'import os' }) }, 8],
    ['metadata that are no texts', { __metadata__: { a: [1] }, a: tensor(0, 8) }, 8],
  ])('is found out with %s', (_what, fields, dataBytes) => {
    expect(of(fields, dataBytes)).toMatch(/^damaged: /);
  });

  it('is found out with a name that stands twice, which JSON.parse would pass over', () => {
    const one = JSON.stringify(tensor(0, 8));
    const bytes = withHeader(`{"a":${one},"a":${one}}`, Buffer.alloc(8));
    expect(load('x.safetensors', bytes)).toMatch(/a name that stands there twice/);
  });

  it('holds memory for no more than there is, whatever it claims', () => {
    const bytes = Buffer.alloc(16, 0x7b);
    bytes.writeBigUInt64LE(99_000_000n);
    expect(load('x.safetensors', bytes)).toMatch(/^damaged: its header takes 99000000 bytes/);
  });
});

it('an array is found out wherever it is cut off', () => {
  const whole = specimen('numpy-2.4.6--matrix.npy');
  const passed = Array.from({ length: whole.length }, (_, bytes) => whole.subarray(0, bytes))
    .concat(Buffer.concat([whole, Buffer.alloc(1)]))
    .filter((bytes) => !isFound(load('x.npy', bytes)));
  expect(passed).toEqual([]);
});

it('records that are cut off or no text are found out', () => {
  const whole = specimen('python--log.jsonl');
  expect(load('x.jsonl', whole.subarray(0, -5))).toBe('damaged: it is no valid JSON in line 3');
  expect(load('x.jsonl', Buffer.from([0x22, 0xff, 0x22]))).toBe('damaged: it is not UTF-8');
  expect(load('x.json', Buffer.from('{"a": NaN, "b": "NaN"'))).toBe('damaged: it is no valid JSON');
});

it.each(['x.safetensors', 'x.npy', 'x.json', 'x.jsonl'])('%s may be anything', (name) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      load(name, bytes);
    }),
  );
});
