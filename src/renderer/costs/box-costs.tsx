import { useState } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { FailedState, LoadingState } from '../ui/panel-state.tsx';
import { SpendPanel, type Range } from './chart/spend-panel.tsx';
import { CostAhead } from './cost-ahead.tsx';
import { NO_PAST } from './costs-page.tsx';
import styles from './costs.module.css';
import { LedgerSection } from './ledger/ledger-section.tsx';
import { PeriodTiles } from './period-tiles.tsx';
import { ReceivedBytes } from './received-bytes.tsx';
import { RunCosts } from './run-costs.tsx';
import { useDays } from './use-days.ts';

/** One box: what it has cost, what it would cost, and every line that says so. */
export function BoxCosts({ box, meter }: { readonly box: Box; readonly meter: BoxMeter | null }) {
  const [range, setRange] = useState<Range>(30);
  const [changes, setChanges] = useState(0);
  const state = useDays(box.id, range, `${String(meter?.pricedAtMs)} ${String(changes)}`);
  return (
    <>
      <PeriodTiles boxes={[{ box, meter }]} past={NO_PAST} />
      {meter !== null && <CostAhead box={box} meter={meter} />}
      {meter !== null && <RunCosts runs={meter.runs} />}
      {meter !== null && <ReceivedBytes box={box} meter={meter} />}
      <section className={styles['panel']}>
        {state.kind === 'loading' && <LoadingState title="Adding up…" />}
        {state.kind === 'failed' && <FailedState problem={state.problem} />}
        {state.kind === 'there' && (
          <SpendPanel days={state.days} range={range} onRange={setRange} partsOf={null} />
        )}
      </section>
      <LedgerSection
        boxId={box.id}
        revision={`${String(meter?.pricedAtMs)} ${String(meter?.phase)} ${String(meter?.source)}`}
        onChanged={() => setChanges((count) => count + 1)}
      />
    </>
  );
}
