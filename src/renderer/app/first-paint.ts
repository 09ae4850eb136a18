import { windowShown } from '../state/actions.ts';
import { useFleet } from '../state/feeds.ts';
import { loadPartsWhenIdle } from '../ui/lazy-part.tsx';

/** The bench reads this mark: the frame stands on the screen with the fleet's data in it. */
const FIRST_USEFUL_PAINT = 'leasehold:first-useful-paint';

/** To be called when the page is in the document; the mark waits for the fleet. */
export function markFirstUsefulPaint(): void {
  if (useFleet.getState().kind === 'live') {
    void markNextPaint();
    return;
  }
  const stop = useFleet.subscribe(({ kind }) => {
    if (kind !== 'live') return;
    stop();
    void markNextPaint();
  });
}

async function markNextPaint(): Promise<void> {
  await painted();
  performance.mark(FIRST_USEFUL_PAINT);
  windowShown();
  requestIdleCallback(() => void import('../styles/more-fonts.css'));
  loadPartsWhenIdle();
}

/** Resolves when what is in the document now has been painted: the first frame callback runs before that, the second one after it. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
