import { useId, useState } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import { selectDueMs } from '../../shared/clocks/select-clocks.ts';
import { formatWhen } from '../../shared/clocks/when.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { estimateFor, estimateRun } from '../../shared/meter/estimate.ts';
import { priceBook } from '../../shared/meter/price-book.ts';
import { readAmount } from '../../shared/money.ts';
import { selectClocksOf, useClocks } from '../state/feeds.ts';
import { useProfile } from '../state/profiles.ts';
import { useClock } from '../ui/clock.ts';
import { Field } from '../ui/field.tsx';
import { capital } from '../ui/format.ts';
import styles from './costs.module.css';
import { burnWords, NOTHING_PRICED } from '../../shared/meter/money-words.ts';
import { costUntilWords, jobEnds, progressWords, whenWords } from './run-end-words.ts';

interface CostAheadProps {
  readonly box: Box;
  readonly meter: BoxMeter;
}

/** What keeping, stopping or destroying the box costs, what it will have cost at its nearest clock, and what hours would. */
export function CostAhead({ box, meter }: CostAheadProps) {
  const titleId = useId();
  const { perDay } = meter;
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <h2 id={titleId}>Projections</h2>
      <dl className={styles['facts']}>
        <dt>If it keeps running</dt>
        <dd className="figures">{burnWords(perDay.running, ' a day')}</dd>
        <dt>If stopped</dt>
        <dd className="figures">{burnWords(perDay.stopped, ' a day')}</dd>
        <dt>If destroyed</dt>
        <dd className="figures">{burnWords(perDay.destroyed, ' a day')}</dd>
        <UntilClock boxId={box.id} meter={meter} />
        <UntilRunEnds boxId={box.id} meter={meter} />
      </dl>
      <Calculator platform={box.platform} meter={meter} />
    </section>
  );
}

function UntilClock({ boxId, meter }: { readonly boxId: string; readonly meter: BoxMeter }) {
  const clocks = useClocks(selectClocksOf(boxId))?.clocks ?? [];
  const atMs = useClock((nowMs) => selectDueMs(clocks, nowMs));
  const words = useClock((nowMs) =>
    atMs === null || atMs <= nowMs || meter.phase === null
      ? ''
      : burnWords(estimateFor(meter.charges, atMs - nowMs), ''),
  );
  const event = clocks.find(({ due }) => due.kind === 'at' && due.atMs === atMs)?.event;
  // That no price is set stands above it, of each day.
  if (words === '' || words === NOTHING_PRICED || atMs === null || event === undefined) return null;
  return (
    <>
      <dt>Until: {event}</dt>
      <dd>
        <span className="figures">{words}</span> more, if nothing changes before {formatWhen(atMs)}
      </dd>
    </>
  );
}

/** Of the one run that holds a GPU: what its log, and the scheduler, say of its end. */
function UntilRunEnds({ boxId, meter }: { readonly boxId: string; readonly meter: BoxMeter }) {
  const clocks = useClocks(selectClocksOf(boxId))?.clocks ?? [];
  const onGpu = meter.runs?.costs.filter(({ holdsGpu }) => holdsGpu) ?? [];
  const [run] = onGpu;
  const end = run?.outlook?.end ?? null;
  const jobs = jobEnds(clocks);
  const cost = useClock((nowMs) => (end === null ? null : costUntilWords(meter, end, nowMs)));
  const most = useClock((nowMs) => (jobs === null ? null : costUntilWords(meter, jobs, nowMs)));
  if (run === undefined || onGpu.length > 1) return null;
  const { command, pid, outlook } = run;
  return (
    <>
      <dt title={command ?? `process ${String(pid)}`}>Until its run ends</dt>
      <dd>
        {outlook === null && (
          <span title={NO_END_HINT}>
            Its log does not count to an end. A line like “step 100/1000” gives it one.
          </span>
        )}
        {outlook !== null && end === null && (
          <>
            Its log says {progressWords(outlook.progress)}, and nothing yet of how long the rest
            takes.
          </>
        )}
        {outlook !== null && end !== null && (
          <>
            <MoreCost words={cost} />; it ends {whenWords(end)} if it goes on as it did. Estimated
            from its log: {progressWords(outlook.progress)}.
          </>
        )}
        {jobs !== null && (
          <>
            {' '}
            <MoreCost words={most} />; its job’s time is up {whenWords(jobs)} at the latest:
            measured on the box.
          </>
        )}
      </dd>
    </>
  );
}

/** `$7.20 to $10.80 more`, or what is missing for it. */
function MoreCost({ words }: { readonly words: string | null }) {
  if (words === null) return 'No cost before the box is connected';
  if (words === NOTHING_PRICED) return capital(words);
  return (
    <>
      <span className="figures">{words}</span> more
    </>
  );
}

const NO_END_HINT =
  'The last line of its log would have to say how much is done and of how much: 123/500, Epoch 3/10, step 100/1000';

/** Before a run: its hours, and what is to be downloaded. */
function Calculator({ platform, meter }: { readonly platform: string; readonly meter: BoxMeter }) {
  const profile = useProfile(platform);
  const [hours, setHours] = useState('');
  const [gigabytes, setGigabytes] = useState('');
  const time = hours.trim() === '' ? null : readAmount(hours);
  const out = gigabytes.trim() === '' ? null : readAmount(gigabytes);
  const isReady = time?.ok === true && out?.ok !== false;
  const estimate = !isReady
    ? null
    : estimateRun(priceBook(meter.prices, profile).running, time.value / 1e6, {
        bytes: (out?.value ?? 0) * 1000,
        rate: meter.egressRate,
      });
  return (
    <div className={styles['fields']} role="group" aria-label="What a run would cost">
      <Field
        label="Planned run (hours)"
        inputMode="decimal"
        placeholder="12"
        value={hours}
        error={time?.ok === false ? time.error : null}
        onValue={setHours}
      />
      <Field
        label="Data to download (GB)"
        inputMode="decimal"
        placeholder="0"
        value={gigabytes}
        error={out?.ok === false ? out.error : null}
        onValue={setGigabytes}
      />
      <output className={styles['result']}>
        {estimate === null ? '' : `would cost ${burnWords(estimate, '')}`}
      </output>
    </div>
  );
}
