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
  const rows = rowsOf(series.atMs, options);
  return { atMs: rows.atMs, columns: series.columns.map((column) => drawnColumn(column, rows)) };
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

/** Which samples each drawn row stands for. Found once; each column is then one loop over plain numbers. */
interface Rows {
  readonly atMs: number[];
  /** The samples of each bucket: from here … */
  readonly firsts: number[];
  /** … to before here; where both are the same, the lines break. */
  readonly ends: number[];
  /** Two rows a bucket instead of one a sample. */
  readonly isThinned: boolean;
}

function rowsOf(times: ArrayLike<number>, options: DownsampleOptions): Rows {
  const { fromMs, toMs, maxPoints, gapMs } = options;
  const first = lowerBound(times, fromMs);
  const end = lowerBound(times, toMs + 1);
  const isThinned = end - first > maxPoints;
  // One bucket less than there is room for, because the oldest and the newest are cut by the edges of the window.
  const bucketMs = Math.ceil((toMs - fromMs) / (maxPoints / 2 - 1));
  const rows: Rows = { atMs: [], firsts: [], ends: [], isThinned };
  let seenToMs = NaN;
  for (let i = first; i < end;) {
    const oldestMs = times[i] ?? NaN;
    const bucket = Math.floor(oldestMs / bucketMs);
    let stop = i + 1;
    if (isThinned) {
      while (stop < end && Math.floor((times[stop] ?? 0) / bucketMs) === bucket) stop += 1;
    }
    const newestMs = times[stop - 1] ?? NaN;
    // Too long a silence lies before these samples: the lines break.
    if (oldestMs - seenToMs > gapMs) addRow(rows, (seenToMs + oldestMs) / 2, i, i);
    seenToMs = newestMs;
    if (isThinned) {
      // Inside what was sampled: a bucket that is still filling must not draw into the future.
      const within = (atMs: number): number => Math.min(Math.max(atMs, oldestMs), newestMs);
      rows.atMs.push(within((bucket + 0.25) * bucketMs));
      addRow(rows, within((bucket + 0.75) * bucketMs), i, stop);
    } else addRow(rows, oldestMs, i, stop);
    i = stop;
  }
  return rows;
}

function addRow(rows: Rows, atMs: number, first: number, end: number): void {
  rows.atMs.push(atMs);
  rows.firsts.push(first);
  rows.ends.push(end);
}

function drawnColumn(column: ArrayLike<number>, { firsts, ends, isThinned }: Rows): number[] {
  const drawn: number[] = [];
  for (let row = 0; row < firsts.length; row += 1) {
    const [first, end] = [firsts[row] ?? 0, ends[row] ?? 0];
    if (first === end) drawn.push(NaN);
    else if (isThinned) addExtremes(drawn, column, first, end);
    else drawn.push(column[first] ?? NaN);
  }
  return drawn;
}

/** The lowest and the highest of `column[from … to)`, whichever came first first; NaN when nothing was reported. */
function addExtremes(drawn: number[], column: ArrayLike<number>, from: number, to: number): void {
  let [low, high] = [NaN, NaN];
  let [lowAt, highAt] = [-1, -1];
  for (let i = from; i < to; i += 1) {
    const value = column[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    if (lowAt === -1 || value < low) [low, lowAt] = [value, i];
    if (highAt === -1 || value >= high) [high, highAt] = [value, i];
  }
  if (lowAt <= highAt) drawn.push(low, high);
  else drawn.push(high, low);
}

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
