import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { PriceEntries } from '../../shared/meter/price-entries.ts';
import type { Problem } from '../../shared/problem.ts';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { Meter } from './meter.ts';
import { BOX, ToldBox } from './meter.fixture.ts';

const H = 3_600_000;
const PRICES: PriceEntries = {
  compute: { micros: 3_600_000, currency: 'CNY', per: 'hour' },
  disks: [{ tier: 'data disk', sizeGB: 50, rate: null }],
  others: [],
};
const cny = (micros: number) => [{ micros, currency: 'CNY' }];

let database: Database;
let told: ToldBox;
let meter: Meter;
let problems: Problem[];
let priced: string[];
let shown: BoxMeter | null;

function start(): void {
  told = new ToldBox();
  meter = new Meter({
    hub: told.hub,
    ledger: database.ledger,
    entries: database.entries,
    profileOf: () => shippedProfile('autodl'),
    onProblem: (found) => problems.push(found),
    onPriced: (boxId) => priced.push(boxId),
    now: () => ({ wallMs: Date.now(), upMs: Math.round(performance.now()) }),
  });
  told.hub.follow('meter', '', ({ value }) => (shown = value));
  told.appears();
}

function quit(): void {
  meter.close();
  told.hub.dispose();
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-28T12:00:00Z') });
  database = openTemporaryDatabase();
  problems = [];
  priced = [];
  start();
});
afterEach(() => {
  quit();
  expect(vi.getTimerCount()).toBe(0);
  database.close();
  vi.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  meter.refresh();
}

describe('Meter', () => {
  it('knows nothing of a box before it is seen or somebody says something', () => {
    expect(shown).toMatchObject({ phase: null, burnPerHour: null, total: { known: [] } });
    expect(meter.pricePerHour(BOX.id)).toBeNull();
  });

  it('counts a box that runs, and says that its price is not known until it is told', async () => {
    told.answers(60_000);
    await pass(H);
    expect(shown).toMatchObject({
      phase: 'running',
      source: 'observed',
      burnPerHour: { money: [], isPartly: true },
      total: { known: [], unpricedMs: H },
    });
    expect(meter.setPrices(BOX.id, PRICES)).toEqual({ ok: true, value: null });
    expect(priced).toEqual([BOX.id]);
    expect(meter.pricePerHour(BOX.id)).toEqual({ micros: 3_600_000, currency: 'CNY' });
    await pass(H);
    // What the data disk costs while it runs, the profile does not say.
    expect(shown).toMatchObject({
      burnPerHour: { money: cny(3_600_000), isPartly: true },
      total: { known: cny(3_600_000), unpricedMs: 2 * H },
    });
  });

  it('keeps what nobody saw apart until the box tells', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(10 * 60_000);
    told.isLost();
    await pass(20 * 60_000);
    expect(shown?.total).toMatchObject({
      known: cny(600_000),
      unresolved: cny(1_200_000),
      unresolvedMs: 1_200_000,
    });
    told.answers(60_000 + 30 * 60_000);
    await pass(10_000);
    expect(shown?.total).toMatchObject({ known: cny(1_810_000), unresolved: [], unresolvedMs: 0 });
  });

  it('infers the time in which Leasehold was closed from the box, and marks it', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    quit();
    await pass(2 * H);
    start();
    expect(shown?.total).toMatchObject({ known: cny(3_600_000), unresolved: cny(7_200_000) });
    // It was started anew one hour ago: of the hour before nobody knows.
    told.answers(H, 'boot-2');
    await pass(10_000);
    expect(shown?.total).toMatchObject({ known: cny(7_210_000), unresolved: cny(3_600_000) });
    const lines = meter.ledgerOf(BOX.id);
    const sources = lines.ok ? lines.value.intervals.map(({ source }) => source) : [];
    expect(new Set(sources)).toEqual(new Set(['observed', 'unresolved', 'inferred']));
  });

  it('believes “I stopped it”, even while the box still answers for a moment', async () => {
    meter.setPrices(BOX.id, {
      ...PRICES,
      disks: [
        { tier: 'data disk', sizeGB: 50, rate: { micros: 7200, currency: 'CNY', per: 'hour' } },
      ],
    });
    told.answers(60_000);
    await pass(H);
    expect(meter.setPhase(BOX.id, 'stopped')).toEqual({ ok: true, value: null });
    await pass(5000);
    told.answers(60_000 + H + 5000);
    told.isLost();
    await pass(2 * H - 5000);
    expect(shown).toMatchObject({
      phase: 'stopped',
      burnPerHour: { money: cny(7200), isPartly: false },
      total: { known: cny(3_600_000 + 7200 + 14_400), unresolvedMs: 0 },
    });
    expect(meter.phaseOf(BOX.id)).toEqual({ phase: 'stopped', sinceMs: Date.now() - 2 * H });
  });

  it('takes a line out and a typed one in, and forgets neither', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    const before = meter.ledgerOf(BOX.id);
    const no = before.ok ? before.value.intervals[0]!.no : 0;
    expect(meter.takeOut(BOX.id, no, 'a free hour')).toEqual({ ok: true, value: null });
    expect(meter.takeOut(BOX.id, no, 'again')).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    const charges = [
      { kind: 'other', what: 'setup', rate: { micros: 5_000_000, currency: 'USD', per: 'hour' } },
    ] as const;
    meter.addLine(BOX.id, { fromMs: Date.now() - H, ms: H, phase: 'running', charges });
    expect(shown?.total.known).toEqual([{ micros: 5_000_000, currency: 'USD' }]);
    quit();
    start();
    const after = meter.ledgerOf(BOX.id);
    expect(after.ok && after.value.corrections).toMatchObject([
      { voids: no, reason: 'a free hour' },
    ]);
    expect(shown?.total.known).toEqual([{ micros: 5_000_000, currency: 'USD' }]);
  });

  it('writes at least twice a minute, and catches up when the disk refused', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    const write = vi
      .spyOn(database.ledger, 'write')
      .mockReturnValue(err(problem('disk-full', 'full')));
    await pass(5 * 60_000);
    expect(problems.map(({ code }) => code)).toEqual(['disk-full']);
    write.mockRestore();
    await pass(31_000);
    const stored = database.ledger.read(BOX.id);
    const ms = stored.ok ? stored.value.intervals.reduce((sum, line) => sum + line.ms, 0) : 0;
    expect(ms).toBeGreaterThan(5 * 60_000);
    expect(Date.parse('2026-03-28T12:05:31Z') - Date.now()).toBe(0);
    expect(5 * 60_000 + 31_000 - ms).toBeLessThanOrEqual(30_000);
  });

  it('names a clock that went back while Leasehold was closed, and counts nothing for it', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    quit();
    vi.setSystemTime(Date.now() - 24 * H);
    start();
    await pass(1000);
    expect(problems.map(({ code }) => code)).toEqual(['clock-wrong']);
    expect(shown?.total.unresolvedMs ?? 0).toBeLessThanOrEqual(1000);
  });

  it('keeps the ledger of a box that is forgotten', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    told.isForgotten();
    expect(shown).toBeNull();
    const stored = database.ledger.read(BOX.id);
    expect(stored.ok && stored.value.intervals.reduce((sum, line) => sum + line.ms, 0)).toBe(H);
  });
});
