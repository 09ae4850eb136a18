import { useId } from 'react';
import type { LinkState } from '../../../shared/boxes/box.ts';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import type { Phase } from '../../../shared/meter/interval.ts';
import { spentAt } from '../../../shared/meter/live.ts';
import { burnWords } from '../../../shared/meter/money-words.ts';
import { doubtsOf, NO_AMOUNT } from '../../costs/money-words.ts';
import { RunSpent, SpentFigure, useSpent, useWaste } from '../../costs/cost-figures.tsx';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { costsChosen, overlayOpened } from '../../state/view.ts';
import { classNames } from '../../ui/class-names.ts';
import { useClock } from '../../ui/clock.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { usePriceAge } from '../../costs/price-age.ts';
import styles from './cards.module.css';
import { NextStep } from './next-step.tsx';
import { checkStep } from './next-steps.ts';

interface CostCardProps {
  readonly boxId: string;
  readonly link: LinkState;
}

/** What the box costs now and has cost, how that is known, and what it would cost otherwise. */
export function CostCard({ boxId, link }: CostCardProps) {
  const titleId = useId();
  const meter = useMeter(selectMeter(boxId));
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Cost meter</h2>
        <button type="button" className={styles['link']} onClick={() => costsChosen(boxId)}>
          Details
        </button>
      </div>
      {meter === null ? (
        <p className={styles['answer']}>
          <Glyph tone="wait" /> Reading the meter…
        </p>
      ) : (
        <Figures boxId={boxId} link={link} meter={meter} />
      )}
    </section>
  );
}

interface FiguresProps extends CostCardProps {
  readonly meter: BoxMeter;
}

function Figures({ boxId, link, meter }: FiguresProps) {
  const { phase, prices, perDay, unreadableLines } = meter;
  const isUnpriced = prices.compute === null && (phase === 'running' || phase === null);
  // Without a price there is nothing to say of each part, and one sentence says that.
  const isBare = isUnpriced && unreadableLines === 0;
  return (
    <>
      <div className={styles['answer']}>
        {isUnpriced ? (
          <>
            <Glyph tone="unknown" />
            <NextStep label="Set price…" run={() => overlayOpened({ kind: 'set-price', boxId })} />
          </>
        ) : (
          <Burn boxId={boxId} link={link} burnPerHour={meter.burnPerHour} />
        )}
      </div>
      <p className={classNames(styles['why'], styles['brief'])}>
        <Sums meter={meter} isUnpriced={isUnpriced} />
        <ThisRun runs={meter.runs} />
      </p>
      {!isBare && (
        <>
          <Otherwise phase={phase} perDay={perDay} />
          <Foot meter={meter} boxId={boxId} />
        </>
      )}
    </>
  );
}

/** Null: nobody knows whether it runs, which the box itself would tell. */
function Burn({ boxId, link, burnPerHour }: CostCardProps & Pick<BoxMeter, 'burnPerHour'>) {
  if (burnPerHour !== null) return <span className="figures">{burnWords(burnPerHour)}</span>;
  const step = checkStep(boxId, link, false);
  return (
    <>
      <Glyph tone={step === null ? 'wait' : 'unknown'} />
      {step === null ? 'Checking…' : <NextStep {...step} />}
    </>
  );
}

/** What is the same is said once: of a box of this month, and of one of which nobody knows a price. */
function Sums({
  meter,
  isUnpriced,
}: Pick<FiguresProps, 'meter'> & { readonly isUnpriced: boolean }) {
  const meters = [meter];
  const today = useSpent({ meters, period: 'today' });
  const month = useSpent({ meters, period: 'month' });
  const total = useSpent({ meters, period: 'total' });
  const isSame = month === total;
  const figure = (words: string) => (
    <b className="figures">
      <SpentFigure words={words} />
    </b>
  );
  if (isSame && today === total && total === NO_AMOUNT) {
    // Of a box that has a price, what is missing stands below: whether it runs.
    return isUnpriced ? 'No price set' : meter.phase === null ? null : 'Cost so far not known';
  }
  return (
    <>
      <span title="Since midnight, by this machine’s calendar">Today {figure(today)}</span>
      {isSame ? ' · total ' : <> · month {figure(month)} · total </>}
      {figure(total)}
    </>
  );
}

/** What it would cost in another phase. */
function Otherwise({ phase, perDay }: Pick<BoxMeter, 'phase' | 'perDay'>) {
  // What tells whether it runs stands above, as a button.
  if (phase === null) return null;
  const other = phase === 'running' ? 'stopped' : 'running';
  const wordsOf = (each: Phase): string => burnWords(perDay[each], ' a day');
  const [words, destroyed] = [wordsOf(other), wordsOf('destroyed')];
  const isSame = phase === 'running' && words === destroyed;
  return (
    <p className={styles['why']} title="What it would cost then, as far as it is priced">
      {phase === 'running' ? 'Storage after stop' : 'Running'}
      {isSame && ' or destroy'}: <b>{words}</b>
      {phase !== 'destroyed' && !isSame && (
        <>
          , after destroy: <b>{destroyed}</b>
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
    <span
      className={styles['run']}
      title={`${command}: the whole box since it began, until it was seen last`}
    >
      {' '}
      · run{' '}
      <b className="figures">
        <RunSpent run={run} />
      </b>
    </span>
  );
}

function Foot({ meter, boxId }: Pick<FiguresProps, 'meter' | 'boxId'>) {
  const age = usePriceAge(boxId, meter);
  const waste = useWaste({ meters: [meter], period: 'total' });
  const known = knownWords(meter);
  const doubts = useClock((nowMs) => doubtsOf(spentAt(meter, 'total', nowMs)).join('; '));
  return (
    <p className={classNames(styles['foot'], styles['parts'])}>
      <span title={doubts === '' ? undefined : `Beside the sums: ${doubts}`}>
        {known}
        {doubts !== '' && (
          <>
            {known !== '' && ' · '}
            <button type="button" className={styles['link']} onClick={() => costsChosen(boxId)}>
              incomplete
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
    </p>
  );
}

function knownWords({ source, unreadableLines }: BoxMeter): string {
  if (unreadableLines > 0) return 'Parts of the ledger cannot be read';
  switch (source) {
    case 'observed':
      return 'Metered live';
    case 'inferred':
      return 'Running time estimated';
    case 'unresolved':
      return 'Not seen now · estimate';
    case 'manual':
      return 'Entered by hand';
    case null:
      return '';
  }
}
