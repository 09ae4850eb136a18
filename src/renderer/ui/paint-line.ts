/** Where a value stands on a canvas. */
export interface PlaneScale {
  readonly x: (atMs: number) => number;
  readonly y: (value: number) => number;
}

interface LinePoints {
  readonly atMs: ArrayLike<number>;
  /** NaN breaks the line. */
  readonly values: ArrayLike<number>;
}

/** One line; a point that stands alone between two breaks is a dot, so that it is seen. */
export function paintLine(
  context: CanvasRenderingContext2D,
  { atMs, values }: LinePoints,
  { x, y }: PlaneScale,
): void {
  context.beginPath();
  let isJoined = false;
  let value = values[0] ?? NaN;
  // Each value is read once: of the thousands of points of a page, each reading is a number on the heap.
  for (let i = 0; i < atMs.length; i += 1) {
    const next = values[i + 1] ?? NaN;
    const isThere = !Number.isNaN(value);
    if (isThere) {
      const left = x(atMs[i] ?? NaN);
      const top = y(value);
      if (isJoined) context.lineTo(left, top);
      else context.moveTo(left, top);
      if (!isJoined && Number.isNaN(next)) context.lineTo(left + 1, top);
    }
    isJoined = isThere;
    value = next;
  }
  context.stroke();
}

interface EnvelopePoints {
  readonly atMs: ArrayLike<number>;
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

/** The room between lowest and highest, one closed shape for each stretch without a break. */
export function paintEnvelope(
  context: CanvasRenderingContext2D,
  { atMs, min, max }: EnvelopePoints,
  { x, y }: PlaneScale,
): void {
  const isThere = (i: number): boolean => !Number.isNaN(max[i] ?? NaN);
  for (let from = 0; from < atMs.length; from += 1) {
    if (!isThere(from)) continue;
    let end = from;
    while (end + 1 < atMs.length && isThere(end + 1)) end += 1;
    context.beginPath();
    for (let i = from; i <= end; i += 1) context.lineTo(x(atMs[i] ?? NaN), y(max[i] ?? NaN));
    for (let i = end; i >= from; i -= 1) context.lineTo(x(atMs[i] ?? NaN), y(min[i] ?? NaN));
    context.closePath();
    context.fill();
    from = end;
  }
}
