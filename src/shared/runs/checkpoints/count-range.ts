/** Of a hundred boxes that are alike, in so many the true figure lies in the range. */
export const SURE_PCT = 90;
const TAIL = (1 - SURE_PCT / 100) / 2;
const HALVINGS = 60;

/**
 * Between which figures the true mean of something lies that happens at random and was counted so often: the exact (Garwood)
 * interval of a Poisson count.
 */
export function meanRangeOf(count: number): readonly [number, number] {
  const low = count === 0 ? 0 : solve(count, (mean) => atMost(count - 1, mean) > 1 - TAIL);
  return [low, solve(count, (mean) => atMost(count, mean) > TAIL)];
}

/** The mean at which `isBelow` turns false. */
function solve(count: number, isBelow: (mean: number) => boolean): number {
  let [low, high] = [0, count + 10 * Math.sqrt(count + 1)];
  for (let at = 0; at < HALVINGS; at += 1) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** How probable it is that no more than `count` happen where `mean` are expected; by logarithms, which do not run out of range. */
function atMost(count: number, mean: number): number {
  let log = -mean;
  let sum = Math.exp(log);
  for (let at = 1; at <= count; at += 1) {
    log += Math.log(mean / at);
    sum += Math.exp(log);
  }
  return sum;
}
