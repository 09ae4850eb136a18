import { windowShown } from '../state/actions.ts';
import { useFleet } from '../state/feeds.ts';
import { loadPartsWhenIdle } from '../ui/lazy-part.tsx';

/** The bench reads this mark: the frame stands on the screen with the fleet's data in it. */
const FIRST_USEFUL_PAINT = 'leasehold:first-useful-paint';

/** To be called when the page is in the document; the mark waits for the fleet. */
export function markFirstUsefulPaint(): void {
  if (useFleet.getState().kind === 'live') {
    markNextPaint();
    return;
  }
  const stop = useFleet.subscribe(({ kind }) => {
    if (kind !== 'live') return;
    stop();
    markNextPaint();
  });
}

function markNextPaint(): void {
  // The first frame callback runs before the paint, the second one after it.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      performance.mark(FIRST_USEFUL_PAINT);
      windowShown();
      requestIdleCallback(() => void import('../styles/more-fonts.css'));
      loadPartsWhenIdle();
    }),
  );
}
