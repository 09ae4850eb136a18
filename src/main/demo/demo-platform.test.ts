import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_MARKS_MS } from '../../shared/clocks/escalation.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { demoTerms } from '../../shared/demo/demo-terms.ts';
import { sumFleet } from '../../shared/boxes/fleet-figures.ts';
import type { LoadedProfile } from '../../shared/profiles/loaded.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { Money } from '../../shared/money.ts';
import { Clocks, accountKey } from '../clocks/clocks.ts';
import { Budgets } from '../meter/budgets.ts';
import { BOX, ToldBox } from '../meter/meter.fixture.ts';
import { Meter } from '../meter/meter.ts';
import { Spending } from '../meter/spending.ts';
import { loadProfiles } from '../profiles/load-profiles.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { sessionEntries } from '../storage/session-entries.ts';
import { TOOLS_FOLDER } from './demo-box.fixture.ts';

const H = 3_600_000;
const DEMO = { ...BOX, name: 'demo', platform: DEMO_PLATFORM };
const SHIPPED = join(import.meta.dirname, '../../../profiles');

let database: Database;
let told: ToldBox;
let meter: Meter;
let clocks: Clocks;
let shown: BoxClocks | null;
let priced: Map<string, Money | null>;

async function demoProfile(): Promise<LoadedProfile> {
  const folders = { shipped: SHIPPED, own: '/nowhere', demo: join(TOOLS_FOLDER, 'platform') };
  const { all, demo, faults } = await loadProfiles(folders);
  expect(faults).toEqual([]);
  expect(all.map(({ profile }) => profile.id)).not.toContain(DEMO_PLATFORM);
  if (demo === null) throw new Error('the demo platform is not there');
  return demo;
}

beforeEach(async () => {
  const { profile } = await demoProfile();
  vi.useFakeTimers({ now: Date.parse('2026-06-20T12:00:00Z') });
  database = openTemporaryDatabase();
  told = new ToldBox(DEMO);
  priced = new Map();
  const entries = sessionEntries(database.entries);
  const common = {
    hub: told.hub,
    ...told.sources,
    entries,
    profileOf: (platform: string) => (platform === DEMO_PLATFORM ? profile : null),
    onProblem: (found: unknown) => expect(found).toBeUndefined(),
  };
  meter = new Meter({
    ...common,
    ledger: database.ledger,
    onPriced: (boxId, perHour) => priced.set(boxId, perHour),
    now: () => ({ wallMs: Date.now(), upMs: Math.round(performance.now()) }),
  });
  clocks = new Clocks({
    ...common,
    meter,
    maxAgeMonths: () => 6,
    marksMs: () => DEFAULT_MARKS_MS,
    openEndOf: () => null,
    onAlarm: ({ clock }) => expect(clock.id).toBe('no alarm of a demo'),
  });
  told.hub.hear('clocks', '', ({ value }) => (shown = value));
  const terms = demoTerms(2, Date.now());
  entries.hold(DEMO.id, 'prices', terms.prices, Date.now());
  entries.hold(DEMO.id, 'clocks', terms.clocks, Date.now());
  entries.hold('', accountKey(DEMO_PLATFORM), terms.account, Date.now());
  told.appears();
  told.answers(60_000);
  await vi.advanceTimersByTimeAsync(6000);
});

afterEach(() => {
  clocks.close();
  meter.close();
  told.hub.dispose();
  database.close();
  vi.useRealTimers();
});

describe('the demo platform', () => {
  it('gives the box a rental end, a balance that runs out and a price from the first moment', () => {
    const due = (id: string) => shown?.clocks.find((clock) => clock.id === id);
    expect(due('demo.rental-end')).toMatchObject({
      due: { kind: 'at', isEstimate: false },
      known: { kind: 'simulated' },
      loses: [{ name: 'demo disk', path: '$HOME' }],
    });
    const empty = due('demo.balance-empty')?.due;
    expect(empty).toMatchObject({ kind: 'at', isEstimate: true });
    const hoursLeft = empty?.kind === 'at' ? (empty.atMs - Date.now()) / H : 0;
    // Of the balance the disk takes its share as well.
    expect(hoursLeft).toBeGreaterThan(79);
    expect(hoursLeft).toBeLessThan(80);
    expect(priced.get(DEMO.id)).toEqual({ micros: 2_400_000, currency: 'USD' });
  });

  it('enters no sum of the person’s: burn, spend, budgets, the nearest clock, the fleet’s figures', () => {
    expect(meter.burns()).toEqual([]);
    expect(clocks.nearest()).toBeNull();
    const { ledger, entries } = database;
    const metered = () => meter.metered();
    const spending = new Spending({ ledger, entries, metered });
    const namesOf = (boxId: string | null) => {
      const days = spending.days(boxId, 7, Date.now());
      return days.ok ? days.value.boxes.map(({ name }) => name) : days.error;
    };
    expect(namesOf(null)).toEqual([]);
    expect(namesOf(DEMO.id)).toEqual(['demo']);
    const budgets = new Budgets({ entries, ledger, metered });
    const limit = { micros: 1, currency: 'USD' };
    const id = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
    budgets.set([{ id, scope: { kind: 'all' }, per: 'ever', limit }], Date.now());
    expect(budgets.judge(Date.now())).toMatchObject({
      value: [{ answer: { kind: 'within' } }],
    });
    expect(sumFleet([untouchedEntry(DEMO)], new Map()).boxes).toBe(0);
  });

  it('leaves nothing in the database', () => {
    meter.close();
    expect(database.entries.saidAtMs(DEMO.id, 'prices')).toEqual({ ok: true, value: null });
    expect(database.entries.saidAtMs('', accountKey(DEMO_PLATFORM))).toEqual({
      ok: true,
      value: null,
    });
    expect(database.ledger.boxIds()).toEqual({ ok: true, value: [] });
  });
});
