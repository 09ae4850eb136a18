import { Suspense, useId } from 'react';
import type { Clock } from '../../../shared/clocks/clock.ts';
import { nearestClock, unknownClocks } from '../../../shared/clocks/select-clocks.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import type { BoxClocks } from '../../../shared/streams/meter-stream.ts';
import {
  clockTone,
  dueWords,
  knownWords,
  mayRunWords,
  shortWords,
} from '../../clocks/clock-words.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { selectClocksOf, useClocks } from '../../state/feeds.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useClock, useNow } from '../../ui/clock.ts';
import { capital } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LostData } from '../clocks/clock-parts.tsx';
import { stopActionOf } from '../clocks/stop-action.ts';
import styles from './cards.module.css';
import { PlainAnswer } from './plain-answer.tsx';

const BehindLine = lazyPart(async () => (await import('../../clocks/behind-line.tsx')).BehindLine);
const DueNote = lazyPart(async () => (await import('./due-note.tsx')).DueNote);
const NoneRuns = lazyPart(async () => (await import('./none-runs.tsx')).NoneRuns);
const SkewNote = lazyPart(async () => (await import('./skew-note.tsx')).SkewNote);
const IdleCost = lazyPart(async () => (await import('../clocks/idle-cost.tsx')).IdleCost);

/** The nearest dangerous clock, and how many there are. Nothing known is "not known", never "safe". */
export function DangerClockCard({ entry }: { readonly entry: BoxEntry }) {
  const boxId = entry.box.id;
  const feed = useClocks();
  const box = useClocks(selectClocksOf(boxId));
  const titleId = useId();
  const count = box?.clocks.length ?? 0;
  const nearestId = useClock((nowMs) => nearestClock(box?.clocks ?? [], nowMs)?.id ?? null);
  const nearest = box?.clocks.find(({ id }) => id === nearestId) ?? null;
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Danger clock</h2>
        <button
          type="button"
          className={styles['link']}
          onClick={() => overlayOpened({ kind: 'clocks', boxId })}
        >
          {count === 0 ? 'Add a deadline…' : count === 1 ? '1 timer' : `All ${count} timers`}
        </button>
      </div>
      {feed.kind === 'failed' && (
        <PlainAnswer tone="warn" answer="Cannot be read" why={feed.problem.message} />
      )}
      {feed.kind !== 'failed' && box === null && (
        <PlainAnswer tone="wait" answer="Reading the clocks…" why="" />
      )}
      {box !== null && nearest === null && (
        <>
          <Suspense fallback={<PlainAnswer tone="wait" answer="…" why="" />}>
            <NoneRuns box={box} entry={entry} />
          </Suspense>
          <p className={styles['why']}>
            <Suspense fallback={null}>
              <BehindLine boxId={boxId} />
            </Suspense>
          </p>
        </>
      )}
      {box !== null && nearest !== null && <Nearest entry={entry} clock={nearest} box={box} />}
    </section>
  );
}

interface NearestProps {
  readonly entry: BoxEntry;
  readonly clock: Clock;
  readonly box: BoxClocks;
}

function Nearest({ entry, clock, box }: NearestProps) {
  const nowMs = useNow();
  const { figure, after } = dueWords(clock, nowMs);
  const tone = clockTone(clock, nowMs);
  const { due } = clock;
  const mayRun = unknownClocks(box.clocks);
  const action = stopActionOf(clock, entry.box.id);
  const when = due.kind === 'at' ? formatWhen(due.atMs) : clock.trigger;
  return (
    <>
      <p className={classNames(styles['answer'], 'figures')}>
        <span className={styles['what']}>
          <Glyph tone={tone} />
          <span className={styles['event']}>{clock.event}</span>
        </span>{' '}
        <span className={styles['when']}>
          <span className={styles[tone]}>{figure}</span>{' '}
          <span className={styles['after']}>{after}</span>
        </span>
        <span className={classNames(styles['short'], styles[tone])}>
          {shortWords(clock, nowMs)}
        </span>
        {mayRun.length > 0 && (
          <span className={styles['also']} title={mayRunWords(mayRun).title}>
            +{mayRun.length} may run
          </span>
        )}
      </p>
      <p className={styles['why']}>
        {clock.consequence !== clock.event && `Then: ${clock.consequence}. `}
        <LostData clock={clock} />
        {due.kind === 'stopwatch' && (
          <Suspense fallback={null}>
            <IdleCost boxId={entry.box.id} clock={clock} />
          </Suspense>
        )}
      </p>
      <p className={styles['why']}>
        <Suspense fallback={null}>
          <BehindLine boxId={entry.box.id} />
        </Suspense>{' '}
        {due.kind === 'at' && (
          <Suspense fallback={null}>
            <DueNote entry={entry} dueMs={due.atMs} />
          </Suspense>
        )}
      </p>
      <p className={styles['foot']}>
        <span title={when}>
          {capital(when)} · {knownWords(clock.known)}
          <Suspense fallback={null}>
            <SkewNote skew={box.skew} />
          </Suspense>
        </span>
        {action !== null && (
          <Button size="small" onClick={action.run} title={clock.stops ?? undefined}>
            {action.label}
          </Button>
        )}
      </p>
    </>
  );
}
