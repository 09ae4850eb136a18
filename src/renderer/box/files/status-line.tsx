import type { ReactNode } from 'react';
import { MAX_LISTED } from '../../../shared/files/box-file.ts';
import type { SortedFile } from '../../../shared/files/sort-files.ts';
import { MAX_FOUND } from '../../../shared/files/find-pattern.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatNumber } from '../../ui/format.ts';
import styles from './status-line.module.css';
import type { Selection } from './selection.ts';
import type { ShownFolder } from './use-folder.ts';

interface StatusLineProps {
  readonly look: ShownFolder;
  readonly rows: readonly SortedFile[];
  readonly hidden: number;
  readonly selection: Selection;
  /** Ends a search; null: the folder itself is listed. */
  readonly onStop: (() => void) | null;
  readonly children?: ReactNode;
}

/** How much is shown, how old that is, and how much of it is chosen. */
export function StatusLine({ look, rows, hidden, selection, onStop, children }: StatusLineProps) {
  const { isListing, isCut, isPartly, atMs } = look;
  const isSearch = onStop !== null;
  const chosen = selection.ids.size < 2 ? [] : rows.filter(({ id }) => selection.ids.has(id));
  return (
    <div className={styles['status']}>
      <p role="status">
        {isSearch
          ? `${formatNumber(rows.length)} found`
          : formatCount(rows.length, 'entry', 'entries')}
        {hidden > 0 && `, ${formatNumber(hidden)} hidden`}
        {isListing && (isSearch ? ' so far, searching…' : ' so far, listing…')}
      </p>
      {isListing && onStop !== null && (
        <Button size="small" onClick={onStop}>
          Stop
        </Button>
      )}
      {isCut && (
        <span className={styles['warn']}>
          {isSearch
            ? `There are more than ${formatNumber(MAX_FOUND)}: only these are shown.`
            : `The folder has more than ${formatNumber(MAX_LISTED)} entries: only these are shown.`}
        </span>
      )}
      {isPartly && (
        <span className={styles['warn']}>Some of what is in it could not be looked into.</span>
      )}
      {chosen.length > 0 && <span>{chosenWords(chosen)}</span>}
      {children}
      {atMs !== null && !isListing && (
        <span className={styles['listed']}>
          {isSearch ? 'Searched' : 'Listed'} <Age atMs={atMs} />
        </span>
      )}
    </div>
  );
}

/** What is in a folder nobody has counted, and a size that is not known is no zero. */
function chosenWords(chosen: readonly SortedFile[]): string {
  const files = chosen.filter(({ file }) => file.kind === 'file');
  const known = files.flatMap(({ file }) => file.sizeBytes ?? []);
  const bytes = formatBytes(known.reduce((sum, each) => sum + each, 0));
  const words = `${formatNumber(chosen.length)} chosen, ${formatCount(files.length, 'file')} of ${bytes}`;
  return known.length === files.length ? words : `${words} and more`;
}
