import { lazy } from 'react';
import { ArchivePage } from '../archive/archive-page.tsx';
import { ReceiptPage } from '../archive/receipt-page.tsx';
import type { Page } from '../state/view.ts';
import { TeardownsPage } from '../teardowns/teardowns-page.tsx';

const TimelinePage = lazy(async () => ({
  default: (await import('../timeline/timeline-page.tsx')).TimelinePage,
}));

const CostsPage = lazy(async () => ({
  default: (await import('../costs/costs-page.tsx')).CostsPage,
}));

interface LaterPagesProps {
  readonly page: Extract<
    Page,
    { readonly kind: 'archive' | 'costs' | 'receipt' | 'teardowns' | 'timeline' }
  >;
}

/** Pages that nobody sees first. The names of what each of them loads would stand in what the first picture waits for. */
export function LaterPages({ page }: LaterPagesProps) {
  switch (page.kind) {
    case 'archive':
      return <ArchivePage />;
    case 'costs':
      return <CostsPage key={page.boxId} boxId={page.boxId} />;
    case 'receipt':
      return <ReceiptPage key={page.seq} seq={page.seq} boxId={page.boxId} />;
    case 'teardowns':
      return <TeardownsPage boxIds={page.boxIds} sweepId={page.sweepId} />;
    case 'timeline':
      return <TimelinePage />;
  }
}
