import { ChevronRight, Folder, FolderOpen } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { treeRows, treeStep, type TreeRow } from '../../../shared/files/folder-tree.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { classNames } from '../../ui/class-names.ts';
import { useRowWindow } from '../../ui/row-window.ts';
import { folderChosen } from './files-view.ts';
import styles from './folder-tree.module.css';
import { useFolderTree } from './use-folder-tree.ts';
import { useTypeAhead } from './use-type-ahead.ts';

/** As folder-tree.module.css has it. */
const ROW_PX = 28;
const SEEN_BEHIND = 5;
const INDENT_PX = 14;
const NO_HEAD = { headPx: 0, isHeadSticky: false };

interface FolderTreeProps {
  readonly boxId: string;
  /** The one that the list shows. */
  readonly folder: string | null;
  readonly showsHidden: boolean;
  readonly times: number;
}

/**
 * The folders of a box. Walking through it changes nothing in the list; Enter or a click shows a folder there. The tree has the focus and
 * names the row where the keys are.
 */
export function FolderTree({ boxId, folder, showsHidden, times }: FolderTreeProps) {
  const { tree, open, close } = useFolderTree(boxId, folder, times);
  const rows = useMemo(
    () => treeRows(tree, { shown: folder, showsHidden }),
    [tree, folder, showsHidden],
  );
  const [walked, setWalked] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => rows.map(() => ROW_PX), [rows]);
  const view = useRowWindow(scroller, heights, NO_HEAD);
  const typeAhead = useTypeAhead();
  const treeId = useId();
  const found = rows.findIndex(({ path }) => path === (walked ?? folder));
  const at = found === -1 ? 0 : found;
  const isInView = at >= view.first && at < view.end;

  const shownAt = rows.findIndex(({ path }) => path === folder);
  useEffect(() => {
    if (shownAt === -1) return;
    // With some of what follows: what is beside it is seen too.
    view.reveal(Math.min(shownAt + SEEN_BEHIND, rows.length - 1));
    view.reveal(shownAt);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once it is there; where a person scrolls to from then on stays
  }, [folder, shownAt !== -1]);

  const goTo = (place: number): void => {
    setWalked(rows[place]?.path ?? null);
    view.reveal(place);
  };
  const show = ({ path }: TreeRow): void => {
    setWalked(path);
    folderChosen(boxId, path);
  };
  const turn = ({ path, isOpen }: TreeRow): void => (isOpen ? close(path) : open(path));

  function takeKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    // First: a blank in a name that is being typed opens nothing.
    const named = typeAhead(
      event.key,
      rows.map((each) => ({ file: each })),
      at,
    );
    if (named !== null) {
      goTo(named);
      return true;
    }
    const row = rows[at];
    const step = treeStep(rows, at, event.key);
    if (step?.kind === 'go') goTo(step.to);
    else if (step?.kind === 'show' && row !== undefined) show(row);
    else if (step !== null && row !== undefined) turn(row);
    return step !== null;
  }

  return (
    <div ref={scroller} className={styles['scroller']}>
      <div
        role="tree"
        aria-label="Folders"
        aria-activedescendant={isInView ? `${treeId}${String(at)}` : undefined}
        tabIndex={0}
        className={styles['tree']}
        style={{ paddingTop: view.beforePx, paddingBottom: view.afterPx }}
        onKeyDown={(event) => {
          if (takeKey(event)) event.preventDefault();
        }}
        onBlur={({ currentTarget }) => {
          // The window alone has lost the focus, and the tree has it when the window is back.
          if (document.activeElement !== currentTarget) setWalked(null);
        }}
      >
        {rows.slice(view.first, view.end).map((row, place) => (
          <Row
            key={row.path}
            row={row}
            id={`${treeId}${String(view.first + place)}`}
            isActive={view.first + place === at}
            isShown={row.path === folder}
            onTurn={() => turn(row)}
            onShow={() => show(row)}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly isActive: boolean;
  readonly isShown: boolean;
  readonly onTurn: () => void;
  readonly onShow: () => void;
}

function Row({ row, id, isActive, isShown, onTurn, onShow }: RowProps) {
  const { name, level, at, of, isOpen, canOpen, note } = row;
  const Icon = isOpen ? FolderOpen : Folder;
  return (
    <div
      id={id}
      role="treeitem"
      aria-label={note === null ? showHidden(name) : `${showHidden(name)}. ${note}`}
      aria-level={level}
      aria-posinset={at}
      aria-setsize={of}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isShown}
      className={classNames(styles['row'], isActive && styles['active'])}
      style={{ paddingLeft: level * INDENT_PX }}
      title={note ?? showHidden(row.path)}
      onClick={onShow}
    >
      <span
        className={classNames(styles['turn'], isOpen && styles['open'])}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          if (canOpen) onTurn();
        }}
      >
        {canOpen && <ChevronRight size={13} />}
      </span>
      <Icon size={14} aria-hidden />
      <span className="mono">{showHidden(name)}</span>
      {note !== null && <small aria-hidden>…</small>}
    </div>
  );
}
