import { useId, useState } from 'react';
import type { VanishStep } from '../../../shared/patrol/judge-vanished.ts';
import type { GoneRun, SeenRun } from '../../../shared/patrol/patrol-state.ts';
import {
  isByLog,
  VANISH_WORDS,
  vanishHeadline,
  vanishSeverity,
  vanishSteps,
} from '../../../shared/patrol/remediation.ts';
import type { Problem } from '../../../shared/problem.ts';
import { plainText } from '../../../shared/questions/hostile-text.ts';
import { incidentOfGone } from '../../../shared/gotchas/incident.ts';
import { useCatalog } from '../../handbook/gotchas.ts';
import { NewEntryButton } from '../../handbook/new-entry-button.tsx';
import { SEVERITY_TONES } from '../../fleet/finding-words.ts';
import { call } from '../../state/bridge.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount, formatDate, formatDuration } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { commandOf, Fact, pathOf } from './run-card.tsx';
import styles from './runs.module.css';

/** A clue comes from the box; more than this is no line to read. */
const MAX_BECAUSE_CHARS = 500;

interface GoneCardProps {
  readonly boxId: string;
  readonly platform: string;
  readonly run: GoneRun;
  /** The same command in the same folder runs again. */
  readonly again: SeenRun | null;
}

/** A run that is not there any more, and the ladder that says why, as far as it can be proven. */
export function GoneCard({ boxId, platform, run, again }: GoneCardProps) {
  const titleId = useId();
  const { cause, steps, failure } = run;
  const catalog = useCatalog();
  const isFinished = cause === 'finished';
  const tone = isFinished ? 'ok' : SEVERITY_TONES[vanishSeverity(cause, run.holdsGpu)];
  const open = [...of(steps, 'proven'), ...of(steps, 'not-proven')];
  const ruledOut = of(steps, 'ruled-out');
  return (
    <article className={classNames(styles['gone'], styles[tone])} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['verdict']}>
          <Glyph tone={tone} /> <span>{vanishHeadline(catalog, cause, failure)}</span>
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
        <Ladder steps={open} tone={tone} />
        {ruledOut.length > 0 && (
          <details className={styles['fold']}>
            <summary>
              {formatCount(ruledOut.length, open.length > 0 ? 'other cause' : 'cause')}{' '}
              {ruledOut.length === 1 ? 'is' : 'are'} ruled out
            </summary>
            <Ladder steps={ruledOut} tone={tone} />
          </details>
        )}
      </div>
      <div>
        <h4 className={styles['part']}>What to do</h4>
        <ol className={classNames(styles['steps'], 'selectable')}>
          {vanishSteps(catalog, cause, failure).map(({ step, gotcha }) => (
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
          <div className={styles['foot']}>
            <p className={styles['muted']}>Leasehold does not start a run again by itself.</p>
            <NewEntryButton seen={incidentOfGone(run, platform, catalog)} boxId={boxId} />
          </div>
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

const of = (steps: readonly VanishStep[], verdict: VanishStep['verdict']): readonly VanishStep[] =>
  steps.filter((step) => step.verdict === verdict);

interface LadderProps {
  readonly steps: readonly VanishStep[];
  /** How bad the proven one is. */
  readonly tone: Tone;
}

function Ladder({ steps, tone }: LadderProps) {
  const verdicts = {
    proven: { words: 'proven', glyph: tone },
    'not-proven': { words: 'not proven', glyph: 'unknown' },
    'ruled-out': { words: 'ruled out', glyph: 'off' },
  } as const;
  return (
    <ol className={styles['ladder']}>
      {steps.map((step) => (
        <li key={step.cause} data-verdict={step.verdict}>
          <span className={styles['rung']}>
            <Glyph tone={verdicts[step.verdict].glyph} /> {verdicts[step.verdict].words}
          </span>
          <span className={styles['cause']}>{VANISH_WORDS[step.cause]}</span>
          <span className={classNames(styles['because'], 'selectable')}>
            {isByLog(step) && 'its log ends with: '}
            {plainText(step.because, MAX_BECAUSE_CHARS)}
          </span>
        </li>
      ))}
    </ol>
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
        aria-label={`Done with it: ${commandOf(run)}`}
        title="Takes it out of this list. Nothing is done on the box."
        onClick={dismiss}
      >
        Done with it
      </Button>
      <Refusal problem={refusal} />
    </>
  );
}
