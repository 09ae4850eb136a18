import type { SweepView } from '../../shared/runs/sweep/sweep-view.ts';

/** Fewer say nothing about a box. */
const MIN_DONE = 3;

/** Cells an hour of each box, by the median of those that it has done and how many it runs at once; one that has done too few is missing. */
export function speedIn({ cells, shares }: SweepView): ReadonlyMap<string, number> {
  const took = new Map<string, number[]>();
  const atOnce = new Map(shares.map(({ boxId, slots }) => [boxId, slots]));
  for (const { state, share } of cells) {
    const boxId = share === null ? null : (shares[share]?.boxId ?? null);
    if (boxId === null || state.kind !== 'done') continue;
    const times = took.get(boxId) ?? [];
    times.push(state.atMs - state.beganAtMs);
    took.set(boxId, times);
  }
  const speeds = new Map<string, number>();
  for (const [boxId, times] of took) {
    const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
    if (times.length >= MIN_DONE && median > 0) {
      speeds.set(boxId, ((atOnce.get(boxId) ?? 1) * 3_600_000) / median);
    }
  }
  return speeds;
}
