import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cutsOf, flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';

const records = specimen('records/tensorflow-2.21.0--examples.tfrecord');
const events = specimen('records/tensorflow-2.21.0--events.out.tfevents.1.v2');
const SAMPLES = new URL('../../../shared/runs/metric-files/samples/', import.meta.url);

it('what TensorFlow wrote is loaded, also where it is compressed as a whole', async () => {
  expect(await loadAll('records')).toEqual({
    'tensorflow-2.21.0--events.out.tfevents.1.v2': '14 events, 12 scalars',
    'tensorflow-2.21.0--examples.tfrecord': '5 records',
    'tensorflow-2.21.0--gzip.tfrecord': '1 record',
    'tensorflow-2.21.0--none.tfrecords': '0 records',
    'tensorflow-2.21.0--one-empty.tfrecord-00000-of-00002': '1 record',
    'tensorflow-2.21.0--zlib.tfrecord': '1 record',
  });
});

it.each(['keras-train', 'tensorboard', 'tensorboardx', 'tensorflow', 'torch'])(
  'events that %s wrote are loaded',
  async (name) => {
    const bytes = readFileSync(new URL(`${name}.tfevents`, SAMPLES));
    expect(await load(`${name}.tfevents`, bytes, 1000)).toMatchObject({ kind: 'loaded' });
  },
);

it.each([1, 13, 1 << 20])('curves that are NaN are named, in pieces of %i bytes', async (piece) => {
  expect(await load('events.out.tfevents.1.v2', events, piece)).toMatchObject({
    numbers: { scanned: 12, nonFinite: 1, affected: [{ tensor: 'train/loss', count: 1 }] },
  });
});

it('a bit flipped anywhere is found out', async () => {
  expect(await passedOf('x.tfrecord', flipsOf(records, 0, records.length))).toEqual([]);
});

it.each(['gzip', 'zlib'])(
  'compressed with %s, it is found out with a bit flipped in what counts, and wherever it is cut off',
  async (way) => {
    const packed = specimen(`records/tensorflow-2.21.0--${way}.tfrecord`);
    // A tape may fill up what gzip wrote with zeros.
    const filled = way === 'gzip' ? [packed.length] : [];
    expect(await passedOf('x.tfrecord', cutsOf(packed))).toEqual([0, ...filled]);
    expect(await passedOf('x.tfrecord', flipsOf(packed, packed.length - 4, packed.length))).toEqual(
      [],
    );
    // What unpacks well may be no records.
    const other = (way === 'gzip' ? gzipSync : deflateSync)(records.subarray(0, -1));
    expect(await load('x.tfrecord', other)).toMatch(
      /^damaged: it is cut off: behind 4 whole records/,
    );
    const broken = Buffer.from(records).fill(0, 40, 44);
    const packedBroken = (way === 'gzip' ? gzipSync : deflateSync)(broken);
    expect(await load('x.tfrecord', packedBroken)).toMatch(/^damaged: a checksum is wrong behind/);
  },
);

/** Where a record ends, a file that was cut off is whole: nothing in it says how many there were. */
function endsOf(bytes: Buffer): number[] {
  const ends = [0];
  for (let at = 0; at < bytes.length; ends.push(at)) at += 16 + Number(bytes.readBigUInt64LE(at));
  return ends;
}

it('is found out wherever it is cut off within a record', async () => {
  expect(await passedOf('x.tfrecord', cutsOf(records))).toEqual(endsOf(records).slice(0, -1));
  const [, ...ends] = endsOf(events);
  expect(await passedOf('x.tfevents.1', cutsOf(events))).toEqual(ends.slice(0, -1));
});

it('says how many records of a writer that was killed are whole', async () => {
  const at = endsOf(events).at(-2) ?? 0;
  expect(await load('x.tfevents.1', events.subarray(0, -3))).toBe(
    `damaged: it is cut off: behind 13 whole records, at byte ${String(at)}, begins one that has no end`,
  );
  const over = Buffer.concat([events.subarray(0, at), Buffer.alloc(events.length - at)]);
  expect(await load('x.tfevents.1', over)).toBe(
    `damaged: a checksum is wrong behind 13 whole records, at byte ${String(at)}`,
  );
  expect(await load('x.tfevents.1', Buffer.alloc(0))).toMatch(/^damaged: not even its first/);
});
