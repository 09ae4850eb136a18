/** Several series over one time axis, oldest first. NaN stands for "not reported". */
export interface Series {
  readonly atMs: ArrayLike<number>;
  readonly columns: readonly ArrayLike<number>[];
}

/** The same, ready to draw: an `atMs` whose columns are all NaN breaks the lines where nothing was sampled. */
export interface DrawnSeries {
  readonly atMs: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

export interface DownsampleOptions {
  readonly fromMs: number;
  readonly toMs: number;
  /** Even and at least 2. More samples than this are thinned out; breaks come on top. */
  readonly maxPoints: number;
  /** Two samples further apart than this are not joined by a line. */
  readonly gapMs: number;
}

/**
 * Thins series out to what a chart can show. Each bucket of time keeps its lowest and its highest value in the order in
 * which they came, so a spike of one sample survives. Bucket borders are multiples of the bucket's width in absolute
 * time, so that a drawn shape does not change while it wanders to the left.
 */
export function downsample(series: Series, options: DownsampleOptions): DrawnSeries {
  const { fromMs, toMs, maxPoints, gapMs } = options;
  const first = lowerBound(series.atMs, fromMs);
  const end = lowerBound(series.atMs, toMs + 1);
  const out = new Drawing(series.columns.length, gapMs);
  if (end - first <= maxPoints) {
    for (let i = first; i < end; i += 1) {
      const atMs = series.atMs[i] ?? NaN;
      out.join(atMs, atMs);
      out.add(
        atMs,
        series.columns.map((column) => column[i] ?? NaN),
      );
    }
    return out.drawn;
  }

  // One bucket less than there is room for, because the oldest and the newest are cut by the edges of the window.
  const bucketMs = Math.ceil((toMs - fromMs) / (maxPoints / 2 - 1));
  for (let i = first; i < end;) {
    const bucket = Math.floor((series.atMs[i] ?? 0) / bucketMs);
    let stop = i + 1;
    while (stop < end && Math.floor((series.atMs[stop] ?? 0) / bucketMs) === bucket) stop += 1;
    const extremes = series.columns.map((column) => extremesOf(column, i, stop));
    const oldestMs = series.atMs[i] ?? NaN;
    const newestMs = series.atMs[stop - 1] ?? NaN;
    out.join(oldestMs, newestMs);
    // Inside what was sampled: a bucket that is still filling must not draw into the future.
    const within = (atMs: number): number => Math.min(Math.max(atMs, oldestMs), newestMs);
    out.add(
      within((bucket + 0.25) * bucketMs),
      extremes.map(([earlier]) => earlier),
    );
    out.add(
      within((bucket + 0.75) * bucketMs),
      extremes.map(([, later]) => later),
    );
    i = stop;
  }
  return out.drawn;
}

/** Puts series with times of their own, such as one per GPU, on one axis. A series without a sample there has NaN. */
export function alignSeries(all: readonly Series[]): Series {
  const [first, ...others] = all;
  if (first === undefined) return { atMs: [], columns: [] };
  if (others.every(({ atMs }) => hasSameTimes(atMs, first.atMs))) {
    return { atMs: first.atMs, columns: all.flatMap(({ columns }) => columns) };
  }
  const times = new Set(all.flatMap(({ atMs }) => Array.from(atMs)));
  const atMs = [...times].sort((a, b) => a - b);
  const columns = all.flatMap((series) =>
    series.columns.map((column) => spread(series.atMs, column, atMs)),
  );
  return { atMs, columns };
}

/** The rows of a drawing under construction, and the time up to which it has seen samples. */
class Drawing {
  readonly #gapMs: number;
  readonly #atMs: number[] = [];
  readonly #columns: number[][];
  #seenToMs: number | null = null;

  constructor(columnCount: number, gapMs: number) {
    this.#gapMs = gapMs;
    this.#columns = Array.from({ length: columnCount }, () => []);
  }

  get drawn(): DrawnSeries {
    return { atMs: this.#atMs, columns: this.#columns };
  }

  /** Announces samples from `fromMs` to `toMs`; breaks the lines if too long a silence lies before them. */
  join(fromMs: number, toMs: number): void {
    if (this.#seenToMs !== null && fromMs - this.#seenToMs > this.#gapMs) {
      const breakAtMs = (this.#seenToMs + fromMs) / 2;
      this.add(
        breakAtMs,
        this.#columns.map(() => NaN),
      );
    }
    this.#seenToMs = toMs;
  }

  add(atMs: number, values: readonly number[]): void {
    this.#atMs.push(atMs);
    this.#columns.forEach((column, i) => column.push(values[i] ?? NaN));
  }
}

/** The lowest and the highest of `column[from … to)`, whichever came first first; NaN when nothing was reported. */
function extremesOf(
  column: ArrayLike<number>,
  from: number,
  to: number,
): readonly [number, number] {
  let lowAt = -1;
  let highAt = -1;
  for (let i = from; i < to; i += 1) {
    const value = column[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    if (lowAt === -1 || value < (column[lowAt] ?? NaN)) lowAt = i;
    if (highAt === -1 || value >= (column[highAt] ?? NaN)) highAt = i;
  }
  const low = column[lowAt] ?? NaN;
  const high = column[highAt] ?? NaN;
  return lowAt <= highAt ? [low, high] : [high, low];
}

/** The first index whose time is not before `atMs`. */
/** The first place whose time is not before `atMs`; the times are in order. */
export function lowerBound(times: ArrayLike<number>, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hasSameTimes(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

function spread(
  times: ArrayLike<number>,
  column: ArrayLike<number>,
  axis: readonly number[],
): number[] {
  let at = 0;
  return axis.map((atMs) => {
    while (at < times.length && (times[at] ?? Infinity) < atMs) at += 1;
    return times[at] === atMs ? (column[at] ?? NaN) : NaN;
  });
}
