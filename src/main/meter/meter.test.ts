import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { priceEntries, type PriceEntries } from '../../shared/meter/price-entries.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Money } from '../../shared/money.ts';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { allLedgers, type MeteredLedger } from './all-ledgers.ts';
import { Meter } from './meter.ts';
import { BOX, ToldBox } from './meter.fixture.ts';

/** Ten minutes. At 3.6 an hour, a millisecond costs a millionth. */
const H = 600_000;
const PRICES: PriceEntries = {
  compute: { micros: 3_600_000, currency: 'CNY', per: 'hour' },
  disks: [{ tier: 'data disk', sizeGB: 50, perGB: null }],
  others: [],
  egress: null,
};
const perGB = { micros: 144, currency: 'CNY', per: 'hour' } as const;
const cny = (micros: number) => [{ micros, currency: 'CNY' }];

let database: Database;
let told: ToldBox;
let meter: Meter;
let problems: Problem[];
let priced: (Money | null)[];
let shown: BoxMeter | null;
let profile: Profile;

function start(): void {
  told = new ToldBox();
  meter = new Meter({
    hub: told.hub,
    ...told.sources,
    ledger: database.ledger,
    entries: database.entries,
    profileOf: () => profile,
    onProblem: (found) => problems.push(found),
    onPriced: (_boxId, perHour) => priced.push(perHour),
    now: () => ({ wallMs: Date.now(), upMs: Math.round(performance.now()) }),
  });
  told.hub.hear('meter', '', ({ value }) => (shown = value));
  // A window that shows it: nobody else has figures made every few seconds.
  told.hub.addClient(1, () => undefined);
  told.hub.open(1, 'meter', '');
  told.appears();
}

function quit(): void {
  meter.close();
  told.hub.dispose();
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-28T12:00:00Z') });
  database = openTemporaryDatabase();
  database.boxes.add(BOX);
  profile = shippedProfile('autodl');
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
  it('goes by other prices of a platform from the moment they are known, and only for its boxes', () => {
    meter.setPrices(BOX.id, PRICES, null);
    told.answers(60_000);
    const lines = () => {
      const ledger = meter.ledgerOf(BOX.id);
      return ledger.ok ? ledger.value.intervals : [];
    };
    vi.advanceTimersByTime(H);
    const before = lines();
    // 50 GB of it: 35 000 an hour.
    const price = { micros: 700, currency: 'CNY', per: 'GB-hour' } as const;
    const rates = { running: price, stopped: price, destroyed: null };
    profile = { ...profile, storage: profile.storage.map((tier) => ({ ...tier, rates })) };
    meter.factsChanged(new Set(['runpod']));
    expect(lines()).toEqual(before);
    meter.factsChanged(new Set(['autodl']));
    vi.advanceTimersByTime(H);
    expect(JSON.stringify(lines().slice(0, before.length))).not.toContain('"micros":35000');
    expect(JSON.stringify(lines().at(-1)?.charges)).toContain('"micros":35000');
  });

  it('knows nothing of a box before it is seen or somebody says something', () => {
    expect(shown).toMatchObject({ phase: null, burnPerHour: null, total: { known: [] } });
    expect(priced).toEqual([null]);
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
    expect(priced).toEqual([null, { micros: 3_600_000, currency: 'CNY' }]);
    await pass(H);
    // What the data disk costs while it runs, the profile does not say.
    expect(shown).toMatchObject({
      burnPerHour: { money: cny(3_600_000), isPartly: true },
      total: { known: cny(H), unpricedMs: 2 * H },
    });
  });

  it('sums up for who looks, and at once for who begins to', async () => {
    told.answers(60_000);
    await pass(H);
    told.hub.removeClient(1);
    const before = shown;
    await vi.advanceTimersByTimeAsync(H);
    expect(shown).toBe(before);
    told.hub.addClient(2, () => undefined);
    told.hub.open(2, 'meter', '');
    expect(shown).toMatchObject({ total: { unpricedMs: 2 * H } });
  });

  it('keeps what nobody saw apart until the box tells', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(60_000);
    told.isLost();
    await pass(120_000);
    expect(shown?.total).toMatchObject({
      known: cny(60_000),
      unresolved: cny(120_000),
      unresolvedMs: 120_000,
    });
    told.answers(60_000 + 180_000);
    await pass(10_000);
    expect(shown?.total).toMatchObject({ known: cny(190_000), unresolved: [], unresolvedMs: 0 });
  });

  it('infers the time in which Leasehold was closed from the box, and marks it', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    quit();
    await pass(2 * H);
    start();
    expect(shown?.total).toMatchObject({ known: cny(H), unresolved: cny(2 * H) });
    // It was started anew in the middle of that: of the time before nobody knows.
    told.answers(H, 'boot-2');
    await pass(10_000);
    expect(shown?.total).toMatchObject({
      known: cny(2 * H + 10_000),
      unresolved: cny(H),
    });
    const lines = meter.ledgerOf(BOX.id);
    const sources = lines.ok ? lines.value.intervals.map(({ source }) => source) : [];
    expect(new Set(sources)).toEqual(new Set(['observed', 'unresolved', 'inferred']));
  });

  it('believes “I stopped it”, even while the box still answers for a moment', async () => {
    meter.setPrices(BOX.id, {
      ...PRICES,
      disks: [{ tier: 'data disk', sizeGB: 50, perGB: { running: perGB, stopped: perGB } }],
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
      total: { known: cny(H + 1200 + 2400), unresolvedMs: 0 },
    });
    expect(meter.phaseOf(BOX.id)).toEqual({ phase: 'stopped', sinceMs: Date.now() - 2 * H });
  });

  it('takes a line out and a typed one in, and forgets neither', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    const before = meter.ledgerOf(BOX.id);
    const no = before.ok ? before.value.intervals[0]!.no : 0;
    expect(meter.takeOut(BOX.id, no, 'it was free')).toEqual({ ok: true, value: null });
    expect(meter.takeOut(BOX.id, no, 'again')).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    const charges = [
      { kind: 'other', what: 'setup', rate: { micros: 5_000_000, currency: 'USD', per: 'hour' } },
    ] as const;
    meter.addLine(BOX.id, {
      fromMs: Date.now() - H,
      ms: 3_600_000,
      phase: 'running',
      charges,
    });
    expect(shown?.total.known).toEqual([{ micros: 5_000_000, currency: 'USD' }]);
    quit();
    start();
    const after = meter.ledgerOf(BOX.id);
    expect(after.ok && after.value.corrections).toMatchObject([
      { voids: no, reason: 'it was free' },
    ]);
    expect(shown?.total.known).toEqual([{ micros: 5_000_000, currency: 'USD' }]);
  });

  it('believes the person about a time that nobody saw, once, and the box no second time', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    told.isLost();
    await pass(H);
    const lines = meter.ledgerOf(BOX.id);
    const open = lines.ok
      ? lines.value.intervals.find((each) => each.source === 'unresolved')
      : null;
    const no = open?.no ?? 0;
    expect(meter.settle(BOX.id, no, 'stopped')).toEqual({ ok: true, value: null });
    expect(meter.settle(BOX.id, no, 'stopped')).toMatchObject({ error: { code: 'bad-input' } });
    expect(shown?.total).toMatchObject({ known: cny(H), unresolvedMs: 0, unpricedMs: 0 });
    quit();
    start();
    told.answers(60_000 + 2 * H);
    await pass(1000);
    expect(shown?.total).toMatchObject({ known: cny(H + 1000), unresolvedMs: 0 });
  });

  it('prices what is over anew from the moment that the person names, and says when prices were entered', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    const startMs = Date.now();
    await pass(H);
    const double = { ...PRICES, compute: { ...PRICES.compute!, micros: 7_200_000 }, disks: [] };
    expect(meter.setPrices(BOX.id, double, Date.now() + 1)).toMatchObject({
      error: { code: 'bad-input' },
    });
    expect(meter.setPrices(BOX.id, double, startMs + H / 2)).toEqual({ ok: true, value: null });
    expect(shown).toMatchObject({ pricedAtMs: Date.now(), total: { known: cny(H * 1.5) } });
    await pass(1000);
    expect(shown?.total.known).toEqual(cny(H * 1.5 + 2000));
    quit();
    start();
    told.answers(60_000 + H + 1000);
    await pass(1000);
    expect(shown).toMatchObject({ total: { known: cny(H * 1.5 + 4000) } });
  });

  it('corrects a line by another, and counts bytes that the person names at their price', async () => {
    const egress = { micros: 90_000, currency: 'CNY', per: 'GB' } as const;
    meter.setPrices(BOX.id, { ...PRICES, disks: [], egress });
    told.answers(60_000);
    await pass(H);
    const lines = meter.ledgerOf(BOX.id);
    const [line] = lines.ok ? lines.value.intervals : [];
    const typed = { fromMs: line!.fromMs, ms: line!.ms, phase: 'running', charges: [] } as const;
    expect(meter.correct(BOX.id, line!.no, 'a credit paid for it', typed).ok).toBe(true);
    expect(shown?.total.known).toEqual([]);
    expect(meter.correct(BOX.id, line!.no, 'again', typed).ok).toBe(false);
    const pulled = { atMs: Date.now() - 1, what: 'pull', bytes: 2_000_000_000 };
    expect(meter.addTransfer(BOX.id, pulled).ok).toBe(true);
    quit();
    start();
    expect(shown?.total.known).toEqual(cny(180_000));
  });

  it('counts what comes over our connections, and prices it only where somebody says that it costs', async () => {
    meter.received(BOX.id, 1_000_000_000);
    meter.received('a box that is not listed', 5);
    await pass(1000);
    expect(shown).toMatchObject({
      egressRate: null,
      total: { known: [], receivedBytes: 1_000_000_000, unpricedBytes: 0 },
    });
    // The profile says a price from now on.
    const price = { micros: 90_000, currency: 'CNY', per: 'GB' } as const;
    meter.received(BOX.id, 1_000_000_000);
    profile = { ...profile, egress: { ...profile.egress, isFree: false, price } };
    await pass(1000);
    meter.factsChanged(new Set(['autodl']));
    meter.received(BOX.id, 1_000_000_000);
    await pass(1000);
    expect(shown).toMatchObject({ egressRate: price, total: { receivedBytes: 3_000_000_000 } });
    const known = shown?.total.known;
    quit();
    meter.received(BOX.id, 7);
    start();
    expect(shown?.total).toMatchObject({ known, receivedBytes: 3_000_000_000 });
    // The person knows better, since the beginning.
    const egress = { micros: 10_000, currency: 'USD', per: 'GB' } as const;
    meter.setPrices(BOX.id, { ...PRICES, egress }, 0);
    expect(shown?.total.known).toEqual([{ micros: 30_000, currency: 'USD' }]);
    meter.received(BOX.id, 1_000_000_000);
    meter.setPrices(BOX.id, { ...PRICES, egress: null }, null);
    expect(shown?.total).toMatchObject({ known: [{ micros: 40_000, currency: 'USD' }] });
  });

  it('does not count bytes again that the person took out', async () => {
    meter.received(BOX.id, 5);
    await pass(1000);
    const ledger = meter.ledgerOf(BOX.id);
    const no = ledger.ok ? ledger.value.transfers[0]!.no : 0;
    expect(meter.takeOut(BOX.id, no, 'a credit').ok).toBe(true);
    meter.received(BOX.id, 6);
    await pass(1000);
    expect(shown?.total.receivedBytes).toBe(6);
  });

  it('remembers over a restart when the box did nothing, and takes what nobody saw for nothing', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H / 2);
    told.finds({ isIdle: true, sinceMs: Date.now() - 1000 });
    await pass(H / 4);
    expect(shown?.idle).toMatchObject({ wasted: cny(H / 4 + 1000) });
    told.finds(null);
    await pass(H / 4);
    expect(shown?.idle).toBeNull();
    expect(shown?.total).toMatchObject({ wasted: cny(H / 4 + 1000), wastedMs: H / 4 + 1000 });
    quit();
    start();
    expect(shown?.today).toMatchObject({ wasted: cny(H / 4 + 1000) });
  });

  it('writes at least twice a minute, and catches up when the disk refused', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    const write = vi
      .spyOn(database.ledger, 'write')
      .mockReturnValue(err(problem('disk-full', 'full')));
    await pass(2 * 60_000);
    expect(problems.map(({ code }) => code)).toEqual(['disk-full']);
    write.mockRestore();
    await pass(31_000);
    const stored = database.ledger.read(BOX.id);
    const ms = stored.ok ? stored.value.intervals.reduce((sum, line) => sum + line.ms, 0) : 0;
    expect(ms).toBeGreaterThan(2 * 60_000);
    expect(2 * 60_000 + 31_000 - ms).toBeLessThanOrEqual(30_000);
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

  it('writes nothing down of a box that lives no longer than this session', async () => {
    database.boxes.forget(BOX.id);
    quit();
    start();
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    expect(shown?.total.known).toEqual(cny(H));
    expect(database.ledger.boxIds()).toEqual({ ok: true, value: [] });
    expect(database.entries.read(BOX.id, 'prices', priceEntries)).toEqual({
      ok: true,
      value: null,
    });
  });

  it('keeps the ledger of a box that is forgotten', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(H);
    database.boxes.forget(BOX.id);
    told.isForgotten();
    expect(shown).toBeNull();
    const stored = database.ledger.read(BOX.id);
    expect(stored.ok && stored.value.intervals.reduce((sum, line) => sum + line.ms, 0)).toBe(H);
    const all = allLedgers(database.ledger, database.entries, meter.metered());
    const [{ owner, isListed }] = (all.ok ? all.value : []) as [MeteredLedger];
    expect({ owner, isListed }).toEqual({
      owner: { name: BOX.name, platform: BOX.platform, tags: BOX.tags },
      isListed: false,
    });
  });

  it('says what the box has cost since each run began, and what of that nobody can know', async () => {
    meter.setPrices(BOX.id, { ...PRICES, disks: [] });
    told.answers(60_000);
    await pass(2 * H);
    expect(shown?.runs).toBeNull();
    const nowMs = Date.now();
    const run = { bootId: 'b1', startTicks: 1, holdsGpu: true, command: 'python train.py' };
    told.runs([
      { ...run, pid: 1, holdsGpu: false, sinceMs: nowMs - H },
      { ...run, pid: 2, sinceMs: nowMs - H },
      { ...run, pid: 3, sinceMs: nowMs - 3 * H },
      { ...run, pid: 4, sinceMs: null },
      { ...run, pid: 5, sinceMs: nowMs + H },
    ]);
    const costs = () =>
      shown?.runs?.costs.map(({ pid, spent, isLater }) => [pid, spent?.known ?? null, isLater]);
    const expected = [
      [5, null, false],
      [2, cny(H), false],
      [3, cny(2 * H), true],
      [4, null, false],
      [1, cny(H), false],
    ];
    expect(costs()).toEqual(expected);
    // Not seen since then: nobody knows whether they still run.
    await pass(H);
    expect(costs()).toEqual(expected);
    expect(shown?.runs).toMatchObject({ seenAtMs: nowMs, more: 0 });
    told.runs(Array.from({ length: 12 }, (_, i) => ({ ...run, pid: i, sinceMs: nowMs })));
    expect(shown?.runs?.costs).toHaveLength(5);
    expect(shown?.runs?.more).toBe(7);
  });

  it('estimates when a run ends from what its log counts, and knows none where it does not', async () => {
    told.answers(60_000);
    const sinceMs = Date.now();
    const run = {
      ...{ bootId: 'b1', pid: 2, startTicks: 1 },
      ...{ holdsGpu: true, command: 'python train.py', sinceMs },
    };
    const outlook = () => shown?.runs?.costs[0]?.outlook;
    const end = () => outlook()?.end;
    await pass(H);
    told.runs([{ ...run, lastLine: 'step 100/1000' }]);
    expect(outlook()).toEqual({
      progress: { unit: 'step', atLeast: 100, total: 1000 },
      end: null,
    });
    await pass(H);
    told.runs([{ ...run, lastLine: 'step 200/1000' }]);
    const endsAtMs = Date.now() + 8 * H;
    expect(end()).toMatchObject({ fromMs: endsAtMs, toMs: endsAtMs });
    await pass(H);
    told.runs([{ ...run, lastLine: 'Saving model' }]);
    expect(end()).toMatchObject({ toMs: endsAtMs });
    await pass(6 * H);
    told.runs([{ ...run, lastLine: 'Saving model' }]);
    expect(end()).toBeNull();
  });

  it('reads the logs of what was launched as its request says, also of the cells of a queue', async () => {
    told.answers(60_000);
    await pass(H);
    const id = 'r-20260328-120000-0a1b2c3d';
    meter.launchedAre(BOX.id, [{ id, progress: ['fitted {step} out of {total};'] }, { id: 'r-x' }]);
    const folder = `/root/.local/state/leasehold/runs/${id}`;
    const run = {
      ...{ bootId: 'b1', pid: 2, startTicks: 1, sinceMs: Date.now() },
      ...{ holdsGpu: true, command: 'sh job.sh', lastLine: 'fitted 3 out of 12; L = 0.5' },
    };
    const progressIn = (logPath: string): unknown => {
      told.runs([{ ...run, logPath }]);
      return shown?.runs?.costs[0]?.outlook?.progress;
    };
    for (const log of ['log', 'logs/17']) {
      expect(progressIn(`${folder}/${log}`)).toEqual({ unit: 'step', atLeast: 3, total: 12 });
      told.runs([]);
    }
    expect(progressIn('/root/train.log')).toBeUndefined();
  });

  it('keeps no name of a box that is only let go of at the end', async () => {
    told.answers(60_000);
    await pass(H);
    told.isForgotten();
    const all = allLedgers(database.ledger, database.entries, []);
    expect(all.ok && all.value).toMatchObject([{ boxId: BOX.id, owner: null }]);
  });

  it('keeps no name of a box that never cost anything, and knows none that an earlier version did not keep', () => {
    database.boxes.forget(BOX.id);
    told.isForgotten();
    const interval = { no: 1, fromMs: 0, ms: H, phase: 'running', source: 'manual' } as const;
    const line = { ...interval, charges: [], life: null };
    database.ledger.write([{ boxId: BOX.id, change: { kind: 'put', interval: line } }]);
    const all = allLedgers(database.ledger, database.entries, meter.metered());
    expect(all.ok && all.value).toMatchObject([{ boxId: BOX.id, owner: null, isListed: false }]);
  });
});
