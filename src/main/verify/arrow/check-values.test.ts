import { expect, it } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { NotLoadable } from '../damage.ts';
import { checkValues } from './check-values.ts';
import type { Column } from './schema.ts';

const VIEW_BYTES = 16;
const VIEWS = 200;
const TEXT_BYTES = 256 * 1024;

const column: Column = {
  ...{ name: 'text', children: [] },
  parts: [
    { kind: 'valid' },
    { kind: 'fixed', width: VIEW_BYTES, extra: 0, leads: 'text views' },
    { kind: 'more' },
  ],
};

/** Looks at views of one long text, and tells how many bytes of it were read. */
function look(fromOf: (no: number) => number, longOf: (no: number) => number): number {
  const views = Buffer.alloc(VIEWS * VIEW_BYTES);
  for (let no = 0; no < VIEWS; no += 1) {
    views.writeInt32LE(longOf(no), no * VIEW_BYTES);
    views.write('xxxx', no * VIEW_BYTES + 4);
    views.writeInt32LE(fromOf(no), no * VIEW_BYTES + 12);
  }
  const whole = Buffer.concat([views, Buffer.alloc(TEXT_BYTES, 'x')]);
  let bytes = 0;
  const source: ByteSource = {
    sizeBytes: whole.length,
    read: (at, length) => {
      bytes += length;
      return Uint8Array.prototype.slice.call(whole, at, at + length);
    },
  };
  checkValues(source, {
    ...{ column, of: 'the column "text"', length: VIEWS, nulls: 0 },
    places: [
      { at: 0, bytes: 0 },
      { at: 0, bytes: views.length },
      { at: views.length, bytes: TEXT_BYTES },
    ],
    ...{ childLengths: [], listLength: undefined },
  });
  return bytes - views.length;
}

it('a long text that a column has again and again is looked at once', () => {
  expect(
    look(
      () => 0,
      () => TEXT_BYTES,
    ),
  ).toBe(TEXT_BYTES);
});

it('long texts that lie in one another do not keep a reader', () => {
  const overlapping = (): number =>
    look(
      (no) => no,
      () => TEXT_BYTES - VIEWS,
    );
  expect(overlapping).toThrow(NotLoadable);
  expect(overlapping).toThrow('the column "text" has values that lie in one another too often');
});
