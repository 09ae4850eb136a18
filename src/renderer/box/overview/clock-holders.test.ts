import { expect, it } from 'vitest';
import { clockHolders } from './clock-holders.ts';
import type { GpuFigures } from './gpu-figures.ts';

const AT_MS = 1_000_000;
const SPAN = { fromMs: AT_MS - 60_000, toMs: AT_MS - 10_000, bits: 0x88 };

const figures = (part: Partial<GpuFigures>) =>
  ({ powerViolationPct: null, isThermallyHeld: null, ...part }) as GpuFigures;
const words = (part: Partial<GpuFigures>, spans = [SPAN], atMs = AT_MS) =>
  clockHolders(figures(part), spans, atMs)?.map((each) => each.replace(/[\u202f\u00a0]/g, ' '));

it('says what dmon counts, and not what was asked half a minute ago', () => {
  expect(words({ powerViolationPct: 31, isThermallyHeld: true })).toEqual(['power 31 %', 'heat']);
  expect(words({ powerViolationPct: 0 })).toEqual([]);
  expect(words({ isThermallyHeld: false })).toEqual([]);
});

it('says the driver’s own reasons where dmon counts nothing', () => {
  expect(words({})).toEqual(['power brake']);
  expect(words({}, [SPAN, { fromMs: AT_MS - 10_000, toMs: AT_MS, bits: 0x1 }])).toEqual([]);
  expect(words({}, [{ ...SPAN, bits: 0x4004 }])).toEqual(['power limit', 'unknown reason 0x4000']);
});

it('is unknown where nobody was asked, not lately, or only later', () => {
  expect(words({}, [])).toBeUndefined();
  expect(words({}, [SPAN], SPAN.toMs + 36_000)).toBeUndefined();
  expect(words({}, [SPAN], SPAN.fromMs - 1)).toBeUndefined();
});
