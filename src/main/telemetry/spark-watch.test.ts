import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { SparkMinute, SparksState } from '../../shared/streams/sparks-stream.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { SparkWatch } from './spark-watch.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const box = newBox(1);

let hub: StreamHub;
let roster: BoxRoster;
let figures: Source<OfBox<LatestFigures>>;
let watch: SparkWatch;
let past: readonly SparkMinute[];
beforeEach(() => {
  past = [];
  hub = new StreamHub();
  hub.addClient(1, () => undefined);
  roster = new BoxRoster(hub);
  figures = new Source();
  watch = new SparkWatch({
    hub,
    roster,
    figures,
    pastOf: () => Promise.resolve(past),
    now: () => NOW,
  });
});
afterEach(() => {
  watch.close();
  hub.dispose();
});

const put = (part: Partial<Box> = {}): void => roster.put(untouchedEntry({ ...box, ...part }));
const read = (atMs: number, ...smPct: readonly (number | null)[]): void => {
  const readings = smPct.map((each, index) => ({ index, smPct: each }) as GpuReading);
  figures.tell({ boxId: box.id, value: foldReadings(atMs, readings) });
};
const spark = () => {
  const opened = hub.open(1, 'sparks', '');
  if (!opened.ok) throw new Error(opened.error.message);
  return (opened.value.state as SparksState).boxes[box.id];
};

describe('SparkWatch', () => {
  it('gives the mean over cards and samples of each minute that is over', () => {
    put();
    read(NOW, 10, 30);
    read(NOW + 1000, 40, null);
    expect(spark()).toBeUndefined();
    read(NOW + MINUTE, 0);
    expect(spark()).toEqual({ lastMinute: 1000, smPct: [30] });
  });

  it('tells silence as silence, and cards that do not report as unknown', () => {
    put();
    read(NOW, 50);
    read(NOW + 3 * MINUTE, null);
    read(NOW + 4 * MINUTE, 1);
    expect(spark()).toEqual({ lastMinute: 1003, smPct: [50, null, null, null] });
  });

  it('begins with what earlier sessions kept', async () => {
    past = [{ minute: 990, smPct: 80 }];
    put();
    await watch.settled();
    expect(spark()).toEqual({ lastMinute: 990, smPct: [80] });
  });

  it('says nothing of the place where a box was before it moved', () => {
    put();
    read(NOW, 50);
    read(NOW + MINUTE, 50);
    put({ name: 'another name' });
    expect(spark()).toEqual({ lastMinute: 1000, smPct: [50] });
    put({ address: { ...box.address, port: 23 } });
    expect(spark()).toBeUndefined();
    read(NOW + 2 * MINUTE, 9);
    read(NOW + 3 * MINUTE, 9);
    expect(spark()).toEqual({ lastMinute: 1002, smPct: [9] });
  });

  it('forgets a box that goes, also while its past is being read', async () => {
    past = [{ minute: 990, smPct: 80 }];
    put();
    roster.remove(box.id);
    await watch.settled();
    read(NOW, 1);
    read(NOW + MINUTE, 1);
    expect(spark()).toBeUndefined();
  });
});
