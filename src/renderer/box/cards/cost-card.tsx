import { useId } from 'react';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import type { Phase } from '../../../shared/meter/interval.ts';
import { spentAt } from '../../../shared/meter/live.ts';
import { burnWords } from '../../../shared/meter/money-words.ts';
import { doubtsOf, runSpentWords } from '../../costs/money-words.ts';
import { useSpent, useWaste } from '../../costs/cost-figures.tsx';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { costsChosen, overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useClock } from '../../ui/clock.ts';
import { UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { usePriceAge } from '../../costs/price-age.ts';
import styles from './cards.module.css';

/** What the box costs now and has cost, how that is known, and what it would cost otherwise. */
export function CostCard({ boxId }: { readonly boxId: string }) {
  const titleId = useId();
  const meter = useMeter(selectMeter(boxId));
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Cost meter</h2>
        <button type="button" className={styles['link']} onClick={() => costsChosen(boxId)}>
          ledger
        </button>
      </div>
      {meter === null ? (
        <p className={styles['answer']}>
          <Glyph tone="unknown" /> Unknown
        </p>
      ) : (
        <Figures boxId={boxId} meter={meter} />
      )}
    </section>
  );
}

interface FiguresProps {
  readonly boxId: string;
  readonly meter: BoxMeter;
}

function Figures({ boxId, meter }: FiguresProps) {
  const { burnPerHour, phase, prices, perDay } = meter;
  const isUnpriced = phase === 'running' && prices.compute === null;
  return (
    <>
      <div className={styles['answer']}>
        {isUnpriced || burnPerHour === null ? (
          <>
            <Glyph tone="unknown" />
            {burnPerHour === null ? 'Unknown' : 'Price not set'}
          </>
        ) : (
          <span className="figures">{burnWords(burnPerHour)}</span>
        )}
      </div>
      <p className={classNames(styles['why'], styles['brief'])}>
        <Sums meter={meter} />
        <ThisRun runs={meter.runs} />
      </p>
      <Otherwise phase={phase} perDay={perDay} />
      <Foot meter={meter} boxId={boxId} isUnpriced={isUnpriced} />
    </>
  );
}

/** What is the same is said once: of a box of this month, and of one of which nobody knows a price. */
function Sums({ meter }: Pick<FiguresProps, 'meter'>) {
  const meters = [meter];
  const today = useSpent({ meters, period: 'today' });
  const month = useSpent({ meters, period: 'month' });
  const total = useSpent({ meters, period: 'total' });
  const isSame = month === total;
  const figure = (words: string) => <b className="figures">{words}</b>;
  if (isSame && today === total && total === UNKNOWN) {
    return <>What it has cost is {figure(UNKNOWN)}</>;
  }
  return (
    <>
      <span title="Since midnight, by this machine’s calendar">Today {figure(today)}</span>
      {isSame ? ' · month and box ' : <> · month {figure(month)} · box </>}
      {figure(total)}
    </>
  );
}

/** What it would cost in another phase. */
function Otherwise({ phase, perDay }: Pick<BoxMeter, 'phase' | 'perDay'>) {
  if (phase === null) {
    return <p className={styles['why']}>Nobody has seen or said yet whether it runs.</p>;
  }
  const other = phase === 'running' ? 'stopped' : 'running';
  const wordsOf = (each: Phase): string => burnWords(perDay[each], ' a day');
  const [words, destroyed] = [wordsOf(other), wordsOf('destroyed')];
  const isSame = phase === 'running' && words === destroyed;
  return (
    <p className={styles['why']} title="What it would cost then, as far as it is priced">
      {phase === 'running' ? 'Stopped' : 'Running'}
      {isSame && ' or destroyed'} <b>{words}</b>
      {phase !== 'destroyed' && !isSame && (
        <>
          , destroyed <b>{destroyed}</b>
        </>
      )}
    </p>
  );
}

/** Of the one run that holds a GPU; of several none is "this run", and the page of costs has them. */
function ThisRun({ runs }: Pick<BoxMeter, 'runs'>) {
  const onGpu = runs?.costs.filter(({ holdsGpu }) => holdsGpu) ?? [];
  const [run] = onGpu;
  if (runs === null || run === undefined || onGpu.length > 1) return null;
  const command = run.command ?? `process ${String(run.pid)}`;
  return (
    <span title={`${command}: the whole box since it began, until it was seen last`}>
      {' '}
      · run <b className="figures">{runSpentWords(run)}</b>
    </span>
  );
}

function Foot({ meter, boxId, isUnpriced }: FiguresProps & { readonly isUnpriced: boolean }) {
  const age = usePriceAge(boxId, meter);
  const waste = useWaste({ meters: [meter], period: 'total' });
  const doubts = useClock((nowMs) => doubtsOf(spentAt(meter, 'total', nowMs)).join('; '));
  return (
    <p className={classNames(styles['foot'], styles['parts'])}>
      <span title={doubts === '' ? undefined : `Beside the sums: ${doubts}`}>
        {knownWords(meter)}
        {doubts !== '' && (
          <>
            {' · '}
            <button type="button" className={styles['link']} onClick={() => costsChosen(boxId)}>
              not all known
            </button>
          </>
        )}
      </span>
      {age !== null && (
        <span className={classNames(age.isOld && styles['warn'])} title={age.title}>
          {age.words}
        </span>
      )}
      {waste !== '' && (
        <span className={styles['warn']} title="Paid for computing while no GPU did anything">
          idle waste {waste}
        </span>
      )}
      {isUnpriced && (
        <Button size="small" onClick={() => overlayOpened({ kind: 'set-price', boxId })}>
          Set price…
        </Button>
      )}
    </p>
  );
}

function knownWords({ source, unreadableLines }: BoxMeter): string {
  if (unreadableLines > 0) return 'parts of the ledger cannot be read';
  switch (source) {
    case 'observed':
      return 'time observed';
    case 'inferred':
      return 'time inferred';
    case 'unresolved':
      return 'nobody sees it now';
    case 'manual':
      return 'entered by hand';
    case null:
      return 'time not known';
  }
}
