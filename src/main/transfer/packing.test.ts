import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Packing } from './packing.ts';

const MB = 1_000_000;
const LOGS = [{ path: 'a.jsonl', bytes: 9 * MB }];
const WEIGHTS = [
  { path: 'a.safetensors', bytes: 9 * MB },
  { path: 'a.json', bytes: 1000 },
];

let nowMs = 0;
let told: boolean[] = [];
beforeEach(() => {
  [nowMs, told] = [0, []];
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => void vi.restoreAllMocks());

const packing = (limitBytesPerS: number | null = null) =>
  new Packing({ slowBytesPerS: 20 * MB, limitBytesPerS, onPacks: (packs) => told.push(packs) });

/** One stream by itself, which takes so long. */
function comes(to: Packing, sentBytes: number, ms: number, of?: number): void {
  const beganMs = to.begin();
  nowMs += ms;
  to.end({ beganMs, sentBytes, fileBytes: of ?? sentBytes, isPacked: of !== undefined });
}

describe('small files', () => {
  it('are compressed once it is known that the link is slow, and nothing before (U15)', () => {
    const slow = packing();
    expect(slow.packs(LOGS)).toBe(false);
    comes(slow, 10 * MB, 1000);
    expect(slow.packs(LOGS)).toBe(true);
    expect(told).toEqual([true]);
    const fast = packing();
    comes(fast, 100 * MB, 1000);
    expect(fast.packs(LOGS)).toBe(false);
  });

  it.each([
    ['a person has set a rate that is slow', 2, 100, true],
    ['a person has set a rate, over a link that is slower', 200, 10, true],
    ['neither of both is slow', 200, 100, false],
  ])('of which some came are compressed by the slower of both: %s', (_why, limit, came, packs) => {
    const each = packing(limit * MB);
    expect(each.packs(LOGS)).toBe(false);
    comes(each, came * MB, 1000);
    expect(each.packs(LOGS)).toBe(packs);
  });

  it('are compressed on where that is faster than the link, though not than the rate a person has set', () => {
    const each = packing(15 * MB);
    comes(each, MB, 1000);
    expect(each.packs(LOGS)).toBe(true);
    comes(each, MB, 1000, 3 * MB);
    expect(each.packs(LOGS)).toBe(true);
  });

  it('are left as they are where they are packed already', () => {
    const each = packing();
    comes(each, MB, 1000);
    expect(each.packs(WEIGHTS)).toBe(false);
  });

  it('are no longer compressed where nothing could be unpacked', () => {
    const each = packing();
    comes(each, MB, 1000);
    expect(each.packs(LOGS)).toBe(true);
    each.giveUp();
    expect(each.packs(LOGS)).toBe(false);
    expect(told).toEqual([true, false]);
  });

  it.each([
    ['they hardly shrink', 9 * MB, 900],
    ['the box compresses too slowly', 2 * MB, 5000],
  ])('are no longer compressed where %s', (_why, sentBytes, ms) => {
    const each = packing();
    comes(each, 10 * MB, 1000);
    expect(each.packs(LOGS)).toBe(true);
    comes(each, 2 * MB, 200, 10 * MB);
    expect(each.packs(LOGS)).toBe(true);
    comes(each, sentBytes, ms, 10 * MB);
    expect(each.packs(LOGS)).toBe(false);
    expect(told).toEqual([true, false]);
  });

  it('of several streams at once, the rate of each is a part of it', () => {
    const each = packing();
    const began = [each.begin(), each.begin(), each.begin()];
    nowMs += 1000;
    const came = { sentBytes: 10 * MB, fileBytes: 10 * MB, isPacked: false };
    for (const beganMs of began) each.end({ ...came, beganMs });
    expect(each.packs(LOGS)).toBe(false);
  });

  it('wait for the first of them where asked to, and not for one that never came to its end', async () => {
    const each = packing();
    const first = each.first();
    let isOver = false;
    const second = each.first().then(() => (isOver = true));
    await first;
    each.begin();
    expect(isOver).toBe(false);
    each.end(null);
    await second;
    expect(each.packs(LOGS)).toBe(false);
    // The next one is the first then.
    await each.first();
  });
});
