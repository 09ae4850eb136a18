import { useId, useState } from 'react';
import { capital } from '../../../ui/format.ts';
import type { Problem } from '../../../../shared/problem.ts';
import { plainLine } from '../../../../shared/questions/hostile-text.ts';
import {
  awaitedWords,
  gapWords,
  overWords,
  whenWords,
} from '../../../../shared/sentinels/sentinel-words.ts';
import type {
  OverSentinel,
  Sentinel,
  SentinelSeen,
} from '../../../../shared/sentinels/sentinel.ts';
import { call } from '../../../state/bridge.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { formatBytes, formatCount, formatDate } from '../../../ui/format.ts';
import { Glyph, type Tone } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from './sentinels.module.css';

interface ArmedCardProps {
  readonly boxId: string;
  readonly sentinel: Sentinel;
  /** False: what the last look saw may be over. */
  readonly isLookedFor: boolean;
}

/** One that still waits, with what was seen of it and when. */
export function ArmedCard({ boxId, sentinel, isLookedFor }: ArmedCardProps) {
  const titleId = useId();
  const { awaited, seen, unread, untilMs, armedAtMs, restarted, gap } = sentinel;
  const isKnown = isLookedFor && unread === null && seen !== null;
  return (
    <li className={styles['row']} aria-labelledby={titleId}>
      <Glyph tone={isKnown ? 'wait' : 'unknown'} />
      <div className={styles['said']}>
        <h3 id={titleId} className="selectable">
          {capital(awaitedWords(awaited))}
        </h3>
        <p className={classNames(styles['muted'], 'figures')}>
          {seen === null ? 'not checked' : <SeenWords awaited={awaited} seen={seen} />}
          {seen !== null && !isLookedFor && (
            <>
              {' · '}
              <span title={formatDate(seen.atMs)}>
                as it was <Age atMs={seen.atMs} />
              </span>
            </>
          )}
          {' · '}
          <span title={`Since ${formatDate(armedAtMs)}`}>until {formatDate(untilMs)}</span>
        </p>
        {unread !== null && (
          <p className={styles['note']}>
            The last check could not tell: {plainLine(unread.because, 300)}.
          </p>
        )}
        {restarted !== null && (
          <p className={styles['note']}>
            <Glyph tone="warn" />
            <span>
              {restarted.how === 'reboot'
                ? 'The box was rebooted, or is another machine now'
                : 'The container was restarted'}{' '}
              ({formatDate(restarted.fromMs)} – {formatDate(restarted.toMs)}): whatever was to bring
              this about may be gone.
            </span>
          </p>
        )}
        {gap !== null && (
          <p className={styles['note']}>
            <Glyph tone="warn" />
            <span>{gapWords(gap)}</span>
          </p>
        )}
      </div>
      <Remove boxId={boxId} id={sentinel.id} label={`Cancel: ${awaitedWords(awaited)}`}>
        Cancel
      </Remove>
    </li>
  );
}

function SeenWords({
  awaited,
  seen,
}: {
  readonly awaited: Sentinel['awaited'];
  readonly seen: SentinelSeen;
}) {
  const { isThere, writtenAtMs, bytes, files, path, unreadBytes } = seen;
  const written = writtenAtMs !== null && (
    <>
      written <Age atMs={writtenAtMs} />
    </>
  );
  switch (awaited.kind) {
    case 'process':
      return 'still there';
    case 'file':
      return isThere ? <>there as it was, {written}</> : 'not there';
    case 'line':
      if (!isThere) return 'the log is not there';
      return (
        <>
          not there · log {written}
          {bytes !== null && `, ${formatBytes(bytes)}`}
          {(unreadBytes ?? 0) > 0 && `, ${formatBytes(unreadBytes ?? 0)} still to be read`}
        </>
      );
    case 'count':
      return isThere
        ? `${String(files ?? 0)} of ${formatCount(awaited.atLeast, 'file')}`
        : 'the folder is not there';
    case 'newest':
      if (!isThere) return 'the folder is not there';
      if (path === null) return 'no such file';
      return (
        <>
          newest: <span title={plainLine(path, 500)}>{fileName(path)}</span>, {written}
        </>
      );
  }
}

const fileName = (path: string): string => plainLine(path.slice(path.lastIndexOf('/') + 1), 200);

const TONES: Readonly<Record<OverSentinel['end'], Tone>> = {
  happened: 'ok',
  already: 'info',
  expired: 'warn',
  moved: 'warn',
};

/** What came of one, with what proves it. */
export function OverCard({ boxId, over }: { readonly boxId: string; readonly over: OverSentinel }) {
  const titleId = useId();
  const { end, line, gap, atMs } = over;
  return (
    <li
      className={classNames(styles['card'], styles['over'])}
      aria-labelledby={titleId}
      data-end={end}
    >
      <Glyph tone={TONES[end]} />
      <div className={styles['said']}>
        <h3 id={titleId} className="selectable">
          {capital(overWords(over))}
        </h3>
        {line !== null && (
          <p className={classNames(styles['line'], 'mono selectable')} aria-label="The line">
            {plainLine(line, 500)}
          </p>
        )}
        <p className={classNames(styles['muted'], 'figures selectable')}>
          <span title={formatDate(atMs)}>
            <Age atMs={atMs} />
          </span>
          . {sayings(over).join(' ')}
        </p>
        {gap !== null && (
          <p className={styles['note']}>
            <Glyph tone="warn" />
            <span>{gapWords(gap)}</span>
          </p>
        )}
      </div>
      <Remove boxId={boxId} id={over.id} label={`Dismiss: ${overWords(over)}`}>
        Dismiss
      </Remove>
    </li>
  );
}

/** How it is known, in whole sentences. */
function sayings(over: OverSentinel): readonly string[] {
  const { end, before, seen, because } = over;
  const lastLook =
    before === null
      ? 'No check was possible in all that time.'
      : `Last checked ${formatDate(before.atMs)}.`;
  const said = [
    whenWords(over) ?? '',
    end === 'expired' ? lastLook : '',
    because,
    seen === null ? '' : seenWords(over.awaited, seen),
  ];
  return said.filter((each) => each !== '');
}

function seenWords({ kind }: Sentinel['awaited'], seen: SentinelSeen): string {
  const { path, bytes, files, writtenAtMs } = seen;
  const facts = [
    path === null ? null : plainLine(path, 500),
    bytes === null ? null : formatBytes(bytes),
    files === null || kind !== 'count' ? null : formatCount(files, 'file'),
    writtenAtMs === null ? null : `written ${formatDate(writtenAtMs)}`,
  ].filter((each) => each !== null);
  return facts.length === 0 ? '' : `${capital(facts.join(', '))}.`;
}

function Remove({
  boxId,
  id,
  label,
  children,
}: {
  readonly boxId: string;
  readonly id: string;
  readonly label: string;
  readonly children: string;
}) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const remove = async (): Promise<void> => {
    const removed = await call('sentinels:remove', { boxId, id });
    if (!removed.ok) setRefusal(removed.error);
  };
  return (
    <div className={styles['action']}>
      <Button size="small" aria-label={label} onClick={() => void remove()}>
        {children}
      </Button>
      <Refusal problem={refusal} />
    </div>
  );
}
