import { describe, expect, it } from 'vitest';
import {
  FIRST_WINDOW,
  LEAST_SPAN_MS,
  LONGEST_SPAN_MS,
  panned,
  selected,
  shownRangeMs,
  zoomed,
} from './time-window.ts';

const NOW = 100 * 86_400_000;
const hour = { fromMs: NOW - 3_600_000, toMs: NOW };
const spanOf = ({ fromMs, toMs }: { fromMs: number; toMs: number }): number => toMs - fromMs;

describe('shownRangeMs', () => {
  const minutes = (count: number): number => count * 60_000;

  it.each([
    [0, 5],
    [5, 5],
    [6, 15],
    [15, 15],
    [90, 15],
  ])('is, of %d minutes and until a person chooses, one of %d', (history, expected) => {
    expect(shownRangeMs(FIRST_WINDOW, minutes(history))).toBe(minutes(expected));
  });

  it('is what a person has chosen, however little of it there is', () => {
    const chosen = { rangeMs: minutes(15), isChosen: true };
    expect(shownRangeMs(chosen, minutes(1))).toBe(minutes(15));
  });
});

describe('zoomed', () => {
  it('keeps what lies under the pointer where it is', () => {
    const middle = NOW - 1_800_000;
    expect(zoomed(hour, middle, 0.5, NOW)).toEqual({
      fromMs: NOW - 2_700_000,
      toMs: NOW - 900_000,
    });
    const left = zoomed(hour, hour.fromMs, 0.5, NOW);
    expect(left).toEqual({ fromMs: hour.fromMs, toMs: hour.fromMs + 1_800_000 });
  });

  it('ends at ten samples and at all that the history keeps', () => {
    expect(spanOf(zoomed(hour, NOW, 1e-9, NOW))).toBe(LEAST_SPAN_MS);
    expect(spanOf(zoomed(hour, NOW, 1e9, NOW))).toBe(LONGEST_SPAN_MS);
  });

  it('shows no future', () => {
    expect(zoomed(hour, hour.fromMs, 2, NOW)).toEqual({ fromMs: NOW - 7_200_000, toMs: NOW });
  });
});

describe('panned', () => {
  it('moves both ends, neither into the future nor beyond what is kept', () => {
    expect(panned(hour, -60_000, NOW)).toEqual({
      fromMs: hour.fromMs - 60_000,
      toMs: NOW - 60_000,
    });
    expect(panned(hour, 60_000, NOW)).toEqual(hour);
    const oldest = panned(hour, -LONGEST_SPAN_MS * 2, NOW);
    expect(oldest).toEqual({
      fromMs: NOW - LONGEST_SPAN_MS,
      toMs: NOW - LONGEST_SPAN_MS + 3_600_000,
    });
  });
});

describe('selected', () => {
  it('takes either direction, and at least ten samples', () => {
    const both = { fromMs: NOW - 90_000, toMs: NOW - 30_000 };
    expect(selected(NOW - 90_000, NOW - 30_000, NOW)).toEqual(both);
    expect(selected(NOW - 30_000, NOW - 90_000, NOW)).toEqual(both);
    expect(spanOf(selected(NOW - 30_000, NOW - 30_010, NOW))).toBe(LEAST_SPAN_MS);
  });
});
