import { useId, useState } from 'react';
import type { VanishStep } from '../../../shared/patrol/judge-vanished.ts';
import type { GoneRun, SeenRun } from '../../../shared/patrol/patrol-state.ts';
import { remediesOf, VANISH_WORDS, vanishWordsOf } from '../../../shared/patrol/remediation.ts';
import type { Problem } from '../../../shared/problem.ts';
import { plainText } from '../../../shared/questions/hostile-text.ts';
import { call } from '../../state/bridge.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatDate, formatDuration } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { commandOf, Fact, pathOf } from './run-card.tsx';
import styles from './runs.module.css';

/** A line of evidence comes from the box; more than this is no line to read. */
const MAX_BECAUSE_CHARS = 500;

interface GoneCardProps {
  readonly boxId: string;
  readonly run: GoneRun;
  /** The same command in the same folder runs again. */
  readonly again: SeenRun | null;
}

/** A run that is not there any more, and the ladder that says why, as far as it can be proven. */
export function GoneCard({ boxId, run, again }: GoneCardProps) {
  const titleId = useId();
  const { cause, steps, failure } = run;
  const isFinished = cause === 'finished';
  const tone = isFinished ? 'ok' : cause === null ? 'warn' : 'danger';
  const words = cause === null ? 'why is not proven' : vanishWordsOf(cause, failure);
  return (
    <article className={classNames(styles['gone'], styles[tone])} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['verdict']}>
          <Glyph tone={tone} /> <span>A run is gone: {words}</span>
        </h3>
        <Dismiss boxId={boxId} run={run} />
      </div>
      <p className={classNames(styles['command'], 'mono selectable')} title={commandOf(run)}>
        {commandOf(run)}
      </p>
      <Times run={run} />
      {again !== null && (
        <p className={styles['again']}>
          <Glyph tone="info" /> The same command runs again in the same folder, as process{' '}
          {again.pid}.
        </p>
      )}
      <div>
        <h4 className={styles['part']}>What could have ended it, and what the box says of each</h4>
        <ol className={styles['ladder']}>
          {inOrder(steps).map((step) => (
            <Rung key={step.cause} step={step} />
          ))}
        </ol>
      </div>
      <div>
        <h4 className={styles['part']}>What to do</h4>
        <ol className={classNames(styles['steps'], 'selectable')}>
          {remediesOf(cause, failure).map(({ step, gotcha }) => (
            <li key={step}>
              {step}
              {gotcha !== null && (
                <>
                  {' '}
                  <a href={`#${gotcha}`} aria-label={`${gotcha} in the handbook`}>
                    {gotcha}
                  </a>
                </>
              )}
            </li>
          ))}
        </ol>
        {!isFinished && (
          <p className={styles['muted']}>Leasehold does not start a run again by itself.</p>
        )}
      </div>
    </article>
  );
}

function Times({ run }: { readonly run: GoneRun }) {
  const { pid, folder, sinceMs, lastSeenMs, missedMs } = run;
  return (
    <dl className={classNames(styles['facts'], 'figures')}>
      <Fact name="Missed">
        <span title={formatDate(missedMs)}>
          <Age atMs={missedMs} />
        </span>
      </Fact>
      <Fact name="Last seen">
        <span title={formatDate(lastSeenMs)}>
          <Age atMs={lastSeenMs} />
        </span>
      </Fact>
      <Fact name="Had run for">
        {sinceMs === null ? 'unknown' : formatDuration(lastSeenMs - sinceMs)}
      </Fact>
      <Fact name="Process">
        {pid}
        {run.holdsGpu && ', held a GPU'}
      </Fact>
      <Fact name="Folder" isPath>
        {pathOf(folder)}
      </Fact>
    </dl>
  );
}

const VERDICTS: Readonly<
  Record<VanishStep['verdict'], { readonly words: string; readonly tone: Tone }>
> = {
  proven: { words: 'proven', tone: 'danger' },
  'not-proven': { words: 'not proven', tone: 'unknown' },
  'ruled-out': { words: 'ruled out', tone: 'off' },
};

const ORDER = ['proven', 'not-proven', 'ruled-out'] as const;

function inOrder(steps: readonly VanishStep[]): readonly VanishStep[] {
  return [...steps].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
}

function Rung({ step: { cause, verdict, because } }: { readonly step: VanishStep }) {
  const { words, tone } = VERDICTS[verdict];
  const isGood = verdict === 'proven' && cause === 'finished';
  return (
    <li data-verdict={verdict}>
      <span className={styles['rung']}>
        <Glyph tone={isGood ? 'ok' : tone} /> {words}
      </span>
      <span className={styles['cause']}>{VANISH_WORDS[cause]}</span>
      <span className={classNames(styles['because'], 'selectable')}>
        {plainText(because, MAX_BECAUSE_CHARS)}
      </span>
    </li>
  );
}

function Dismiss({ boxId, run }: { readonly boxId: string; readonly run: GoneRun }) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const dismiss = (): void => {
    void call('patrol:dismiss', { boxId, key: run.key }).then((answer) => {
      if (!answer.ok) setRefusal(answer.error);
    });
  };
  return (
    <>
      <Button
        size="small"
        aria-label={`Done with ${commandOf(run)}`}
        title="Takes it out of this list. Nothing is done on the box."
        onClick={dismiss}
      >
        Done with it
      </Button>
      <Refusal problem={refusal} />
    </>
  );
}
