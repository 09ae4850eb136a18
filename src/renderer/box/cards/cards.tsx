import { Suspense } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { AlertsCard } from './alerts-card.tsx';
import { Card } from './card.tsx';
import styles from './cards.module.css';
import { DangerClockCard } from './danger-clock-card.tsx';

const CostCard = lazyPart(async () => (await import('./cost-card.tsx')).CostCard);

/** The three questions of every box. What cannot be answered is "unknown", never "clear" or "$0". */
export function Cards({ boxId }: { readonly boxId: string }) {
  return (
    <div className={styles['cards']}>
      <DangerClockCard />
      <Suspense fallback={<Card title="Cost meter" note="" tone="unknown" answer="…" why="" />}>
        <CostCard boxId={boxId} />
      </Suspense>
      <AlertsCard boxId={boxId} />
    </div>
  );
}
