/**
 * Canvases that wait to be painted, a few a frame, after the frame that shows the figures: figures and six charts of eight
 * lines in one frame would make it late, and nobody sees that a chart is a sixtieth of a second behind. Each canvas has one place: whoever is painted waits behind
 * all others the next time, and a newer picture takes the place of the one that still waits.
 */
const PER_FRAME = 2;

const waiting = new Map<HTMLCanvasElement, () => void>();
let frame: number | null = null;

export function paintSoon(canvas: HTMLCanvasElement, paint: () => void): void {
  waiting.set(canvas, paint);
  frame ??= requestAnimationFrame(() => {
    frame = requestAnimationFrame(paintSome);
  });
}

/** The canvas is gone, or has just been painted. */
export function paintNoMore(canvas: HTMLCanvasElement): void {
  waiting.delete(canvas);
}

function paintSome(): void {
  const turn = [...waiting].slice(0, PER_FRAME);
  for (const [canvas] of turn) waiting.delete(canvas);
  frame = waiting.size > 0 ? requestAnimationFrame(paintSome) : null;
  for (const [, paint] of turn) paint();
}
