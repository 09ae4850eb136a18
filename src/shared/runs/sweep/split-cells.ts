import { formatMoney, type Money } from '../../money.ts';

/** A place that cells can go to. */
export interface SplitPlace {
  readonly name: string;
  /** Of all of it; null: not known. */
  readonly pricePerHour: Money | null;
  /** How fast it goes through the cells, compared with the others; null: not known. */
  readonly speed: number | null;
  readonly gpus: number | null;
}

export interface Split {
  /** How many cells each place gets, in the order of the places. */
  readonly counts: readonly number[];
  /** How that came about, for the person. */
  readonly says: string;
}

/**
 * Cells by what one costs at each place: twice as cheap gets twice as many. Where a price is not known, nothing can be said of costs,
 * and the number of GPUs stands in for it, or else nothing.
 */
export function splitCells(count: number, places: readonly SplitPlace[]): Split {
  const { weights, says } = weighed(places);
  return { counts: shared(count, weights), says };
}

function weighed(places: readonly SplitPlace[]): {
  readonly weights: readonly number[];
  readonly says: string;
} {
  const prices = places.flatMap(({ pricePerHour }) => pricePerHour ?? []);
  const currencies = new Set(prices.map(({ currency }) => currency));
  const isPriced =
    prices.length === places.length &&
    currencies.size === 1 &&
    prices.every(({ micros }) => micros > 0);
  const hasSpeeds = places.every(({ speed }) => speed !== null && speed > 0);
  if (isPriced) {
    const weights = places.map(
      ({ pricePerHour, speed }) =>
        (hasSpeeds ? (speed ?? 1) : 1) / ((pricePerHour?.micros ?? 1) / 1e6),
    );
    const told = places.map(
      ({ name, pricePerHour }) =>
        `${name} ${pricePerHour === null ? 'unknown' : formatMoney(pricePerHour)}/h`,
    );
    const speeds = hasSpeeds
      ? 'and by how fast each was on cells that are done'
      : 'as if all were equally fast, which is not known';
    return { weights, says: `By cost per cell (${told.join(', ')}), ${speeds}.` };
  }
  const unpriced = places.filter(({ pricePerHour }) => pricePerHour === null);
  const why =
    unpriced.length > 0
      ? `${unpriced.length === 1 ? 'The price' : 'The prices'} of ${unpriced.map(({ name }) => name).join(', ')} ${unpriced.length === 1 ? 'is' : 'are'} not known`
      : 'The prices are in different currencies or free of charge';
  if (places.every(({ gpus }) => gpus !== null && gpus > 0)) {
    return {
      weights: places.map(({ gpus }) => gpus ?? 1),
      says: `${why}, so the split is by GPUs.`,
    };
  }
  return { weights: places.map(() => 1), says: `${why}, so every box gets as many cells.` };
}

/** Whole cells in the proportion of the weights; what is left over goes where most was cut off. */
function shared(count: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (count * weight) / sum);
  const counts = exact.map(Math.floor);
  const left = count - counts.reduce((total, each) => total + each, 0);
  const order = exact
    .map((value, at) => ({ at, cut: value - Math.floor(value) }))
    .sort((one, other) => other.cut - one.cut || one.at - other.at);
  for (const { at } of order.slice(0, left)) counts[at] = (counts[at] ?? 0) + 1;
  return counts;
}

/**
 * Which cells go where: each place gets its part of every stretch of the list, because neighbours often cost about the same (a larger
 * model, more epochs). `counts` must come to the number of cells.
 */
export function dealCells(
  cells: readonly number[],
  counts: readonly number[],
): readonly (readonly number[])[] {
  const dealt = counts.map((): number[] => []);
  for (const [at, cell] of cells.entries()) {
    let best = -1;
    let bestLack = -Infinity;
    for (const [place, count] of counts.entries()) {
      const has = dealt[place]?.length ?? 0;
      if (has >= count) continue;
      // How far behind its part of the cells so far it would be without this one.
      const lack = (count * (at + 1)) / cells.length - has;
      if (lack > bestLack) [best, bestLack] = [place, lack];
    }
    dealt[best]?.push(cell);
  }
  return dealt;
}
