import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import { reading } from '../../shared/detectors/box.fixture.ts';
import { detectors } from '../../shared/detectors/catalog.ts';
import { LIVE } from '../../shared/detectors/cases.fixture.ts';
import { problem } from '../../shared/problem.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import { NO_GPU_FACTS, type GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { shippedCatalog } from '../gotchas/gotchas.fixture.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { FindingsWatch } from './findings-watch.ts';

const BOX: Box = {
  id: 'b7b7f0de-1111-4222-8333-444455556666',
  name: 'train-a',
  platform: 'generic-ssh',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};
const ENTRY: FleetEntry = {
  box: BOX,
  link: { kind: 'idle' },
  telemetry: { kind: 'off' },
  flavour: { kind: 'unknown' },
  gpus: null,
  load: null,
};
const OTHER: Box = { ...BOX, id: 'c8c8f0de-1111-4222-8333-444455556666' };
const STARVED = { smPct: 40, memoryUsedMiB: 9000 };

let hub: StreamHub;
let roster: BoxRoster;
let readings: Source<OfBox<ReadingsCycle>>;
let facts: Source<OfBox<GpuFactsState>>;
let watch: FindingsWatch;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  hub = new StreamHub();
  roster = new BoxRoster(hub);
  [readings, facts] = [new Source(), new Source()];
  watch = new FindingsWatch({
    hub,
    roster,
    readings,
    facts,
    patrols: new Source(),
    needCatalog: () => watch.useCatalog(shippedCatalog()),
  });
  roster.put(ENTRY);
  setTelemetry(LIVE);
});
afterEach(() => {
  watch.close();
  hub.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function setTelemetry(telemetry: FleetEntry['telemetry']): void {
  roster.change(BOX.id, { telemetry });
}

/** The box prints a row a second for so long. */
async function print(
  seconds: number,
  told: Partial<GpuReading> = STARVED,
  boxId = BOX.id,
): Promise<void> {
  for (let i = 0; i < seconds; i += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    readings.tell({ boxId, value: { atMs: Date.now(), readings: [reading(told)] } });
  }
}

const now = (): BoxFindings | undefined => watch.state.boxes[BOX.id];
const ids = (): readonly string[] | undefined => now()?.findings.map(({ detector }) => detector);

describe('FindingsWatch', () => {
  it('says before the first row that nothing is known', () => {
    expect(ids()).toEqual([]);
    const unknown = now()?.unknown.map(({ detector }) => detector);
    expect(unknown?.sort()).toEqual(detectors.map(({ id }) => id).sort());
  });

  it('finds what the rows of a box show, and puts it into money where the price is known', async () => {
    await print(95);
    expect(now()?.findings).toMatchObject([{ detector: 'U24', costPerHour: null }]);
    watch.priceIs(BOX.id, { micros: 2_500_000, currency: 'USD' });
    const priced = [{ detector: 'U24', costPerHour: { micros: 1_500_000, currency: 'USD' } }];
    expect(now()?.findings).toMatchObject(priced);
    // What stands at another place costs the same until somebody says otherwise.
    const moved = { ...BOX, address: { ...BOX.address, host: '192.0.2.8' } };
    roster.put({ ...ENTRY, box: moved, telemetry: LIVE });
    await print(95);
    expect(now()?.findings).toMatchObject(priced);
  });

  it('knows a price that was said before the box came', async () => {
    watch.priceIs(OTHER.id, { micros: 2_500_000, currency: 'USD' });
    roster.put({ ...ENTRY, box: OTHER, telemetry: LIVE });
    await print(95, STARVED, OTHER.id);
    expect(watch.state.boxes[OTHER.id]?.findings).toMatchObject([
      { costPerHour: { micros: 1_500_000, currency: 'USD' } },
    ]);
  });

  it('keeps a finding over a lost link as not seen, and goes on with it afterwards', async () => {
    await print(95);
    const sinceMs = now()?.findings[0]?.sinceMs;
    setTelemetry({ kind: 'off' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(now()?.findings).toMatchObject([
      { notSeenBecause: 'the box is not connected', sinceMs },
    ]);
    setTelemetry(LIVE);
    await print(95);
    expect(now()?.findings).toMatchObject([{ notSeenBecause: null, sinceMs }]);
  });

  it('takes in every row, and judges rows no more than every 2 s', async () => {
    const [taken, judged] = [
      vi.spyOn(BoxDetectors.prototype, 'useReadings'),
      vi.spyOn(BoxDetectors.prototype, 'judge'),
    ];
    await print(20);
    expect(taken).toHaveBeenCalledTimes(20);
    expect(judged).toHaveBeenCalledTimes(10);
  });

  it('notices by itself that a stream has fallen silent', async () => {
    await print(40, { smPct: 97, memoryUsedMiB: 9000 });
    const isUnknown = (): boolean =>
      now()?.unknown.some(({ detector }) => detector === 'U21') ?? false;
    expect(now()?.unknown.some(({ detector }) => detector === 'U24')).toBe(true); // 60 s until clear
    await print(40, { smPct: 97, memoryUsedMiB: 9000 });
    expect(now()?.unknown.some(({ detector }) => detector === 'U24')).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(now()?.unknown.some(({ detector }) => detector === 'U24')).toBe(true);
    expect(isUnknown()).toBe(true);
  });

  it('listens to the slow facts and to a stream that failed', async () => {
    const hangs = {
      atMs: Date.now(),
      problem: problem('gpu-tool-hangs', 'nvidia-smi does not answer.'),
    };
    facts.tell({ boxId: BOX.id, value: { facts: null, problem: hangs } });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(ids()).toEqual(['driver']);
    facts.tell({ boxId: BOX.id, value: NO_GPU_FACTS });
    setTelemetry({
      kind: 'failed',
      problem: problem('no-gpu', 'The driver sees no GPU.', { detail: 'No devices were found' }),
      sinceMs: Date.now(),
      retryAtMs: Date.now(),
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(ids()).toContain('U31');
  });

  it('forgets what was believed about a place that the box has left', async () => {
    await print(95);
    expect(ids()).toEqual(['U24']);
    const moved = { ...BOX, address: { ...BOX.address, host: '192.0.2.8' } };
    roster.put({ ...ENTRY, box: moved, telemetry: LIVE });
    expect(ids()).toEqual([]);
  });

  it('goes on with what it believes of a box that never answered, whatever it is called', async () => {
    const telemetry: FleetEntry['telemetry'] = {
      kind: 'failed',
      problem: problem('no-gpu', 'The driver sees no GPU.', { detail: 'No devices were found' }),
      sinceMs: Date.now(),
      retryAtMs: Date.now(),
    };
    setTelemetry(telemetry);
    await vi.advanceTimersByTimeAsync(30_000);
    const [before] = now()?.findings ?? [];
    expect(before?.detector).toBe('U31');
    const renamed = { ...BOX, name: 'train-b', tags: ['eval'] };
    roster.put({ ...ENTRY, box: renamed, telemetry });
    expect(now()?.findings).toMatchObject([{ detector: 'U31', sinceMs: before?.sinceMs }]);
  });

  it('leaves nothing behind of a box that is removed', async () => {
    await print(95);
    roster.remove(BOX.id);
    expect(now()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    await print(5);
    expect(now()).toBeUndefined();
  });

  it('publishes changes at once and numbers every ten seconds', async () => {
    let published = 0;
    const stop = watch.findings.follow(() => (published += 1));
    await print(95);
    const before = published;
    await print(60);
    expect(published - before).toBe(6);
    stop();
  });
});
