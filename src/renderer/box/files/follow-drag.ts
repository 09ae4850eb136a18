/**
 * Follows the mouse button that is held now, and begins once it leaves the list or the window: a slip of the hand on a row is no
 * wish to have it downloaded. `isHeld`: the button still is, as far as the window can know.
 */
export function followDrag(list: Element, begin: (isHeld: () => boolean) => void): void {
  const following = new AbortController();
  const { signal } = following;
  let hasBegun = false;
  const end = (): void => following.abort();
  const start = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    begin(() => !signal.aborted);
  };
  const onMove = (event: PointerEvent): void => {
    // It was let go where the window could not see it.
    if (event.buttons === 0) end();
    else if (isOutside(list.getBoundingClientRect(), event)) start();
  };
  for (const over of ['mouseup', 'pointerup', 'pointercancel', 'blur']) {
    window.addEventListener(over, end, { signal, capture: true });
  }
  window.addEventListener('pointermove', onMove, { signal, capture: true });
  document.documentElement.addEventListener('pointerleave', start, { signal });
}

const isOutside = (
  { left, right, top, bottom }: DOMRect,
  { clientX: x, clientY: y }: PointerEvent,
): boolean => x < left || x > right || y < top || y > bottom;
