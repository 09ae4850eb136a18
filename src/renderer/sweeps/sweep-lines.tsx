import type { SweepLine } from '../../shared/runs/sweep/sweep-view.ts';
import { selectAllEntries, useFleet } from '../state/feeds.ts';
import { useSweeps } from '../state/sweeps.ts';
import { sweepsChosen } from '../state/view.ts';
import { formatCount, formatDate } from '../ui/format.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import styles from './sweeps.module.css';

interface SweepLinesProps {
  readonly lines: readonly SweepLine[];
  readonly onOpen: (id: string) => void;
}

export function SweepLines({ lines, onOpen }: SweepLinesProps) {
  const entries = useFleet(selectAllEntries);
  const nameOf = (boxId: string): string =>
    entries.find(({ box }) => box.id === boxId)?.box.name ?? 'a box that was removed';
  return (
    <ul className={styles['lines']}>
      {lines.map(({ id, name, cells, launchedAtMs, boxIds }) => (
        <li key={id}>
          <button type="button" className={styles['open']} onClick={() => onOpen(id)}>
            {name === '' ? id : name}
          </button>
          <span>{formatCount(cells, 'cell')}</span>
          <span>{boxIds.map(nameOf).join(', ')}</span>
          <span>{formatDate(launchedAtMs)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The sweeps that one box takes part in. Nothing where there is none. */
export function SweepsOfBox({ boxId }: { readonly boxId: string }) {
  const feed = useSweeps();
  const mine = feed.kind === 'live' ? feed.state.filter((line) => line.boxIds.includes(boxId)) : [];
  if (mine.length === 0) return null;
  return (
    <section className={styles['ofBox']} aria-label="Sweeps">
      <h2>{formatCount(mine.length, 'sweep')}</h2>
      <SweepLines
        lines={mine.map((line) => ({ ...line, name: plainLine(line.name, 120) }))}
        onOpen={sweepsChosen}
      />
    </section>
  );
}
