import { BellPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { overWords } from '../../../../shared/sentinels/sentinel-words.ts';
import { NO_SENTINELS, type SentinelsState } from '../../../../shared/sentinels/sentinel.ts';
import { usePatrol } from '../../../state/patrol.ts';
import { useSentinels } from '../../../state/sentinels.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { useClock } from '../../../ui/clock.ts';
import { formatCount, formatDate, formatDuration } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { FailedState } from '../../../ui/panel-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { ArmDialog } from './arm-dialog.tsx';
import { ArmedCard, OverCard } from './sentinel-cards.tsx';
import styles from './sentinels.module.css';

/** What the person waits for on this box, and what came of it. */
export function SentinelsSection({ boxId }: { readonly boxId: string }) {
  const titleId = useId();
  const feed = useSentinels(boxId);
  const patrol = usePatrol(boxId);
  const [isArming, setIsArming] = useState(false);
  if (feed.kind === 'failed') return <FailedState problem={feed.problem} />;
  const state = feed.kind === 'live' ? feed.state : NO_SENTINELS;
  const runs = patrol.kind === 'live' ? (patrol.state.seen?.runs ?? []) : [];
  const { armed, over } = state;
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Watches</h2>
        {armed.length > 0 && <LookLine state={state} />}
        <Button size="small" disabled={feed.kind !== 'live'} onClick={() => setIsArming(true)}>
          <BellPlus size={14} aria-hidden /> New watch…
        </Button>
      </div>
      {armed.length === 0 && over.length === 0 && (
        <p className={styles['muted']}>
          No watches. Leasehold can check every minute for a file, a line in a log, the end of a
          process or a new checkpoint, and notifies you once when it is there.
        </p>
      )}
      {state.failed !== null && armed.length > 0 && (
        <div>
          <ProblemNote problem={state.failed.problem} />
          <p className={styles['muted']}>
            {formatCount(state.failed.times, 'check')} in a row failed: whether it happened is not
            known.
          </p>
        </div>
      )}
      {/* There before the first comes, so that it is read out. */}
      <p className="sr-only" aria-live="polite">
        {over[0] !== undefined && overWords(over[0])}
      </p>
      {over.length > 0 && (
        <ul className={styles['list']} aria-label="Results of watches">
          {over.map((each) => (
            <OverCard key={each.id} boxId={boxId} over={each} />
          ))}
        </ul>
      )}
      {armed.length > 0 && (
        <ul className={styles['rows']} aria-label="Active watches">
          {armed.map((each) => (
            <ArmedCard
              key={each.id}
              boxId={boxId}
              sentinel={each}
              isLookedFor={state.phase.kind !== 'off' && state.failed === null}
            />
          ))}
        </ul>
      )}
      {isArming && <ArmDialog boxId={boxId} runs={runs} onClose={() => setIsArming(false)} />}
    </section>
  );
}

/** Said also when nothing has changed: silence would read as a dead watch. */
function LookLine({ state: { phase, lookedAtMs } }: { readonly state: SentinelsState }) {
  const next = useClock((nowMs) =>
    phase.kind !== 'waiting'
      ? null
      : phase.nextAtMs <= nowMs
        ? 'next at once'
        : `next in ${formatDuration(phase.nextAtMs - nowMs)}`,
  );
  if (phase.kind === 'off') {
    return (
      <p className={styles['look']}>
        <Glyph tone="unknown" />
        <span>
          {lookedAtMs === null ? (
            'Paused (not connected): not checked'
          ) : (
            <span title={formatDate(lookedAtMs)}>
              Paused (not connected): unknown since the last check, <Age atMs={lookedAtMs} />
            </span>
          )}
        </span>
      </p>
    );
  }
  return (
    <p className={styles['look']}>
      <span className="figures">
        {lookedAtMs === null ? (
          'Not checked'
        ) : (
          <span title={formatDate(lookedAtMs)}>
            Checked <Age atMs={lookedAtMs} />
          </span>
        )}
        {phase.kind === 'looking' ? ' · checking…' : next !== null && ` · ${next}`}
      </span>
    </p>
  );
}
