import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../shared/clocks/clock.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { at, HOUR_MS as H, sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { burnWords, moneyWords } from '../../shared/meter/money-words.ts';
import { hourly, sampleMeter, unpricedMeter } from '../costs/meter.fixture.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { sumCosts, timelineDays, timelineRows } from './timeline.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = 24 * H;

const billed = (micros: number, currency = 'USD'): BoxMeter =>
  sampleMeter({}, hourly(micros, currency));

function rowsOf(
  boxes: Readonly<Record<string, readonly Partial<Clock>[]>>,
  meters: Readonly<Record<string, BoxMeter>> = {},
) {
  const entries = Object.keys(boxes).map((name) => sampleEntry({}, { id: name, name }));
  const clocks = Object.fromEntries(
    Object.entries(boxes).map(([name, parts]) => [
      name,
      sampleBoxClocks(parts.map((part, i) => sampleClock({ id: `${name}-${i}`, ...part }))),
    ]),
  );
  return timelineRows({ entries, clocks, meters, nowMs: NOW });
}

describe('what comes if nobody does anything', () => {
  it('is ordered by when, then by what has no time, then by what nobody knows', () => {
    const rows = rowsOf({
      quiet: [{ due: { kind: 'dormant', until: 'stopped' } }],
      unknown: [{ due: { kind: 'unknown', because: 'x' } }],
      spot: [{ due: { kind: 'any-time', graceMs: 0 } }],
      far: [{ due: at(NOW + 15 * DAY) }],
      late: [{ due: at(NOW + 13 * DAY) }],
      over: [{ due: at(NOW - H) }],
      soon: [{ due: at(NOW + H, true) }, { due: at(NOW + 2 * DAY) }],
    });
    const order = rows.map(({ entry }) => entry.box.name);
    expect(order).toEqual(['over', 'soon', 'late', 'spot', 'far', 'unknown', 'quiet']);
    const soon = rows.find(({ entry }) => entry.box.name === 'soon');
    expect(soon?.marks.map(({ share }) => share)).toEqual([1 / 48, 0.5 + 1 / 26]);
    expect(rows[0]?.marks[0]?.share).toBe(0);
    // Beyond the days, and yet no clock of which nothing is said.
    expect(rows.find(({ entry }) => entry.box.name === 'far')?.other?.due).toEqual(
      at(NOW + 15 * DAY),
    );
  });

  it('costs until the first end of data or run, and money alone ends nothing', () => {
    const rows = rowsOf(
      {
        dies: [{ due: at(NOW + 10 * H) }],
        pays: [{ due: at(NOW + 10 * H), danger: 'money' }],
        over: [{ due: at(NOW - 10 * H) }],
      },
      { dies: billed(2_000_000), pays: billed(1_000_000), over: billed(1_000_000, 'CNY') },
    );
    const costs = Object.fromEntries(rows.map(({ entry, cost }) => [entry.box.name, cost?.money]));
    expect(costs).toEqual({
      dies: [{ micros: 20_000_000, currency: 'USD' }],
      pays: [{ micros: 336_000_000, currency: 'USD' }],
      // Nobody saw it end, so it may go on being billed.
      over: [{ micros: 336_000_000, currency: 'CNY' }],
    });
    const sum = sumCosts(rows);
    expect(sum.unknownBoxes).toBe(0);
    expect(moneyWords(sum.money)).toBe('CN¥336.00 + $356.00');
  });

  it('does not say of a stopped box whose disks nobody entered that it costs nothing', () => {
    const rows = rowsOf({ a: [] }, { a: sampleMeter({ phase: 'stopped', charges: [] }) });
    expect(rows.map(({ cost }) => burnWords(cost, ''))).toEqual(['no price set']);
  });

  it('counts a price that is not known as not known, never as nothing', () => {
    const rows = rowsOf(
      { a: [], b: [], c: [] },
      { a: unpricedMeter(), b: sampleMeter({ phase: null }) },
    );
    expect(rows.map(({ cost }) => burnWords(cost, ''))).toEqual([
      'no price set',
      'connect to see whether it runs',
      'connect to see whether it runs',
    ]);
    expect(sumCosts(rows)).toEqual({ money: [], unknownBoxes: 3 });
  });
});

describe('the days shown', () => {
  const zone = process.env['TZ'];
  beforeEach(() => void (process.env['TZ'] = 'Europe/Berlin'));
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const lengths = (nowMs: number): number[] => {
    const days = timelineDays(nowMs);
    return days.slice(1).map(({ atMs }, i) => (atMs - (days[i]?.atMs ?? 0)) / H);
  };

  it('begin at the midnights of this place', () => {
    const days = timelineDays(NOW);
    expect(days).toHaveLength(14);
    expect(days[0]).toMatchObject({
      atMs: Date.parse('2026-11-20T23:00:00Z'),
      label: 'Sat 21',
      isWeekend: true,
      share: 11 / 48,
    });
    expect(new Set(lengths(NOW))).toEqual(new Set([24]));
  });

  it('are an hour shorter or longer where the clocks are changed', () => {
    expect(lengths(Date.parse('2026-03-25T12:00:00Z'))).toEqual([
      24, 24, 24, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24,
    ]);
    expect(lengths(Date.parse('2026-10-21T12:00:00Z')).indexOf(25)).toBe(3);
  });
});
