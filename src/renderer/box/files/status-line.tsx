import type { ReactNode } from 'react';
import { MAX_LISTED } from '../../../shared/files/box-file.ts';
import type { SortedFile } from '../../../shared/files/sort-files.ts';
import { Age } from '../../ui/age.tsx';
import { formatBytes, formatCount, formatNumber } from '../../ui/format.ts';
import styles from './files.module.css';
import type { Selection } from './selection.ts';
import type { FolderLook } from './use-folder.ts';

interface StatusLineProps {
  readonly look: FolderLook;
  readonly rows: readonly SortedFile[];
  readonly hidden: number;
  readonly selection: Selection;
  readonly children?: ReactNode;
}

/** How much is shown, how old that is, and how much of it is chosen. */
export function StatusLine({ look, rows, hidden, selection, children }: StatusLineProps) {
  const { isListing, isCut, atMs } = look;
  const chosen = selection.ids.size < 2 ? [] : rows.filter(({ id }) => selection.ids.has(id));
  return (
    <div className={styles['status']}>
      <p role="status">
        {formatCount(rows.length, 'entry', 'entries')}
        {hidden > 0 && `, ${formatNumber(hidden)} hidden`}
        {isListing && ' so far, listing…'}
      </p>
      {isCut && (
        <span className={styles['warn']}>
          The folder has more than {formatNumber(MAX_LISTED)} entries: only these are shown.
        </span>
      )}
      {chosen.length > 0 && <span>{chosenWords(chosen)}</span>}
      {children}
      {atMs !== null && !isListing && (
        <span className={styles['listed']}>
          Listed <Age atMs={atMs} />
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
