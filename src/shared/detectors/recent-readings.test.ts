import { describe, expect, it } from 'vitest';
import { noise } from '../probes/sample.fixture.ts';
import { reading } from './box.fixture.ts';
import { ENOUGH_MS, MAX_PAUSE_MS, RecentReadings, WINDOW_MS } from './recent-readings.ts';

function fed(values: readonly (number | null)[], everyMs = 1000): RecentReadings {
  const recent = new RecentReadings();
  values.forEach((smPct, i) => recent.push(i * everyMs, reading({ smPct })));
  return recent;
}

describe('RecentReadings', () => {
  it('is a mean of the last 30 s and of nothing before', () => {
    const recent = fed([...Array<number>(100).fill(0), ...Array<number>(31).fill(80)]);
    expect(recent.mean('smPct')).toBe(80);
    expect(recent.spanMs).toBe(WINDOW_MS);
  });

  it('gives the plain mean of what is in it, whatever was dropped before', () => {
    const random = noise(7);
    const recent = new RecentReadings();
    const all: [number, number][] = [];
    for (let atMs = 0; atMs < 600_000; atMs += 200 + Math.floor(random() * 2000)) {
      const powerW = Math.floor(random() * 700);
      all.push([atMs, powerW]);
      recent.push(atMs, reading({ powerW }));
    }
    const kept = all.filter(([atMs]) => atMs >= (recent.startMs ?? 0));
    expect(kept).toHaveLength(recent.length);
    const sum = kept.reduce((total, [, powerW]) => total + powerW, 0);
    expect(recent.mean('powerW')).toBeCloseTo(sum / kept.length, 9);
  });

  it('keeps a bounded number of samples of a stream that is too fast, the newest ones', () => {
    const recent = fed(Array<number>(5000).fill(5), 10);
    expect(recent.length).toBeLessThanOrEqual(64);
    expect(recent.endMs).toBe(49_990);
  });

  it('does not take missing for 0', () => {
    expect(fed([100, null, 100, null, 100]).mean('smPct')).toBe(100);
    expect(fed([null, null, null]).mean('smPct')).toBeNull();
    expect(fed([100, null, null, null, 100]).mean('smPct')).toBeNull(); // reported by too few
    expect(fed([100, 100, 100, null]).mean('smPct')).toBeNull(); // a cell that has just turned to "-"
  });

  it('counts a repeated or late sample once', () => {
    const recent = fed([10, 10, 10]);
    recent.push(2000, reading({ smPct: 100 }));
    recent.push(500, reading({ smPct: 100 }));
    recent.push(NaN, reading({ smPct: 100 }));
    expect(recent.length).toBe(3);
    expect(recent.mean('smPct')).toBe(10);
  });

  it.each([
    ['a gap', 20_000 + MAX_PAUSE_MS + 1],
    ['a clock that was set back', 20_000 - MAX_PAUSE_MS - 1],
  ])('begins anew after %s', (_what, atMs) => {
    const recent = fed(Array<number>(21).fill(10));
    recent.push(atMs, reading({ smPct: 90 }));
    expect(recent.length).toBe(1);
    expect(recent.mean('smPct')).toBe(90);
  });

  it('tells nothing before it is long enough, nor after it has stopped', () => {
    const recent = fed(Array<number>(16).fill(10));
    expect(fed(Array<number>(15).fill(10)).isTelling(14_000)).toBe(false);
    expect(recent.isTelling(ENOUGH_MS)).toBe(true);
    expect(recent.isTelling(ENOUGH_MS + MAX_PAUSE_MS + 1)).toBe(false);
  });

  it('reads heat and power from dmon’s columns, else from the bits of the looped query', () => {
    const recent = new RecentReadings();
    recent.push(0, reading({ isThermallyHeld: true, powerViolationPct: 40 }));
    expect([recent.mean('heldByHeatPct'), recent.mean('heldByPowerPct')]).toEqual([100, 40]);
    expect(recent.mean('heldByBrakePct')).toBeNull();
    recent.clear();
    recent.push(0, reading({ throttleBits: 0xe8 }));
    recent.push(1000, reading({ throttleBits: 0x4 }));
    expect([recent.mean('heldByHeatPct'), recent.mean('heldByPowerPct')]).toEqual([50, 50]);
    expect(recent.mean('heldByBrakePct')).toBe(50);
  });
});
