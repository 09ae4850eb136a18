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
  const isThere = (i: number): boolean => !Number.isNaN(values[i] ?? NaN);
  for (let i = 0; i < atMs.length; i += 1) {
    if (!isThere(i)) continue;
    const left = x(atMs[i] ?? NaN);
    const top = y(values[i] ?? NaN);
    if (isThere(i - 1)) context.lineTo(left, top);
    else context.moveTo(left, top);
    if (!isThere(i - 1) && !isThere(i + 1)) context.lineTo(left + 1, top);
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
