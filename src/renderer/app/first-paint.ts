import { useLayoutEffect } from 'react';
import { windowShown } from '../state/actions.ts';
import { loadPartsWhenIdle } from '../ui/lazy-part.tsx';

/** The bench reads this mark: the frame stands on the screen with the fleet's data in it. */
const FIRST_USEFUL_PAINT = 'leasehold:first-useful-paint';

export function useFirstUsefulPaintMark(isUseful: boolean): void {
  // Not useEffect: that runs after the paint, and the mark would come a frame late.
  useLayoutEffect(() => {
    if (!isUseful) return;
    // The first frame callback runs before the paint, the second one after it.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (performance.getEntriesByName(FIRST_USEFUL_PAINT).length === 0) {
          performance.mark(FIRST_USEFUL_PAINT);
          windowShown();
          requestIdleCallback(() => void import('../styles/more-fonts.css'));
          loadPartsWhenIdle();
        }
      }),
    );
  }, [isUseful]);
}
