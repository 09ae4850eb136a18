import { Suspense } from 'react';
import { useView } from '../state/view.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

// Even the list of what there is need not be there for the first paint.
const Overlays = lazyPart(async () => (await import('./overlays.tsx')).Overlays);

/** The place of whatever lies over the page. */
export function OverlayHost() {
  const isOpen = useView(({ overlay }) => overlay.kind !== 'none');
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Overlays />
    </Suspense>
  );
}
