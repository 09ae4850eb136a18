import { useState } from 'react';
import type { Clock, Extension } from '../../../shared/clocks/clock.ts';
import { formatWhen } from '../../../shared/clocks/when.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { skewWords } from '../../clocks/skew-words.ts';
import { selectClocksOf, selectEntry, useClocks, useFleet } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ClockItem } from './clock-item.tsx';
import styles from './clocks.module.css';
import { OwnClockForm } from './own-clock-form.tsx';
import { useOwnEntries, type OwnEntries } from './use-own-entries.ts';

interface ClocksDialogProps {
  readonly boxId: string;
  /** The one whose form is open at first. */
  readonly firstClockId: string | null;
  /** Whether the form for one of the person's own is. */
  readonly isOwnFirst: boolean;
  readonly onClose: () => void;
}

/** All clocks of a box, also those that do not run: each says why. */
export function ClocksDialog({ boxId, firstClockId, isOwnFirst, onClose }: ClocksDialogProps) {
  const entry = useFleet(selectEntry(boxId));
  return (
    <Dialog
      title={`Clocks of ${entry?.box.name ?? ''}`}
      description="What happens to this box by itself, the nearest danger first. Leasehold changes nothing at the platform: you do, and enter it here."
      isWide
      onClose={onClose}
    >
      {entry === undefined ? (
        <p>This box is not in the list any more.</p>
      ) : (
        <Clocks {...{ entry, firstClockId, isOwnFirst, onClose }} />
      )}
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

interface ClocksProps extends Omit<ClocksDialogProps, 'boxId'> {
  readonly entry: BoxEntry;
}

function Clocks({ entry, firstClockId, isOwnFirst, onClose }: ClocksProps) {
  const { id, platform } = entry.box;
  const feed = useClocks();
  const box = useClocks(selectClocksOf(id));
  const told = useOwnEntries(id, platform);
  if (feed.kind === 'failed') return <ProblemNote problem={feed.problem} />;
  if (box === null || (told.entries === null && told.problem === null)) {
    return <LoadingState title="Reading the clocks…" />;
  }
  const skew = skewWords(box.skew);
  return (
    <>
      {told.problem !== null && <ProblemNote problem={told.problem} />}
      {skew !== null && (
        <p className={styles['skew']}>
          <Glyph tone="warn" />
          <span>{skew}</span>
        </p>
      )}
      {box.profileId === null && (
        <p className={styles['note']}>
          This platform has no known timers. The deadlines here are your own.
        </p>
      )}
      <ul className={styles['clocks']} aria-label="Clocks">
        {box.clocks.map((clock) => (
          <ClockItem
            key={clock.id}
            entry={entry}
            clock={clock}
            snoozedUntilMs={box.snoozed[clock.id] ?? null}
            told={told}
            isTellingFirst={clock.id === firstClockId}
            onLeave={onClose}
          />
        ))}
      </ul>
      <OwnClock told={told} isOpenFirst={isOwnFirst} />
      <Extensions extensions={told.entries?.extensions ?? []} clocks={box.clocks} />
    </>
  );
}

interface OwnClockProps {
  readonly told: OwnEntries;
  readonly isOpenFirst: boolean;
}

function OwnClock({ told, isOpenFirst }: OwnClockProps) {
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  if (isOpen) return <OwnClockForm told={told} onDone={() => setIsOpen(false)} />;
  return (
    <Button disabled={told.entries === null} onClick={() => setIsOpen(true)}>
      Set a clock of your own…
    </Button>
  );
}

interface ExtensionsProps {
  readonly extensions: readonly Extension[];
  readonly clocks: readonly Clock[];
}

/** What the person said that they did outside, the newest first. */
function Extensions({ extensions, clocks }: ExtensionsProps) {
  if (extensions.length === 0) return null;
  return (
    <details className={styles['record']}>
      <summary>Changed deadlines: {extensions.length}</summary>
      <ul>
        {[...extensions].reverse().map(({ clockId, moved, saidAtMs, fromMs, toMs }) => (
          <li key={`${clockId} ${saidAtMs}`}>
            {clocks.find(({ id }) => id === clockId)?.event ?? clockId}:{' '}
            {moved === 'end' ? 'the end' : 'its start'}
            {fromMs !== null && ` from ${formatWhen(fromMs)}`} to {formatWhen(toMs)}, entered{' '}
            {formatWhen(saidAtMs)}
          </li>
        ))}
      </ul>
    </details>
  );
}
