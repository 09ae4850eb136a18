import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberScan, type NumberType } from './number-scan.ts';

interface Slow {
  readonly bytes: number;
  readonly isNonFinite: (view: DataView, at: number) => boolean;
}

/** One number after the other, as the language itself reads it where it can. */
const SLOW: Readonly<Record<NumberType, Slow>> = {
  f16: { bytes: 2, isNonFinite: (view, at) => (view.getUint16(at, true) & 0x7c00) === 0x7c00 },
  bf16: { bytes: 2, isNonFinite: (view, at) => (view.getUint16(at, true) & 0x7f80) === 0x7f80 },
  f32: { bytes: 4, isNonFinite: (view, at) => !Number.isFinite(view.getFloat32(at, true)) },
  f64: { bytes: 8, isNonFinite: (view, at) => !Number.isFinite(view.getFloat64(at, true)) },
  f8_e4m3: { bytes: 1, isNonFinite: (view, at) => (view.getUint8(at) & 0x7f) === 0x7f },
  f8_e5m2: { bytes: 1, isNonFinite: (view, at) => (view.getUint8(at) & 0x7c) === 0x7c },
};

const found = (type: NumberType, bytes: Uint8Array, pieceBytes: number) => {
  const scan = new NumberScan([{ tensor: 'x', at: 0, bytes: bytes.length, type }]);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    scan.take(Uint8Array.prototype.slice.call(bytes, at, at + pieceBytes), at);
  }
  return scan.found();
};

/** Values at the edges of each kind come up often: exponents of ones but for a bit, the greatest numbers, signs alone. */
const edge = fc.constantFrom(0x00, 0x7b, 0x7c, 0x7f, 0x80, 0xef, 0xf0, 0xff);

it.each(Object.entries(SLOW))(
  '%s: as many are not finite as by looking at each',
  (name, { bytes, isNonFinite }) => {
    const type = name as keyof typeof SLOW;
    const places = fc.array(fc.record({ at: fc.nat(49_999), byte: fc.oneof(edge, fc.nat(255)) }));
    fc.assert(
      fc.property(
        fc.nat(6000),
        places,
        fc.integer({ min: 1, max: 60_000 }),
        (count, set, piece) => {
          const content = new Uint8Array(count * bytes);
          for (const { at, byte } of set) if (at < content.length) content[at] = byte;
          const view = new DataView(content.buffer);
          let nonFinite = 0;
          for (let at = 0; at < content.length; at += bytes) {
            if (isNonFinite(view, at)) nonFinite += 1;
          }
          expect(found(type, content, piece)).toMatchObject({
            ...{ scanned: count, nonFinite },
          });
        },
      ),
      { numRuns: 60 },
    );
  },
);

it.each(Object.entries(SLOW))(
  '%s: every pattern of bits of one number',
  (name, { bytes, isNonFinite }) => {
    const type = name as keyof typeof SLOW;
    // The uppermost two bytes have the whole exponent of each, and the last of the others are its smallest bits.
    const tops = Math.min(0x10000, 2 ** (8 * bytes));
    const content = new Uint8Array(tops * bytes);
    const view = new DataView(content.buffer);
    let nonFinite = 0;
    for (let top = 0; top < tops; top += 1) {
      if (bytes === 1) view.setUint8(top, top);
      else view.setUint16(top * bytes + bytes - 2, top, true);
      if (isNonFinite(view, top * bytes)) nonFinite += 1;
    }
    expect(nonFinite).toBeGreaterThan(0);
    expect(found(type, content, 1 << 20)).toMatchObject({ nonFinite, allZero: [] });
  },
);

it.each(Object.keys(SLOW))(
  '%s: one bit anywhere in it is not all zero, a sign alone is',
  (name) => {
    const type = name as keyof typeof SLOW;
    const { bytes } = SLOW[type];
    for (let bit = 0; bit < bytes * 8; bit += 1) {
      const content = new Uint8Array(bytes * 7);
      content[bytes * 5 + (bit >> 3)] = 1 << (bit & 7);
      const isSign = bit === bytes * 8 - 1;
      expect(found(type, content, 1 << 20)?.allZero).toEqual(isSign ? ['x'] : []);
    }
  },
);
