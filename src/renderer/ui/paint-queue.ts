/**
 * What waits to be drawn, two a frame, after the frame that shows the figures: figures, six charts of eight lines and a table of eight
 * cards in one frame would make it late, and nobody sees that a chart is a sixtieth of a second behind. Each has one place: whoever is
 * painted waits behind all others the next time, and what is newer takes the place of what still waits. A window that nobody sees
 * draws no frames; it catches up when it is seen.
 */
const PER_FRAME = 2;

/** By whom it is drawn: a canvas, or a part of the page. */
const waiting = new Map<object, () => void>();
let frame: number | null = null;

export function paintSoon(owner: object, paint: () => void): void {
  waiting.set(owner, paint);
  frame ??= requestAnimationFrame(() => {
    frame = requestAnimationFrame(paintSome);
  });
}

/** It is gone, or has just been painted. */
export function paintNoMore(owner: object): void {
  waiting.delete(owner);
}

function paintSome(): void {
  const turn = [...waiting].slice(0, PER_FRAME);
  for (const [owner] of turn) waiting.delete(owner);
  frame = waiting.size > 0 ? requestAnimationFrame(paintSome) : null;
  for (const [, paint] of turn) paint();
}
