import type { BoxEntry } from '../../state/box-entry.ts';
import { AlertsCard } from './alerts-card.tsx';
import styles from './cards.module.css';
import { CostCard } from './cost-card.tsx';
import { DangerClockCard } from './danger-clock-card.tsx';

/** The three questions of every box. What cannot be answered is "unknown", never "clear" or "$0". */
export function Cards({ entry }: { readonly entry: BoxEntry }) {
  return (
    <div className={styles['cards']}>
      <DangerClockCard entry={entry} />
      <CostCard />
      <AlertsCard boxId={entry.box.id} />
    </div>
  );
}
