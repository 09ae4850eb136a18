import { useEffect, useId, useMemo, useState } from 'react';
import type { Ledger } from '../../../shared/meter/ledger.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { usePagePart } from '../../state/page-part.ts';
import { Button } from '../../ui/button.tsx';
import { FailedState, LoadingState } from '../../ui/panel-state.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatCount } from '../../ui/format.ts';
import styles from '../costs.module.css';
import { LedgerList } from './ledger-list.tsx';
import { isUnresolved, ledgerRows, type LedgerFilter, type LedgerRow } from './ledger-rows.ts';
import { LineDialog, type LineTask } from './line-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

interface LedgerSectionProps {
  readonly boxId: string;
  /** Another one: the ledger has other lines. */
  readonly revision: string;
  readonly onChanged: () => void;
}

/** Every line that was ever written, and what the person can do about them. Nothing is deleted. */
export function LedgerSection({ boxId, revision, onChanged }: LedgerSectionProps) {
  const titleId = useId();
  const [ledger, setLedger] = useState<Ledger | Problem | null>(null);
  const [turn, setTurn] = useState(0);
  const [filter, setFilter] = useState<LedgerFilter>('counted');
  const [corrected, setCorrected] = useState<LineTask | null>(null);
  const [isAdding, setIsAdding] = usePagePart('new-line');
  const [isMoving, setIsMoving] = usePagePart('new-transfer');
  const task: LineTask | null = isAdding ? { kind: 'add' } : corrected;
  const [refusal, setRefusal] = useState<Problem | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void call('meter:ledger', { boxId }).then((answer) => {
      if (isCurrent) setLedger(answer.ok ? answer.value : answer.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [boxId, revision, turn]);

  function close(): void {
    setCorrected(null);
    setIsAdding(false);
    setIsMoving(false);
  }
  function changed(): void {
    close();
    setTurn((count) => count + 1);
    onChanged();
  }

  async function settle(row: LedgerRow, as: 'running' | 'stopped' | 'destroyed'): Promise<void> {
    setRefusal(null);
    const answer = await call('meter:settle', { boxId, no: row.no, as });
    if (answer.ok) changed();
    else setRefusal(answer.error);
  }

  const isThere = ledger !== null && 'intervals' in ledger;
  const rows = useMemo(
    () => (ledger !== null && 'intervals' in ledger ? ledgerRows(ledger, filter) : []),
    [ledger, filter],
  );
  const open = isThere ? ledgerRows(ledger, 'unresolved').filter(isUnresolved).length : 0;
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Ledger</h2>
        <div>
          <Segmented<LedgerFilter>
            label="Lines"
            options={[
              { value: 'counted', label: 'That count' },
              { value: 'unresolved', label: `Not metered: ${String(open)}` },
              { value: 'all', label: 'All ever written' },
            ]}
            value={filter}
            onChange={setFilter}
          />
          <Button size="small" onClick={() => setIsAdding(true)}>
            Add a line…
          </Button>
          <Button size="small" onClick={() => setIsMoving(true)}>
            Add a transfer…
          </Button>
        </div>
      </div>
      <Refusal problem={refusal} />
      {ledger === null && <LoadingState title="Reading the ledger…" />}
      {ledger !== null && !isThere && <FailedState problem={ledger} />}
      {isThere && (
        <>
          <p className={styles['hint']}>{formatCount(rows.length, 'line')}, the newest first.</p>
          <LedgerList
            rows={rows}
            onSettle={(row, as) => void settle(row, as)}
            onCorrect={(row) => setCorrected({ kind: 'correct', row })}
          />
        </>
      )}
      {isMoving && <TransferDialog boxId={boxId} onClose={close} onDone={changed} />}
      {task !== null && <LineDialog boxId={boxId} task={task} onClose={close} onDone={changed} />}
    </section>
  );
}
