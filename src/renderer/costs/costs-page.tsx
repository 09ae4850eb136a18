import { Download } from 'lucide-react';
import { useState } from 'react';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import type { Period, Spent } from '../../shared/meter/box-meter.ts';
import { formatBytes, formatCount } from '../ui/format.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { selectAllEntries, selectMeters, useFleet, useMeter } from '../state/feeds.ts';
import { usePageAct } from '../state/page-part.ts';
import { costsChosen, overlayOpened } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { BoxCosts } from './box-costs.tsx';
import styles from './costs.module.css';
import { FleetCosts } from './fleet-costs.tsx';

/** What everything costs and has cost, of one box or of all. */
export function CostsPage({ boxId }: { readonly boxId: string | null }) {
  const entries = useFleet(selectAllEntries);
  const meters = useMeter(selectMeters);
  const box = entries.find((entry) => entry.box.id === boxId)?.box ?? null;
  const [said, setSaid] = useState<string | Problem | null>(null);

  async function exportCsv(): Promise<void> {
    setSaid(null);
    const answer = await call('meter:export', { boxId });
    if (!answer.ok) setSaid(answer.error);
    else if (answer.value.kind === 'saved') {
      const { file, rows, bytes } = answer.value;
      setSaid(`${formatCount(rows, 'row')}, ${formatBytes(bytes)}, written to ${file}`);
    }
  }

  usePageAct('costs-csv', () => void exportCsv());

  return (
    <>
      <PageHeader
        title={box === null ? 'Costs' : `Costs of ${box.name}`}
        actions={
          <>
            {box !== null && (
              <>
                <Button onClick={() => costsChosen(null)}>All boxes</Button>
                <Button onClick={() => overlayOpened({ kind: 'set-price', boxId: box.id })}>
                  Set price…
                </Button>
              </>
            )}
            <Button onClick={() => void exportCsv()}>
              <Download size={15} aria-hidden /> Export CSV…
            </Button>
          </>
        }
      />
      <div className={styles['body']}>
        {typeof said === 'string' && (
          <p className={styles['said']} role="status">
            {said}
          </p>
        )}
        {said !== null && typeof said !== 'string' && <Refusal problem={said} />}
        {box === null ? (
          <FleetCosts
            boxes={entries.flatMap(({ box: each }) =>
              isInSums(each) ? { box: each, meter: meters[each.id] ?? null } : [],
            )}
          />
        ) : (
          <BoxCosts box={box} meter={meters[box.id] ?? null} />
        )}
      </div>
    </>
  );
}

export const NO_PAST: Readonly<Record<Period, readonly Spent[]>> = {
  today: [],
  week: [],
  month: [],
  total: [],
};
