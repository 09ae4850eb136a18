/** One figure of a run over its time, thinned out to a bound: peaks stay, and so does what is no number. */
export interface MetricSeries {
  readonly name: string;
  /** In the order in which they came; the three are of one length. */
  readonly steps: readonly (number | null)[];
  /** When the line came, by this computer's clock; null: it was in the log before anybody followed it. */
  readonly atMs: readonly (number | null)[];
  /** NaN and the infinities as they came. */
  readonly values: readonly number[];
  /** How many came in all. */
  readonly count: number;
  /** How many of them were no finite number, and where that began. */
  readonly bad: { readonly count: number; readonly firstStep: number | null } | null;
}

/** What changed in a series: from here on its points are these. */
export interface SeriesChange extends MetricSeries {
  readonly from: number;
}

/** About what a chart as wide as a screen can show, twice. */
export const MAX_POINTS = 2000;

export interface SeriesPoint {
  readonly step: number | null;
  readonly atMs: number | null;
  readonly value: number;
}

/** Takes a point at a time, and keeps at most so many: the lowest and the highest of each part that is kept as one. */
export class SeriesKeeper {
  readonly name: string;
  /** Settled ones. Where a part stands for more than one point, two of each part: its lowest and its highest. */
  #points: SeriesPoint[] = [];
  #perPart = 1;
  #open: SeriesPoint[] = [];
  #openCount = 0;
  /** It may still be told anew. */
  #newest: SeriesPoint | null = null;
  #count = 0;
  #bad: MetricSeries['bad'] = null;
  /** Up to here nothing changed since the last `takeChange`. */
  #told = 0;
  #isTold = true;

  constructor(name: string) {
    this.name = name;
  }

  /** A step that comes again is the same point, told anew: a bar is drawn before its figures are. */
  add(step: number | null, atMs: number | null, value: number): void {
    const before = this.#newest;
    this.#newest = { step, atMs, value };
    this.#isTold = false;
    if (before !== null && (step === null || before.step !== step)) this.#settle(before);
  }

  /** Null: nothing came since the last time. */
  takeChange(): SeriesChange | null {
    if (this.#isTold || this.#newest === null) return null;
    const from = this.#told;
    this.#told = this.#points.length;
    this.#isTold = true;
    const points = [...this.#points.slice(from), ...this.#open, this.#newest];
    return {
      name: this.name,
      from,
      steps: points.map(({ step }) => step),
      atMs: points.map(({ atMs }) => atMs),
      values: points.map(({ value }) => value),
      count: this.#count + 1,
      bad: badWith(this.#bad, this.#newest),
    };
  }

  /** All of it is news again. */
  retell(): void {
    this.#told = 0;
    this.#isTold = this.#newest === null;
  }

  #settle(point: SeriesPoint): void {
    this.#count += 1;
    this.#bad = badWith(this.#bad, point);
    if (this.#perPart === 1) this.#points.push(point);
    else {
      this.#openCount += 1;
      this.#open.push(point);
      if (this.#open.length > 2) this.#open = extremes(this.#open);
      if (this.#openCount < this.#perPart) return;
      this.#points.push(...this.#open);
      this.#open = [];
      this.#openCount = 0;
    }
    // Room for the part that is open, and for the newest.
    if (this.#points.length > MAX_POINTS - 3) this.#fold();
  }

  /** Two parts, or two single points, become one each: as many again have room. */
  #fold(): void {
    const folded: SeriesPoint[] = [];
    for (let i = 0; i < this.#points.length; i += 4) {
      folded.push(...extremes(this.#points.slice(i, i + 4)));
    }
    this.#points = folded;
    this.#perPart = this.#perPart === 1 ? 4 : this.#perPart * 2;
    this.#told = 0;
  }
}

function badWith(bad: MetricSeries['bad'], { step, value }: SeriesPoint): MetricSeries['bad'] {
  if (Number.isFinite(value)) return bad;
  return bad === null ? { count: 1, firstStep: step } : { ...bad, count: bad.count + 1 };
}

/** The points that a chart has room for, as they are: of each part the lowest and the highest. */
export function thinned(points: readonly SeriesPoint[], most: number): readonly SeriesPoint[] {
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2));
  const kept: SeriesPoint[] = [];
  for (let i = 0; i < points.length; i += size) kept.push(...extremes(points.slice(i, i + size)));
  return kept;
}

/** The lowest and the highest, in their order. What is no number outweighs both: it is what must not be lost. */
function extremes(points: readonly SeriesPoint[]): SeriesPoint[] {
  if (points.length <= 2) return [...points];
  let low: SeriesPoint | undefined;
  let high: SeriesPoint | undefined;
  let bad: SeriesPoint | undefined;
  let isBadFirst = false;
  let isLowFirst = true;
  for (const point of points) {
    if (!Number.isFinite(point.value)) {
      isBadFirst ||= bad === undefined && low === undefined;
      bad ??= point;
      continue;
    }
    if (low === undefined || point.value < low.value)
      [low, isLowFirst] = [point, high === undefined];
    if (high === undefined || point.value > high.value) [high, isLowFirst] = [point, true];
  }
  if (low === undefined || high === undefined) return bad === undefined ? [] : [bad];
  if (bad !== undefined) return isBadFirst ? [bad, low] : [low, bad];
  if (low === high) return [low];
  return isLowFirst ? [low, high] : [high, low];
}

/** The series with what changed. */
export function changedSeries(
  before: MetricSeries | undefined,
  { from, ...change }: SeriesChange,
): MetricSeries {
  if (before === undefined || from === 0) return change;
  return {
    ...change,
    steps: [...before.steps.slice(0, from), ...change.steps],
    atMs: [...before.atMs.slice(0, from), ...change.atMs],
    values: [...before.values.slice(0, from), ...change.values],
  };
}
