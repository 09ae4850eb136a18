import { describe, expect, it } from 'vitest';
import { drawLine, placeMinutes } from './sparkline.tsx';

describe('placeMinutes', () => {
  it('puts the last hour before the minute that runs, and nothing older or younger', () => {
    const smPct = Array.from({ length: 60 }, (_none, i) => i);
    const points = placeMinutes({ lastMinute: 109, smPct }, 110);
    expect(points).toHaveLength(60);
    expect(points[0]?.x).toBeCloseTo(0.7, 1);
    expect(points.at(-1)?.x).toBeCloseTo(87.3, 1);
    expect(placeMinutes({ lastMinute: 109, smPct }, 140)).toHaveLength(30);
    expect(placeMinutes({ lastMinute: 109, smPct }, 109)).toHaveLength(59);
  });
});

describe('drawLine', () => {
  const at = (...smPct: readonly (number | null)[]) =>
    drawLine(smPct.map((each, i) => ({ x: i * (88 / 60), smPct: each })));

  it('draws 100 at the top and 0 at the bottom', () => {
    expect(at(100, 0)).toBe('M0.0 1.0L1.5 19.0');
  });

  it('leaves a gap where nothing was read, and shows a lonely minute as a dash', () => {
    expect(at(50, 50, null, 50, null)).toBe('M0.0 10.0L1.5 10.0M4.4 10.0h1.2');
    expect(at(null, null)).toBe('');
  });
});
