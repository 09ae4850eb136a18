import { useState } from 'react';
import type { Clock } from '../../../shared/clocks/clock.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { BehindLine } from '../../clocks/behind-line.tsx';
import { clockTone, dueWords, knownWords } from '../../clocks/clock-words.ts';
import { tellLabel } from '../../clocks/tell-label.ts';
import { call } from '../../state/bridge.ts';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { actionFailed, tabChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/clock.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { LostData } from './clock-parts.tsx';
import styles from './clocks.module.css';
import { IdleCost } from './idle-cost.tsx';
import { OverNote } from './over-note.tsx';
import { SnoozeForm } from './snooze-form.tsx';
import { SnoozeMenu } from './snooze-menu.tsx';
import { TellForm } from './tell-form.tsx';
import type { OwnEntries } from './use-own-entries.ts';

interface ClockItemProps {
  readonly entry: BoxEntry;
  readonly clock: Clock;
  /** Null: it is not put off. */
  readonly snoozedUntilMs: number | null;
  readonly told: OwnEntries;
  readonly isTellingFirst: boolean;
  /** The dialog goes where another page is wanted. */
  readonly onLeave: () => void;
}

/** One clock with everything that is known of it, and what can be said or done about it. */
export function ClockItem(props: ClockItemProps) {
  const { entry, clock, snoozedUntilMs, told, isTellingFirst } = props;
  const [open, setOpen] = useState<'tell' | 'snooze' | null>(isTellingFirst ? 'tell' : null);
  const nowMs = useNow();
  const tone = clockTone(clock, nowMs);
  const { figure, after } = dueWords(clock, nowMs);
  const { due } = clock;
  const isOver = due.kind === 'at' && due.atMs <= nowMs;
  const close = (): void => setOpen(null);
  const currency = useMeter(
    (feed) => selectMeter(entry.box.id)(feed)?.prices.compute?.currency ?? null,
  );
  return (
    <li className={styles['clock']} data-quiet={tone === 'off' ? '' : undefined}>
      <h3 className={classNames(styles['figure'], 'figures')}>
        <Glyph tone={tone} />
        <span>{clock.event}</span> <span className={styles[tone]}>{figure}</span>{' '}
        <span className={styles['after']}>{after}</span>
      </h3>
      {isOver && <OverNote link={entry.link} />}
      <Facts clock={clock} boxId={entry.box.id} />
      {snoozedUntilMs !== null && (
        <p className={styles['snoozed']}>
          Snoozed until {formatWhen(snoozedUntilMs)}.{' '}
          <Button size="small" onClick={() => void wake(entry.box.id, clock.id)}>
            End snooze
          </Button>
        </p>
      )}
      {open === 'tell' && <TellForm clock={clock} told={told} currency={currency} onDone={close} />}
      {open === 'snooze' && due.kind === 'at' && (
        <SnoozeForm
          label="Snooze until"
          latest={{ ms: due.atMs, words: 'It must end before the deadline.' }}
          put={putOff(entry.box.id, clock)}
          onDone={close}
        />
      )}
      {open === null && <Actions {...props} onOpen={setOpen} isOver={isOver} />}
    </li>
  );
}

function Facts({ clock, boxId }: { readonly clock: Clock; readonly boxId: string }) {
  const { due, trigger, consequence, known, readAt, stops, loses } = clock;
  return (
    <dl className={styles['facts']}>
      <dt>Because</dt>
      <dd>{trigger}</dd>
      <dt>Then</dt>
      <dd>
        {consequence}. {loses.length > 0 && <LostData clock={clock} />}
        <IdleCost boxId={boxId} clock={clock} />
      </dd>
      {loses.length > 0 && (
        <>
          <dt>Not backed up</dt>
          <dd>
            <BehindLine boxId={boxId} />
          </dd>
        </>
      )}
      {due.kind === 'at' && (
        <>
          <dt>When</dt>
          <dd>{formatWhen(due.atMs)}</dd>
        </>
      )}
      {due.kind === 'unknown' && (
        <>
          <dt>Missing</dt>
          <dd>{due.because}</dd>
        </>
      )}
      <dt>Known from</dt>
      <dd>{knownWords(known)}</dd>
      <dt>Read it at</dt>
      <dd>{readAt}</dd>
      <dt>Stopped by</dt>
      <dd>{stops ?? 'not known'}</dd>
    </dl>
  );
}

interface ActionsProps extends ClockItemProps {
  readonly isOver: boolean;
  readonly onOpen: (form: 'tell' | 'snooze') => void;
}

function Actions({ entry, clock, snoozedUntilMs, told, isOver, onOpen, onLeave }: ActionsProps) {
  const { due, danger } = clock;
  const label = tellLabel(clock);
  const canSnooze = due.kind === 'at' && !isOver && danger !== 'none' && snoozedUntilMs === null;
  const isOpenEnded = due.kind === 'stopwatch' || due.kind === 'costing';
  if (label === null && !canSnooze && !isOpenEnded) return null;
  function showFacts(): void {
    onLeave();
    tabChosen(entry.box.id, 'facts');
  }
  return (
    <div className={styles['buttons']}>
      {label !== null && (
        <Button size="small" disabled={told.entries === null} onClick={() => onOpen('tell')}>
          {label}
        </Button>
      )}
      {canSnooze && (
        <SnoozeMenu
          label="Snooze…"
          latestMs={due.atMs}
          put={putOff(entry.box.id, clock)}
          onUntil={() => onOpen('snooze')}
        />
      )}
      {isOpenEnded && (
        <Button size="small" onClick={showFacts}>
          How to stop it…
        </Button>
      )}
    </div>
  );
}

const putOff = (boxId: string, clock: Clock) => (untilMs: number) =>
  call('clocks:snooze', { boxId, clockId: clock.id, untilMs });

async function wake(boxId: string, clockId: string): Promise<void> {
  const woken = await call('clocks:snooze', { boxId, clockId, untilMs: null });
  if (!woken.ok) actionFailed(woken.error);
}
