import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { FiguresWire } from '../../shared/streams/figures-stream.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { StreamBatch } from '../../shared/streams/stream.ts';
import type { BoxLoad } from '../../shared/telemetry/box-load.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { FiguresWatch } from './figures-watch.ts';

const WINDOW = 1;
const box = newBox(1);

let hub: StreamHub;
let roster: BoxRoster;
let readings: Source<OfBox<ReadingsCycle>>;
let watch: FiguresWatch;
/** Every load that the roster was told, and so every window. */
let told: (BoxLoad | null)[];
let batches: StreamBatch<unknown>[];

beforeEach(() => {
  vi.useFakeTimers();
  hub = new StreamHub(Date.now);
  batches = [];
  hub.addClient(WINDOW, (batch) => batches.push(batch));
  roster = new BoxRoster(hub);
  readings = new Source();
  watch = new FiguresWatch({ hub, roster, readings });
  roster.put({
    ...untouchedEntry(box),
    link: { kind: 'up', sinceMs: 0, latencyMs: null },
  });
  told = [];
  roster.follow({ changed: ({ load }) => told.push(load) });
});
afterEach(() => {
  watch.close();
  hub.dispose();
  vi.useRealTimers();
});

/** A sample a second, as it comes from a box. */
function read(...smPct: readonly (number | null)[]): void {
  vi.advanceTimersByTime(1000);
  const cards = smPct.map((each, index) => ({ index, smPct: each }) as GpuReading);
  readings.tell({ boxId: box.id, value: { atMs: Date.now(), readings: cards } });
}

function openFigures(): { readonly subscription: number; readonly state: FiguresWire } {
  const opened = hub.open(WINDOW, 'figures', '');
  if (!opened.ok) throw new Error(opened.error.message);
  return { ...opened.value, state: opened.value.state as FiguresWire };
}

describe('the load of a box in the list', () => {
  it('is told at once where it has another word, and where it has not, a few seconds later', () => {
    read(50);
    expect(told).toEqual([{ kind: 'working', smPct: 50 }]);
    for (let second = 1; second <= 10; second += 1) read(50 + second);
    const figures = told.flatMap((load) => (load?.kind === 'working' ? [load.smPct] : []));
    expect(figures.length).toBe(3);
    expect(figures.at(-1)).toBeGreaterThan(55);
    read(0);
    expect(told.at(-1)).toEqual({ kind: 'idle', smPct: 0 });
  });

  it('is told once where nothing changes', () => {
    for (let second = 1; second <= 20; second += 1) read(70);
    for (let second = 1; second <= 20; second += 1) read(0, 0);
    for (let second = 1; second <= 20; second += 1) read(0, null);
    for (let second = 1; second <= 20; second += 1) read(null);
    expect(told.map((load) => load?.kind)).toEqual([
      'working',
      'idle',
      'partly-reported',
      'unreported',
    ]);
  });

  it('is the past where samples come no more, with the time of the last one, and the present again with the next', () => {
    read(50);
    const seenAtMs = Date.now();
    expect(watch.currentOf(box.id)).toMatchObject({ atMs: seenAtMs, smPct: 50 });
    vi.advanceTimersByTime(5000);
    expect(roster.entryOf(box.id)?.load?.kind).toBe('working');
    vi.advanceTimersByTime(1000);
    expect(roster.entryOf(box.id)?.load).toEqual({ kind: 'stale', seenAtMs });
    expect(watch.currentOf(box.id)).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(2);
    read(null);
    expect(roster.entryOf(box.id)?.load).toEqual({ kind: 'unreported' });
  });

  it('says nothing of the place where a box was before it moved', () => {
    read(50);
    const entry = roster.entryOf(box.id);
    if (entry === null) throw new Error('no entry');
    roster.put({ ...entry, load: null });
    expect(watch.currentOf(box.id)).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(roster.entryOf(box.id)?.load).toBeNull();
  });
});

describe('the figures of all boxes', () => {
  it('go with each sample to who looks, from the newest on, and to nobody else', () => {
    read(10, 30);
    expect(batches).toEqual([]);
    const { subscription, state } = openFigures();
    expect(state).toEqual([[box.id, expect.objectContaining({ cards: 2, smPct: 20 })]]);
    read(40, 60);
    read(50, 70);
    expect(batches.map((batch) => batch.deltas)).toEqual([
      [{ boxId: box.id, figures: expect.objectContaining({ smPct: 50 }) as object }],
      [{ boxId: box.id, figures: expect.objectContaining({ smPct: 60 }) as object }],
    ]);
    hub.close(WINDOW, subscription);
    read(60, 80);
    expect(batches).toHaveLength(2);
  });

  it('go with the box', () => {
    read(10);
    roster.remove(box.id);
    expect(openFigures().state).toEqual([]);
    expect(watch.currentOf(box.id)).toBeNull();
  });
});
