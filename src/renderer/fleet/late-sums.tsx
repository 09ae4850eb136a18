import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { FleetSumsProps } from './fleet-sums.tsx';

// The first picture knows no figure yet, so there is nothing to sum up in it.
const Sums = lazyPart(async () => (await import('./fleet-sums.tsx')).FleetSums);

const SUM_COLUMNS = 11;

/** The cells of a row that sums up several boxes; one empty cell until they are there. */
export function LateSums(props: FleetSumsProps) {
  return (
    <Suspense fallback={<td colSpan={SUM_COLUMNS} />}>
      <Sums {...props} />
    </Suspense>
  );
}
