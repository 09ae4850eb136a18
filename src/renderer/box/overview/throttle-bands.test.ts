import { describe, expect, it } from 'vitest';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import type { ThrottleSpan } from '../../../shared/telemetry/throttle.ts';
import { modelOf, readingsOf, ringOf } from './series.fixture.ts';
import type { ThrottleBand } from './throttle-bands.ts';

const CALM = { powerViolationPct: 0, isThermallyHeld: false };
const HELD = { powerViolationPct: 35, isThermallyHeld: true };

function bandsOf(
  throttle: readonly ThrottleSpan[],
  partAt: (i: number) => Partial<GpuReading> = () => CALM,
  gpus = 1,
): readonly ThrottleBand[] {
  const rings = Array.from({ length: gpus }, () => ringOf(300, partAt));
  return modelOf(rings, 'all', { readings: readingsOf(rings, throttle) }).bands;
}

describe('throttleBandsOf', () => {
  it.each([
    [0x80, 'power brake', 'danger'],
    [0x88, 'power brake', 'danger'],
    [0x08, 'hardware slowdown', 'danger'],
    [0x68, 'hardware too hot', 'danger'],
    [0x20, 'too hot', 'warn'],
    [0x04, 'power limit', 'quiet'],
    [0x24, 'power limit, too hot', 'warn'],
    [0x1000, 'unknown reason 0x1000', 'warn'],
  ])('names the bits %i as “%s”', (bits, label, tone) => {
    const bands = bandsOf([{ fromMs: 60_000, toMs: 120_000, bits }]);
    expect(bands).toMatchObject([{ fromMs: 60_000, toMs: 120_000, label, tone, gpus: [0] }]);
  });

  it('is silent of a card that rests, and of one that nothing holds', () => {
    const quiet = [0x0, 0x1].map((bits, i) => ({
      fromMs: i * 60_000,
      toMs: (i + 1) * 60_000,
      bits,
    }));
    expect(bandsOf(quiet)).toEqual([]);
  });

  it('tells at once what dmon says, and the reason from when it was asked', () => {
    const asked = [{ fromMs: 120_000, toMs: 150_000, bits: 0x80 }];
    const bands = bandsOf(asked, (i) => (i >= 100 ? HELD : CALM));
    expect(bands.map(({ fromMs, toMs, label }) => [fromMs, toMs, label])).toEqual([
      [99_500, 120_000, 'held by power and heat'],
      // The last reason holds on for as long as dmon says that something does.
      [120_000, 299_500, 'power brake'],
    ]);
  });

  it('does not let a reason go on where dmon says that nothing holds the clock', () => {
    const asked = [{ fromMs: 120_000, toMs: 150_000, bits: 0x80 }];
    const bands = bandsOf(asked, (i) => (i >= 120 && i < 160 ? HELD : CALM));
    expect(bands).toMatchObject([{ fromMs: 119_500, toMs: 120_000 }, { toMs: 159_500 }]);
  });

  it('takes a flicker of the power limit for what it is', () => {
    expect(bandsOf([], () => ({ powerViolationPct: 4, isThermallyHeld: false }))).toEqual([]);
    expect(bandsOf([], () => ({ powerViolationPct: null, isThermallyHeld: null }))).toEqual([]);
  });

  it('makes one band of cards that are held together', () => {
    const [band, ...others] = bandsOf([], (i) => (i >= 100 ? HELD : CALM), 8);
    expect(band).toMatchObject({ label: 'held by power and heat', gpus: [0, 1, 2, 3, 4, 5, 6, 7] });
    expect(others).toEqual([]);
  });
});
