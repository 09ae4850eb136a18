import { Suspense, useId } from 'react';
import type { Clock } from '../../../shared/clocks/clock.ts';
import { nearestClock, unknownClocks } from '../../../shared/clocks/select-clocks.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import type { BoxClocks } from '../../../shared/streams/meter-stream.ts';
import { BehindLine } from '../../clocks/behind-line.tsx';
import {
  afterEndWords,
  clockTone,
  dueWords,
  knownWords,
  skewWords,
} from '../../clocks/clock-words.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { selectClocksOf, useClocks } from '../../state/feeds.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/clock.ts';
import { capital, formatCount } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LostData } from '../clocks/clock-parts.tsx';
import { stopActionOf } from '../clocks/stop-action.ts';
import styles from './cards.module.css';

const PullLink = lazyPart(async () => (await import('./pull-link.tsx')).PullLink);
const IdleCost = lazyPart(async () => (await import('../clocks/idle-cost.tsx')).IdleCost);

/** The nearest dangerous clock, and how many there are. Nothing known is "not known", never "safe". */
export function DangerClockCard({ entry }: { readonly entry: BoxEntry }) {
  const boxId = entry.box.id;
  const feed = useClocks();
  const box = useClocks(selectClocksOf(boxId));
  const titleId = useId();
  const count = box?.clocks.length ?? 0;
  const nearest = nearestClock(box?.clocks ?? []);
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>Danger clock</h2>
        <button
          type="button"
          className={styles['link']}
          aria-label={count === 0 ? 'Set a clock' : `all ${count} clocks`}
          onClick={() => overlayOpened({ kind: 'clocks', boxId })}
        >
          {count === 0 ? 'Set one' : `all ${count}`}
        </button>
      </div>
      {feed.kind === 'failed' && (
        <Plain tone="unknown" answer="Unknown" why={feed.problem.message} />
      )}
      {feed.kind !== 'failed' && box === null && (
        <Plain tone="unknown" answer="Unknown" why="The clocks are being read." />
      )}
      {box !== null && nearest === null && (
        <>
          <NoneRuns box={box} />
          <p className={styles['why']}>
            <BehindLine boxId={boxId} />
          </p>
        </>
      )}
      {box !== null && nearest !== null && <Nearest entry={entry} clock={nearest} box={box} />}
    </section>
  );
}

interface PlainProps {
  readonly tone: Tone;
  readonly answer: string;
  readonly why: string;
}

function Plain({ tone, answer, why }: PlainProps) {
  return (
    <>
      <p className={styles['answer']}>
        <Glyph tone={tone} /> {answer}
      </p>
      <p className={classNames(styles['why'], styles['brief'])} title={why}>
        {why}
      </p>
    </>
  );
}

function NoneRuns({ box }: { readonly box: BoxClocks }) {
  const [first, ...others] = unknownClocks(box.clocks);
  if (first !== undefined) {
    const because = first.due.kind === 'unknown' ? first.due.because : '';
    const more = others.length === 0 ? '' : ` And ${others.length} more.`;
    return <Plain tone="unknown" answer="Unknown" why={capital(`${because}.${more}`)} />;
  }
  if (box.profileId === null) {
    const why = 'Leasehold knows no timers of this platform. You can set your own.';
    return <Plain tone="unknown" answer="None known" why={why} />;
  }
  const why = `${formatCount(box.clocks.length, 'clock')} of the platform watched; none runs at present.`;
  return <Plain tone="ok" answer="No clock runs" why={why} />;
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
  const unknown = unknownClocks(box.clocks).length;
  const skew = skewWords(box.skew);
  const action = stopActionOf(clock, entry.box.id);
  const isOver = due.kind === 'at' && due.atMs <= nowMs;
  return (
    <>
      <p className={classNames(styles['answer'], 'figures')}>
        <Glyph tone={tone} />
        <span className={styles[tone]}>{figure}</span>
        <span className={styles['after']}>{after}</span>
        {unknown > 0 && <span className={styles['also']}>{unknown} more unknown</span>}
      </p>
      <p className={styles['why']}>
        Then: {clock.consequence}. <LostData clock={clock} />
        {due.kind === 'stopwatch' && (
          <Suspense fallback={null}>
            <IdleCost boxId={entry.box.id} clock={clock} />
          </Suspense>
        )}
        {isOver && <span className={styles['danger']}> {afterEndWords(entry.link)}</span>}
      </p>
      <p className={styles['why']}>
        <BehindLine boxId={entry.box.id} />{' '}
        {due.kind === 'at' && !isOver && (
          <Suspense fallback={null}>
            <PullLink boxId={entry.box.id} dueMs={due.atMs} />
          </Suspense>
        )}
      </p>
      <p className={styles['foot']}>
        <span title={due.kind === 'at' ? formatWhen(due.atMs) : clock.trigger}>
          {capital(due.kind === 'at' ? formatWhen(due.atMs) : clock.trigger)} ·{' '}
          {knownWords(clock.known)}
          {unknown > 0 && ` · ${unknown} more unknown`}
          {skew !== null && (
            <span className={styles['warn']} title={skew}>
              {' · box clock off'}
            </span>
          )}
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
