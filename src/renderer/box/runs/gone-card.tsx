import { BookOpen, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { VanishStep } from '../../../shared/patrol/judge-vanished.ts';
import type { GoneRun, SeenRun } from '../../../shared/patrol/patrol-state.ts';
import {
  isByLog,
  VANISH_WORDS,
  VERDICT_WORDS,
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
import { overlayOpened } from '../../state/view.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatClockTime, formatCount, formatDate, formatDuration } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { commandOf, LastLines, pathOf, titleOf } from './run-card.tsx';
import { Fact } from './run-fact.tsx';
import styles from './runs.module.css';

/** A clue comes from the box; more than this is no line to read. */
const MAX_BECAUSE_CHARS = 500;

interface GoneCardProps {
  readonly boxId: string;
  readonly platform: string;
  readonly run: GoneRun;
  /** The same command in the same folder runs again. */
  readonly again: SeenRun | null;
  /** It asks for the person: its lines need no click. */
  readonly isOpenAtFirst: boolean;
}

/** A run that ended: one line, and opened the ladder that says why, as far as it can be proven, and how to go on. */
export function GoneCard({ boxId, platform, run, again, isOpenAtFirst }: GoneCardProps) {
  const titleId = useId();
  const { cause, steps, failure, alike } = run;
  const catalog = useCatalog();
  // What a person opened or closed stays so while others come.
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isFinished = cause === 'finished';
  const tone = isFinished ? 'ok' : SEVERITY_TONES[vanishSeverity(cause, run.holdsGpu)];
  const open = [...of(steps, 'proven'), ...of(steps, 'not-proven')];
  const ruledOut = of(steps, 'ruled-out');
  return (
    <article className={classNames(styles['gone'], styles[tone])} aria-labelledby={titleId}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles['head']}>
          <ChevronRight size={15} className={styles['chevron']} aria-hidden />
          <h3 id={titleId} className={styles['verdict']}>
            <Glyph tone={tone} /> <span>{vanishHeadline(catalog, cause, failure)}</span>
          </h3>
          <span className={classNames(styles['command'], 'mono')} title={commandOf(run)}>
            {titleOf(run) ?? commandOf(run)}
          </span>
          <span className={classNames(styles['muted'], 'figures')}>
            <Age atMs={run.missedMs} />
          </span>
        </summary>
        <div className={styles['opened']}>
          {titleOf(run) !== null && (
            <p className={classNames(styles['command'], 'mono selectable')} title={commandOf(run)}>
              {commandOf(run)}
            </p>
          )}
          <Times run={run} />
          <LastLines lines={run.lastLines} />
          {again !== null && (
            <p className={styles['again']}>
              <Glyph tone="info" /> The same command runs again in the same folder, as process{' '}
              {again.pid}.
            </p>
          )}
          <div>
            <h4 className={styles['part']}>Diagnosis</h4>
            <Ladder steps={open} tone={tone} />
            {ruledOut.length > 0 && (
              <details className={styles['fold']}>
                <summary>
                  {formatCount(ruledOut.length, open.length > 0 ? 'other cause' : 'cause')} ruled
                  out
                </summary>
                <Ladder steps={ruledOut} tone={tone} />
              </details>
            )}
          </div>
          <div>
            <h4 className={styles['part']}>What to do</h4>
            <ol className={classNames(styles['steps'], 'selectable')}>
              {vanishSteps(catalog, cause, failure, alike).map(({ step, gotcha }) => (
                <li key={step}>
                  {step}
                  {gotcha !== null && (
                    <>
                      {' '}
                      <a
                        href={`#${gotcha}`}
                        aria-label={`Handbook: ${catalog.get(gotcha)?.title ?? gotcha}`}
                      >
                        Handbook
                      </a>
                    </>
                  )}
                </li>
              ))}
            </ol>
          </div>
          {!isFinished && again === null && <HowToResume boxId={boxId} run={run} />}
          <div className={styles['foot']}>
            {!isFinished && (
              <NewEntryButton seen={incidentOfGone(run, platform, catalog)} boxId={boxId} />
            )}
            <Dismiss boxId={boxId} run={run} />
          </div>
        </div>
      </details>
    </article>
  );
}

/** Where the next try can begin. Nothing is started from here. */
function HowToResume({ boxId, run }: { readonly boxId: string; readonly run: GoneRun }) {
  const { checkpoint, lastSeenMs, workedUntilMs } = run;
  const untilMs = workedUntilMs ?? lastSeenMs;
  return (
    <div>
      <h4 className={styles['part']}>How to resume</h4>
      {checkpoint === null ? (
        <p>
          No checkpoint that this run wrote is known. Look in {pathOf(run.folder)} before you start
          it again.
        </p>
      ) : (
        <p>
          Its last checkpoint is <strong className="selectable">{pathOf(checkpoint.path)}</strong>,
          written {checkpointAge(checkpoint.writtenAtMs, untilMs)}.
        </p>
      )}
      <div className={styles['actions']}>
        {run.command !== null && <CopyButton text={commandOf(run)} label="Copy its command" />}
        <Button size="small" onClick={() => overlayOpened({ kind: 'recovery', boxId })}>
          <BookOpen size={14} aria-hidden /> Recovery handbook…
        </Button>
      </div>
    </div>
  );
}

/** What it did after its last save is lost. */
function checkpointAge(writtenAtMs: number, untilMs: number): string {
  const lostMs = untilMs - writtenAtMs;
  return lostMs > 0
    ? `${formatDuration(lostMs)} before it was last seen at work`
    : `at ${formatDate(writtenAtMs)}`;
}

function Times({ run }: { readonly run: GoneRun }) {
  const { pid, folder, sinceMs, lastSeenMs, missedMs, workedUntilMs } = run;
  return (
    <dl className={classNames(styles['facts'], 'figures')}>
      <Fact name="Noticed">
        <span title={formatDate(missedMs)}>
          <Age atMs={missedMs} />
        </span>
      </Fact>
      {workedUntilMs === null ? (
        <Fact name="Last seen">
          <span title={formatDate(lastSeenMs)}>
            <Age atMs={lastSeenMs} />
          </span>
        </Fact>
      ) : (
        <Fact name="Stopped working">
          <span title="All GPUs of the box fell idle then, by their charts">
            {formatClockTime(workedUntilMs)}
          </span>
        </Fact>
      )}
      <Fact name="Ran at least">
        {sinceMs === null
          ? 'unknown'
          : formatDuration(Math.max(lastSeenMs, workedUntilMs ?? 0) - sinceMs)}
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
  const glyphs = {
    proven: tone,
    'not-proven': 'unknown',
    'ruled-out': 'off',
  } as const;
  return (
    <ol className={styles['ladder']}>
      {steps.map((step) => (
        <li key={step.cause} data-verdict={step.verdict}>
          <span className={styles['rung']}>
            <Glyph tone={glyphs[step.verdict]} /> {VERDICT_WORDS[step.verdict]}
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
        aria-label={`Dismiss: ${commandOf(run)}`}
        title="Takes it out of this list. Nothing is done on the box."
        onClick={dismiss}
      >
        Dismiss
      </Button>
      <Refusal problem={refusal} />
    </>
  );
}
