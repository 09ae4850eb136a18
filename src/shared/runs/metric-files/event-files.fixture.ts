import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeriesSet } from '../progress/series-set.ts';
import { readScalarEvent } from './event-scalars.ts';
import { TfRecordReader } from './tf-records.ts';

const fileOf = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', name));
export const sample = (name: string): Uint8Array => fileOf(`${name}.tfevents`);

/** All scalars of a file, by their names, as its bytes come in pieces. */
export function readEvents(bytes: Uint8Array, pieceBytes = bytes.length) {
  const series = new SeriesSet((text) => text);
  const reader = new TfRecordReader((record) => {
    const event = readScalarEvent(record);
    for (const { tag, value } of event?.values ?? []) {
      series.add(tag, event?.step ?? null, event?.wallMs ?? null, value);
    }
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    reader.take(bytes.subarray(at, at + pieceBytes));
  }
  const read = new Map(series.takeChanges().map(({ from: _, ...one }) => [one.name, one]));
  return { read, damagedAt: reader.damagedAt };
}

type Points = readonly (readonly [step: number, seconds: number, value: number])[];

/** TensorBoard's own reading of each scalar. */
export function told(name: string): Readonly<Record<string, Points>> {
  const scalars = JSON.parse(fileOf(`${name}.json`).toString('utf8')) as Record<
    string,
    readonly (readonly [number, number, number | string])[]
  >;
  return Object.fromEntries(
    Object.entries(scalars).map(([tag, points]) => [
      tag,
      points.map(([step, seconds, value]) => [step, seconds, Number(value)] as const),
    ]),
  );
}
