import { useId, useState, type ReactNode } from 'react';
import type { Alert } from '../../../shared/alerts/alert.ts';
import type { Clue, Finding } from '../../../shared/detectors/finding.ts';
import { entryIdOf } from '../../../shared/detectors/alert-words.ts';
import { formatMoney } from '../../../shared/money.ts';
import { plainText } from '../../../shared/questions/hostile-text.ts';
import {
  idWords,
  SEVERITY_TONES,
  SEVERITY_WORDS,
  subjectWords,
} from '../../fleet/finding-words.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { Age, Elapsed } from '../../ui/age.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount, formatDate, formatDuration, formatQuantity } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { AlertActions, StageChip } from './alert-actions.tsx';
import { costSoFar, spanWords } from './alert-words.ts';
import styles from './alerts-tab.module.css';
import { Commands } from './commands.tsx';

/** A clue comes from the box; more than this is no line to read. */
const MAX_LINE_CHARS = 2000;
const MAX_FILE_CHARS = 400;

interface FindingCardProps {
  readonly entry: BoxEntry;
  readonly finding: Finding;
  /** What is remembered of it; null: nothing yet. */
  readonly alert: Alert | null;
  /** What was first seen since then is new to whoever looks. */
  readonly openedAtMs: number;
  /** Shows at first only what it is, with the actions: below others that are worse. */
  readonly isFolded: boolean;
}

/** One finding with all that is known of it, and what can be done. */
export function FindingCard({ entry, finding, alert, openedAtMs, isFolded }: FindingCardProps) {
  const titleId = useId();
  const { severity, detector, title, headline, means, fix, commands, caveat } = finding;
  const { notSeenBecause, isEvent } = finding;
  const tone = SEVERITY_TONES[severity];
  // As it was when it came: nothing folds under the eyes of who reads it.
  const [isBrief] = useState(isFolded);
  const explained = (
    <>
      <p className="selectable">{means}</p>
      {caveat !== null && <p className={styles['muted']}>{caveat}</p>}
      <Part title="What to do">
        <ol className={classNames(styles['steps'], 'selectable')}>
          {fix.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Part>
      {commands.length > 0 && (
        <Part title="Check it yourself">
          <Commands boxId={entry.box.id} commands={commands} isUp={entry.link.kind === 'up'} />
        </Part>
      )}
    </>
  );
  return (
    <article className={classNames(styles['finding'], styles[tone])} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <span className={styles['severity']}>
          <Glyph tone={tone} /> {SEVERITY_WORDS[severity]}
        </span>
        <span className={styles['rule']}>{title}</span>
        {alert !== null && <StageChip alert={alert} isNew={isNew(alert, openedAtMs)} />}
      </div>
      <h2 id={titleId} className={classNames(styles['headline'], 'selectable')}>
        {headline}
      </h2>
      {finding.subject.kind === 'run' && (
        <p className={classNames(styles['run'], 'mono selectable')}>
          {subjectWords(finding.subject)}
        </p>
      )}
      <Times finding={finding} alert={alert} />
      {notSeenBecause !== null && (
        <p className={styles['note']}>
          <Glyph tone="unknown" />
          {isEvent === true ? (
            <span>
              One-time event: {notSeenBecause}. Mark it as resolved when you have dealt with it.
            </span>
          ) : (
            <span>Not seen now, and perhaps not over: {notSeenBecause}.</span>
          )}
        </p>
      )}
      {isBrief ? (
        <>
          <AlertActions {...{ entry, finding, alert }} />
          <details className={styles['brief']}>
            <summary>What it means, and what to do</summary>
            <div className={styles['body']}>{explained}</div>
          </details>
        </>
      ) : (
        <>
          {explained}
          <AlertActions {...{ entry, finding, alert }} />
        </>
      )}
      <CluesFold clues={finding.clues} />
      <a className={styles['more']} href={`#${entryIdOf(detector)}`}>
        More in the Handbook{' '}
        <span className={styles['id']} title={idWords(detector, title)}>
          {detector}
        </span>
      </a>
    </article>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className={styles['part']}>{title}</h3>
      {children}
    </div>
  );
}

function isNew({ stage }: Alert, openedAtMs: number): boolean {
  return stage.kind === 'open' || (stage.kind === 'seen' && stage.atMs >= openedAtMs);
}

function Times({ finding, alert }: Pick<FindingCardProps, 'finding' | 'alert'>) {
  const soFar = alert === null ? null : costSoFar(alert);
  const { sinceMs, lastSeenMs, costPerHour, wastedShare, isEvent } = finding;
  const isWasteUnpriced = costPerHour === null && wastedShare !== null && wastedShare > 0;
  return (
    <p className={classNames(styles['muted'], 'figures')}>
      {isEvent === true ? (
        <span title={formatDate(lastSeenMs)}>
          noticed <Age atMs={lastSeenMs} />
        </span>
      ) : (
        <>
          <span title={formatDate(sinceMs)}>
            for <Elapsed sinceMs={sinceMs} />
          </span>
          {' · '}
          <span title={formatDate(lastSeenMs)}>
            last seen <Age atMs={lastSeenMs} />
          </span>
        </>
      )}
      {costPerHour !== null && (
        <>
          {' · '}
          <strong>costs about {formatMoney(costPerHour)} per hour</strong>
        </>
      )}
      {isWasteUnpriced && ' · set a price to see what it costs'}
      {soFar !== null && !isWasteUnpriced && ` · so far ${soFar}`}
      {alert !== null && alert.spans.length > 1 && (
        <span title={alert.spans.map(spanWords).join('\n')}>
          {' · '}
          {formatCount(alert.spans.length, 'time')}, first {formatDate(alert.spans[0]?.fromMs ?? 0)}
        </span>
      )}
    </p>
  );
}

export function CluesFold({ clues }: { readonly clues: readonly Clue[] }) {
  if (clues.length === 0) return null;
  const figures = clues.filter((each) => each.kind === 'figure');
  const lines = clues.filter((each) => each.kind === 'line');
  return (
    <details className={styles['fold']}>
      <summary>Clues</summary>
      {figures.length > 0 && (
        <dl className={classNames(styles['figures'], 'figures', 'selectable')}>
          {figures.map(({ label, value, unit, windowMs }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {formatQuantity(value, unit, Number.isInteger(value) ? 0 : 1)}
                {windowMs !== null && (
                  <span className={styles['muted']}> mean over {formatDuration(windowMs)}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {groupLines(lines).map(({ source, text }) => (
        <figure key={`${source} ${text}`} className={styles['source']}>
          <pre>{text}</pre>
          {source !== '' && <figcaption>{source}</figcaption>}
        </figure>
      ))}
    </details>
  );
}

/** Lines of one file and time stand together, and the file and time below them once. */
function groupLines(
  lines: readonly Extract<Clue, { kind: 'line' }>[],
): readonly { readonly source: string; readonly text: string }[] {
  const groups: { source: string; text: string }[] = [];
  for (const { line, file, atMs } of lines) {
    const source = [
      ...(file === undefined ? [] : [plainText(file, MAX_FILE_CHARS)]),
      ...(atMs === undefined ? [] : [formatDate(atMs)]),
    ].join(' · ');
    const text = plainText(line, MAX_LINE_CHARS);
    const last = groups.at(-1);
    if (last?.source === source) last.text += `\n${text}`;
    else groups.push({ source, text });
  }
  return groups;
}
