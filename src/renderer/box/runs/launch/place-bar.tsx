import type { LogView } from '../../../../shared/runs/launch/log-view.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { beginOf, endOf } from './log-pages.ts';
import styles from './log-viewer.module.css';
import type { LogPlace } from './use-log-place.ts';

/** About a screen, so that what was read stays in view. */
const BACK_BYTES = 8 * 1024;

interface PlaceBarProps {
  readonly view: LogView;
  readonly place: LogPlace;
  readonly onGo: (at: number) => void;
}

/** Which part of a long log is shown, and the way to the others. */
export function PlaceBar({ view, place, onGo }: PlaceBarProps) {
  const { pages, isReading } = place;
  // A row is no longer than what was read for it, so this is not before the first row that is shown.
  const shownFrom = Math.max(0, view.bytes - view.lines.chars);
  const from = pages === null ? shownFrom : beginOf(pages);
  const isAtEnd = pages === null || endOf(pages) >= pages.size;
  return (
    <div className={styles['place']} role="group" aria-label="Part of the log">
      <span className={styles['cut']}>
        {pages === null
          ? 'Only the end of the log is shown here; the file has more before this.'
          : `${formatBytes(from)} to ${formatBytes(endOf(pages))} of ${formatBytes(pages.size)}`}
      </span>
      <Button size="small" disabled={isReading || from === 0} onClick={() => onGo(0)}>
        Beginning
      </Button>
      <Button
        size="small"
        disabled={isReading || from === 0}
        onClick={pages === null ? () => onGo(Math.max(0, from - BACK_BYTES)) : place.earlier}
      >
        Earlier
      </Button>
      <Button size="small" disabled={isReading || isAtEnd} onClick={place.later}>
        Later
      </Button>
    </div>
  );
}
