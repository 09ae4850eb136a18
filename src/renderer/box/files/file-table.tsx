import {
  ArrowDown,
  ArrowUp,
  File,
  FileQuestionMark,
  Folder,
  FolderSymlink,
  Link2,
} from 'lucide-react';
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import type { BoxFile, LinkEnd } from '../../../shared/files/box-file.ts';
import { joinPath, nameOf } from '../../../shared/files/box-path.ts';
import type { FileColumn, FileOrder, SortedFile } from '../../../shared/files/sort-files.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { Age } from '../../ui/age.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CutName } from '../../ui/cut-name.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { formatDate, formatQuantity, UNKNOWN } from '../../ui/format.ts';
import { RowSpace } from '../../ui/row-space.tsx';
import { useRowWindow } from '../../ui/row-window.ts';
import { followDrag } from './follow-drag.ts';
import { kindWords, modeWords, sizeWords } from './file-words.ts';
import styles from './file-table.module.css';
import {
  chooseAll,
  chooseOne,
  extendTo,
  goTo,
  targetOf,
  toggle,
  type Selection,
} from './selection.ts';
import { useDrop } from './use-drop.ts';
import { useLinkEnds } from './use-link-ends.ts';
import { useTypeAhead } from './use-type-ahead.ts';

/** As file-table.module.css has them. */
const ROW_PX = 30;
const HEAD_PX = 32;
/** As long as `.safetensors`: what a file is stays readable. */
const TAIL_CHARS = 12;
const SLOTS_STEP = 16;

const COLUMNS: Readonly<Record<FileColumn, { readonly label: string; readonly hint: string }>> = {
  name: { label: 'Name', hint: 'Numbers in names are counted: step-9 comes before step-10' },
  size: { label: 'Size', hint: 'As the file is long; of a folder it says nothing' },
  modified: {
    label: 'Changed',
    hint: 'When its content was changed last, by the clock of the box',
  },
  kind: { label: 'Kind', hint: 'And who may do what with it: owner, group, others' },
};

interface FileTableProps {
  readonly boxId: string;
  readonly folder: string;
  readonly label: string;
  /** What the box told first. */
  readonly first: BoxFile | null;
  readonly rows: readonly SortedFile[];
  readonly order: FileOrder;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onColumn: (column: FileColumn) => void;
  readonly onOpen: (file: BoxFile, end: LinkEnd | null) => void;
  /** True: the key was taken. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** Sends what was dropped on the window into a folder; null: not now. */
  readonly onDrop: ((into: string) => void) | null;
  /** These were pulled out of the list; `isHeld`: the mouse button still is. */
  readonly onDragOut: (names: readonly string[], isHeld: () => boolean) => void;
  /** Of what is chosen. */
  readonly menu: ReactNode;
  /** In place of rows, where there are none. */
  readonly nothing: ReactNode;
}

/**
 * The entries of a folder, of which only what is in view is drawn. The table has the focus and names the row where the keys are, so
 * that a row may be scrolled away without taking the focus with it.
 */
export function FileTable(props: FileTableProps) {
  const {
    boxId,
    folder,
    label,
    first,
    rows,
    order,
    selection,
    onSelect,
    onColumn,
    onOpen,
    onKey,
    onDrop,
    onDragOut,
    menu,
    nothing,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const heights = useMemo(() => new Array<number>(rows.length).fill(ROW_PX), [rows.length]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  const inView = rows.slice(view.first, view.end);
  // In steps, so that rows keep their elements while one more or one less is in view.
  const slots = Math.ceil(inView.length / SLOTS_STEP) * SLOTS_STEP;
  const ends = useLinkEnds(boxId, folder, first, inView);
  const tableId = useId();
  const rowId = (id: number): string => `${tableId}${String(id)}`;
  const at = useMemo(
    () => rows.findIndex(({ id }) => id === selection.active),
    [rows, selection.active],
  );
  const isActiveInView = at >= view.first && at < view.end;
  const typeAhead = useTypeAhead();
  const drop = useDrop(folder, onDrop);

  const moveTo = (place: number, isRange: boolean): void => {
    const row = rows[place];
    if (row === undefined) return;
    onSelect(isRange ? extendTo(rows, selection, row.id) : chooseOne(row.id));
    view.reveal(place);
  };
  const passTo = (place: number): void => {
    const row = rows[place];
    if (row === undefined) return;
    onSelect(goTo(selection, row.id));
    view.reveal(place);
  };
  // Whoever comes into a folder goes on by keys without a click; whoever walks along the tabs or the tree, or types, stays there.
  useEffect(() => {
    const focused = document.activeElement;
    const isHere = table.current?.closest('[role=tabpanel]')?.contains(focused) === true;
    const staysThere = focused?.matches('input, [role=tree]') === true;
    if ((isHere && !staysThere) || focused === document.body)
      table.current?.focus({ preventScroll: true });
    if (at !== -1) view.reveal(at);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each folder, not for each step in it
  }, [folder]);

  function takeKey(event: KeyboardEvent): boolean {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'a') {
      onSelect(chooseAll(rows, selection));
      return true;
    }
    if (event.altKey) return false;
    const row = rows[at];
    const target = targetOf(event.key, at, rows.length, view.pageOf());
    if (target !== null) {
      if (isCommand) passTo(target);
      else moveTo(target, event.shiftKey);
      return true;
    }
    if (isCommand && event.key === ' ' && row !== undefined) {
      onSelect(toggle(selection, row.id));
      return true;
    }
    if (isCommand) return false;
    if (event.key === 'Enter' && row !== undefined) {
      onOpen(row.file, ends.get(row.id) ?? null);
      return true;
    }
    const found = typeAhead(event.key, rows, at);
    if (found !== null) moveTo(found, false);
    return found !== null;
  }

  function onRowClick(event: MouseEvent, row: SortedFile): void {
    if (event.shiftKey) onSelect(extendTo(rows, selection, row.id));
    else if (event.ctrlKey || event.metaKey) onSelect(toggle(selection, row.id));
    else onSelect(chooseOne(row.id));
  }

  function onRowDrag(event: DragEvent, row: SortedFile): void {
    // The system can take nothing that is not on this computer, so it begins once that is.
    event.preventDefault();
    const ids = selection.ids.has(row.id) ? selection.ids : new Set([row.id]);
    if (ids !== selection.ids) onSelect(chooseOne(row.id));
    const dragged = rows.filter(({ id, file }) => ids.has(id) && file.hasUsableName);
    const names = dragged.map(({ file }) => file.name);
    if (scroller.current !== null)
      followDrag(scroller.current, (isHeld) => onDragOut(names, isHeld));
  }

  const list = (
    <div
      ref={scroller}
      className={classNames(styles['scroller'], drop.into === folder && styles['dropping'])}
      {...drop.handlers}
    >
      <table
        ref={table}
        className={styles['table']}
        role="grid"
        aria-label={label}
        aria-multiselectable
        aria-rowcount={rows.length + 1}
        aria-activedescendant={
          isActiveInView && selection.active !== null ? rowId(selection.active) : undefined
        }
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          if (onKey(event) || takeKey(event)) event.preventDefault();
        }}
      >
        <thead>
          <tr aria-rowindex={1}>
            {(Object.keys(COLUMNS) as FileColumn[]).map((column) => (
              <Heading key={column} {...{ column, order, onColumn }} />
            ))}
          </tr>
        </thead>
        <tbody>
          <RowSpace heightPx={view.beforePx} />
          {inView.map((row, place) => (
            <FileRow
              // A file that comes into view takes over the element of one that left: making all of them anew takes longer than a frame.
              key={(view.first + place) % slots}
              row={row}
              id={rowId(row.id)}
              end={ends.get(row.id) ?? null}
              ariaRow={view.first + place + 2}
              isActive={row.id === selection.active}
              folderName={isFolder(row.file, ends.get(row.id) ?? null) ? row.file.name : undefined}
              isDropping={drop.into === joinPath(folder, row.file.name)}
              isSelected={selection.ids.has(row.id)}
              onClick={(event) => onRowClick(event, row)}
              onDragStart={(event) => onRowDrag(event, row)}
              onMenu={() => !selection.ids.has(row.id) && onSelect(chooseOne(row.id))}
              onOpen={() => onOpen(row.file, ends.get(row.id) ?? null)}
            />
          ))}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
      </table>
      {nothing}
      {drop.into !== null && (
        <p className={styles['dropHint']}>Drop to upload into {showHidden(nameOf(drop.into))}</p>
      )}
    </div>
  );
  return <ContextMenu on={list}>{menu}</ContextMenu>;
}

interface HeadingProps {
  readonly column: FileColumn;
  readonly order: FileOrder;
  readonly onColumn: (column: FileColumn) => void;
}

function Heading({ column, order, onColumn }: HeadingProps) {
  const { label, hint } = COLUMNS[column];
  const isSorted = order.column === column;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={styles[column]}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title={hint} onClick={() => onColumn(column)}>
        <span>{label}</span>
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

interface FileRowProps {
  readonly row: SortedFile;
  readonly id: string;
  readonly end: LinkEnd | null;
  readonly ariaRow: number;
  /** Where it takes what is dropped on it. */
  readonly folderName: string | undefined;
  readonly isDropping: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onClick: (event: MouseEvent) => void;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onMenu: () => void;
  readonly onOpen: () => void;
}

function FileRow({ row: { file }, id, end, ariaRow, folderName, ...more }: FileRowProps) {
  const { isActive, isSelected, isDropping, ...acts } = more;
  const name = showHidden(file.name);
  const target = end?.target === undefined || end.target === null ? '' : showHidden(end.target);
  return (
    <tr
      id={id}
      className={classNames(
        styles['row'],
        isActive && styles['active'],
        isDropping && styles['dropping'],
      )}
      data-folder={folderName}
      aria-rowindex={ariaRow}
      aria-selected={isSelected}
      draggable={file.hasUsableName}
      onDragStart={acts.onDragStart}
      onClick={acts.onClick}
      onContextMenu={acts.onMenu}
      onDoubleClick={acts.onOpen}
    >
      <td className={styles['name']} title={target === '' ? name : `${name} → ${target}`}>
        <span className={styles['entry']}>
          <EntryIcon file={file} end={end} />
          <CutName name={name} tailChars={TAIL_CHARS} className="mono" />
          {target !== '' && <small className="mono">→ {target}</small>}
          {!file.hasUsableName && (
            <small title="Some bytes of this name are no UTF-8, so nothing can be asked of it from here. Rename it in a terminal.">
              name is no UTF-8
            </small>
          )}
        </span>
      </td>
      <td className={styles['size']} title={exactSize(file)}>
        {sizeWords(file)}
      </td>
      <td
        className={styles['modified']}
        title={file.modifiedAtMs === null ? undefined : formatDate(file.modifiedAtMs)}
      >
        {file.modifiedAtMs === null ? UNKNOWN : <Age atMs={file.modifiedAtMs} />}
      </td>
      <td className={styles['kind']} title={kindHint(end)}>
        {kindWords(file, end)} <small className="mono">{modeWords(file.mode)}</small>
      </td>
    </tr>
  );
}

function exactSize({ kind, sizeBytes }: BoxFile): string | undefined {
  return kind === 'file' && sizeBytes !== null ? formatQuantity(sizeBytes, 'bytes') : undefined;
}

const isFolder = ({ kind, hasUsableName }: BoxFile, end: LinkEnd | null): boolean =>
  hasUsableName && (kind === 'folder' || end?.kind === 'folder');

function kindHint(end: LinkEnd | null): string | undefined {
  if (end?.kind === 'nothing') return 'Nothing is where it leads, or it leads around in a circle';
  return end?.kind === null ? 'The box does not tell what is where it leads' : undefined;
}

function EntryIcon({
  file: { kind },
  end,
}: Pick<FileRowProps, 'end'> & { readonly file: BoxFile }) {
  if (kind === 'folder') return <Folder size={15} aria-hidden className={styles['folder']} />;
  if (kind === 'file') return <File size={15} aria-hidden />;
  if (kind === 'other') return <FileQuestionMark size={15} aria-hidden />;
  if (end?.kind !== 'folder') return <Link2 size={15} aria-hidden />;
  return <FolderSymlink size={15} aria-hidden className={styles['folder']} />;
}
