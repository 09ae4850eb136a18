import { expect, it } from 'vitest';
import { Pace, slowestOf } from './pace.ts';

/** Time passes only where somebody waits for it. */
function paced(bytesPerS: () => number | null) {
  let nowMs = 0;
  const pace = new Pace(bytesPerS, {
    now: () => nowMs,
    wait: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  });
  return { pace, now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}
const { signal } = new AbortController();

it('lets no more through than the rate allows, whoever takes it', async () => {
  const { pace, now } = paced(() => 1_000_000);
  let taken = 0;
  for (const bytes of [32_768, 1, 500_000, 32_768, 4_000_000, 7]) {
    await pace.take(bytes, signal);
    taken += bytes;
    expect(taken).toBeLessThanOrEqual(1_000_000 * (now() / 1000 + 0.1) + 1);
  }
  expect(now()).toBeGreaterThan(4400);
});

it('does not make up for an idle hour, and follows a rate that changes', async () => {
  let rate: number | null = 1000;
  const { pace, now, pass } = paced(() => rate);
  await pace.take(1000, signal);
  pass(3_600_000);
  const beganMs = now();
  await pace.take(1000, signal);
  expect(now() - beganMs).toBe(900);
  rate = null;
  await pace.take(1e12, signal);
  expect(now() - beganMs).toBe(900);
  rate = 500;
  await pace.take(1000, signal);
  expect(now() - beganMs).toBeGreaterThanOrEqual(2800);
});

it('names the slowest of several', () => {
  const at = (rate: number | null): Pace => new Pace(() => rate);
  expect(slowestOf([])).toBeNull();
  expect(slowestOf([at(null)])).toBeNull();
  expect(slowestOf([at(5), at(null), at(3)])).toBe(3);
});
