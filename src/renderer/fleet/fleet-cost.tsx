import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';

// The first picture knows no figure of these yet, so their words come after it.
const BoxCost = lazyPart(async () => (await import('./box-cost.tsx')).BoxCost);
const BoxesCost = lazyPart(async () => (await import('./box-cost.tsx')).BoxesCost);

/** What the box costs an hour, and today. */
export function CostCell({ boxId }: { readonly boxId: string }) {
  return (
    <Suspense fallback={null}>
      <BoxCost boxId={boxId} />
    </Suspense>
  );
}

/** The same of several. */
export function CostSum({ boxIds }: { readonly boxIds: readonly string[] }) {
  return (
    <Suspense fallback={null}>
      <BoxesCost boxIds={boxIds} />
    </Suspense>
  );
}
