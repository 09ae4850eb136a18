import { expect, it } from 'vitest';
import { maskedCrc32c } from '../../verify/crc32c.ts';
import { SeriesSet } from '../progress/series-set.ts';
import type { MetricSeries } from '../progress/metric-series.ts';
import { CsvMetricsReader } from './csv-metrics.ts';
import { readScalarEvent } from './event-scalars.ts';
import { readEvents, sample, told } from './event-files.fixture.ts';
import { likelySource, metricSourcesOf } from './metric-file.ts';

const BEGAN_MS = 1_790_000_000_000;

const brief = (series: MetricSeries | undefined) =>
  series && [
    series.count,
    series.steps.at(-1),
    series.atMs.at(-1),
    series.values[1],
    series.values.at(-1),
  ];

it.each([1, 7, 100_000])('reads what tensorboardX wrote, in pieces of %i bytes', (size) => {
  const { read, damagedAt } = readEvents(sample('tensorboardx'), size);
  expect([...read.keys()]).toEqual(['train/loss', 'lr', 'grad']);
  expect(brief(read.get('train/loss'))).toEqual([
    30,
    29,
    BEGAN_MS + 29_000,
    2,
    expect.closeTo(4 / 30),
  ]);
  expect(read.get('grad')).toMatchObject({ values: [NaN], bad: { count: 1, firstStep: 29 } });
  expect(damagedAt).toBeNull();
});

it('reads the tensors of one element that tensorboard writes', () => {
  const { read } = readEvents(sample('tensorboard'));
  expect([...read.keys()]).toEqual(['val/loss', 'accuracy']);
  expect(brief(read.get('val/loss'))).toEqual([
    30,
    29,
    BEGAN_MS + 29_000,
    1.5,
    expect.closeTo(0.1),
  ]);
  expect(brief(read.get('accuracy'))?.[4]).toBeCloseTo(29 / 30);
});

it.each(['torch', 'keras-train', 'keras-validation', 'tensorflow'])(
  'reads of %s what TensorBoard reads of it',
  (name) => {
    const { read, damagedAt } = readEvents(sample(name), 1000);
    expect(damagedAt).toBeNull();
    const expected = told(name);
    expect([...read.keys()].sort()).toEqual(Object.keys(expected).sort());
    for (const [tag, points] of Object.entries(expected)) {
      const { steps = [], values = [], atMs = [] } = read.get(tag) ?? {};
      expect([tag, steps.map((step, at) => [step, values[at]])]).toEqual([
        tag,
        points.map(([step, , value]) => [step, value]),
      ]);
      for (const [at, [, seconds]] of points.entries()) {
        expect(atMs[at]).toBeCloseTo(seconds * 1000, 0);
      }
    }
  },
);

it('waits for a record that is cut off, and stops at one that is damaged', () => {
  const whole = sample('tensorboardx');
  const torn = readEvents(whole.subarray(0, 2000));
  expect(torn.damagedAt).toBeNull();
  expect(torn.read.get('train/loss')?.count).toBeLessThan(30);
  const damaged = Uint8Array.from(whole);
  damaged[2010] = (damaged[2010] ?? 0) ^ 0x40;
  const { read, damagedAt } = readEvents(damaged);
  expect(read.get('train/loss')?.count).toBe(torn.read.get('train/loss')?.count);
  expect(damagedAt).toBeGreaterThan(1800);
  expect(readEvents(new TextEncoder().encode('not a record at all, but a text\n'))).toMatchObject({
    damagedAt: 0,
  });
});

/** A record as TFRecord files frame it. */
function record(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(content.length), true);
  view.setUint32(8, maskedCrc32c(bytes.subarray(0, 8)), true);
  bytes.set(content, 12);
  view.setUint32(12 + content.length, maskedCrc32c(content), true);
  return bytes;
}

it('passes over a record that is too long to be kept, whole or in pieces', () => {
  const long = record(new Uint8Array(600_000));
  const both = new Uint8Array(long.length + sample('tensorboard').length);
  both.set(long);
  both.set(sample('tensorboard'), long.length);
  for (const size of [both.length, 1000]) {
    expect(readEvents(both, size).read.get('val/loss')?.count).toBe(30);
  }
});

it.each([
  [[0x6c, 0x72], 'lr'],
  [[0xe6, 0x8d, 0x9f, 0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xa9], '损\u{1f600}é'],
  [[0x61, 0xe6, 0x8d], 'a??'],
  [[0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xff], '??????'],
  [[0x1b, 0x61, 0xc2, 0x9b, 0xf4, 0x90, 0x80, 0x80], '?a?????'],
])('reads the tag %j as %j', (tag, text) => {
  const value = [0x0a, tag.length, ...tag, 0x15, 0, 0, 0x80, 0x3f];
  const event = [0x2a, value.length + 2, 0x0a, value.length, ...value];
  expect(readScalarEvent(Uint8Array.from(event))?.values).toEqual([{ tag: text, value: 1 }]);
});

it('takes any bytes for no message rather than fail', () => {
  const bytes = sample('tensorboard');
  for (let at = 0; at < 400; at += 1)
    expect(() => readScalarEvent(bytes.subarray(at))).not.toThrow();
  for (let at = 0; at < 400; at += 1) {
    expect(() => readScalarEvent(bytes.subarray(12, 12 + at))).not.toThrow();
  }
});

function readCsv(text: string, pieceChars = text.length) {
  const series = new SeriesSet((said) => said);
  const reader = new CsvMetricsReader(series);
  for (let at = 0; at < text.length; at += pieceChars) reader.take(text.slice(at, at + pieceChars));
  return series
    .takeChanges()
    .map(({ name, steps, atMs, values }) => ({ name, steps, atMs, values }));
}

it.each([1, 1000])('reads a table as it grows, in pieces of %i', (size) => {
  const table =
    'epoch,step,"train loss, mean",val_loss,note\r\n0,10,0.5,,\r\n0,20,.25,nan,\r\n1,30,1e-3,-inf,"1,5"\r\n1,40,0.1,0';
  expect(readCsv(table, size)).toEqual([
    {
      name: 'train loss, mean',
      steps: [10, 20, 30],
      atMs: [null, null, null],
      values: [0.5, 0.25, 0.001],
    },
    { name: 'val_loss', steps: [20, 30], atMs: [null, null], values: [NaN, -Infinity] },
  ]);
});

it('reads times and epochs, and goes on where the head comes again', () => {
  expect(readCsv('epoch,time,loss\n1,1790000000,2\nepoch,time,loss\n2,1790000060,1\n')).toEqual([
    { name: 'loss', steps: [1, 2], atMs: [BEGAN_MS, BEGAN_MS + 60_000], values: [2, 1] },
  ]);
  expect(readCsv('1,2\n3,4\n')).toEqual([]);
  expect(readCsv(`a,b\n${'9'.repeat(40_000)}\n1,2\n`).map(({ values }) => values)).toEqual([
    [1],
    [2],
  ]);
});

it('finds what has figures among the results, and knows which a person wants', () => {
  const file = (path: string, modifiedAtMs: number) => ({ path, bytes: 10, modifiedAtMs });
  const sources = metricSourcesOf([
    file('tb/events.out.tfevents.2.host', 30),
    file('tb/events.out.tfevents.1.host', 20),
    file('data.csv', 90),
    file('a\nb.csv', 99),
    file('out/metrics.jsonl', 50),
    file('model.pt', 60),
  ]);
  expect(sources).toEqual([
    { path: 'data.csv', kind: 'csv', files: ['data.csv'], bytes: 10, modifiedAtMs: 90 },
    {
      path: 'out/metrics.jsonl',
      kind: 'jsonl',
      files: ['out/metrics.jsonl'],
      bytes: 10,
      modifiedAtMs: 50,
    },
    {
      path: 'tb',
      kind: 'tensorboard',
      files: ['tb/events.out.tfevents.1.host', 'tb/events.out.tfevents.2.host'],
      bytes: 20,
      modifiedAtMs: 30,
    },
  ]);
  expect(likelySource(sources)?.path).toBe('tb');
  expect(likelySource(sources.slice(0, 2))?.path).toBe('out/metrics.jsonl');
  expect(likelySource(sources.slice(0, 1))).toBeNull();
});

it('reads two hundred columns and two hundred values of an event, however many a box makes up', () => {
  const names: string[] = [];
  const series = { add: (name: string) => names.push(name) } as unknown as SeriesSet;
  const row = (cell: (at: number) => string): string =>
    `${Array.from({ length: 300 }, (_, at) => cell(at)).join(',')}\n`;
  const table = new CsvMetricsReader(series);
  table.take(row((at) => `name${String(at)}`) + row((at) => String(at)));
  expect([names.length, names.at(-1)]).toEqual([200, 'name199']);

  // summary (5) { value (1) { tag (1): "a", simple_value (2): 0 } … }
  const one = [0x0a, 8, 0x0a, 1, 0x61, 0x15, 0, 0, 0, 0];
  const all = Array.from({ length: 300 }, () => one).flat();
  const event = Uint8Array.from([0x2a, (all.length & 0x7f) | 0x80, all.length >> 7, ...all]);
  expect(readScalarEvent(event)?.values).toHaveLength(200);
});
