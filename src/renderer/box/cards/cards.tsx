import { Suspense } from 'react';
import type { BoxEntry } from '../../state/box-entry.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Card } from './card.tsx';
import styles from './cards.module.css';
import { DangerClockCard } from './danger-clock-card.tsx';

const AlertsCard = lazyPart(async () => (await import('./alerts-card.tsx')).AlertsCard);
const CardsNote = lazyPart(async () => (await import('./cards-note.tsx')).CardsNote);
const CostCard = lazyPart(async () => (await import('./cost-card.tsx')).CostCard);

interface CardsProps {
  readonly entry: BoxEntry;
  /** One line, with the answers alone: on a page that is about something else. */
  readonly isStrip: boolean;
}

/** The three questions of every box. What cannot be answered is "unknown", never "clear" or "$0". */
export function Cards({ entry, isStrip }: CardsProps) {
  return (
    <>
      <div className={styles['cards']} data-strip={isStrip}>
        <DangerClockCard entry={entry} />
        <Suspense fallback={<Card title="Cost meter" note="" tone="wait" answer="…" why="" />}>
          <CostCard boxId={entry.box.id} link={entry.link} />
        </Suspense>
        <Suspense fallback={<Card title="Alerts" note="" tone="wait" answer="…" why="" />}>
          <AlertsCard entry={entry} />
        </Suspense>
      </div>
      {!isStrip && (
        <Suspense fallback={null}>
          <CardsNote entry={entry} />
        </Suspense>
      )}
    </>
  );
}
