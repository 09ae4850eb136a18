import type { FolderNames } from './box-file.ts';
import { isWithin, joinPath } from './box-path.ts';
import { byFileName } from './sort-files.ts';

/** What is known of the folders in a folder. */
export type KnownFolder =
  | { readonly kind: 'asked' }
  | ({ readonly kind: 'told' } & FolderNames)
  | { readonly kind: 'refused'; readonly because: string };

export interface FolderTree {
  readonly known: Readonly<Record<string, KnownFolder>>;
  readonly open: ReadonlySet<string>;
}

/** A folder as the tree shows it. */
export interface TreeRow {
  readonly path: string;
  readonly name: string;
  /** The root has 1. */
  readonly level: number;
  /** Among those of its folder, from 1 on, and how many those are. */
  readonly at: number;
  readonly of: number;
  readonly isOpen: boolean;
  /** False: it was looked into, and there is no folder that would be shown. */
  readonly canOpen: boolean;
  /** What is to be said of what is in it; null: nothing. */
  readonly note: string | null;
}

export interface ShownTree {
  /** The folder that the list shows: the way to it is always there. */
  readonly shown: string | null;
  readonly showsHidden: boolean;
}

/** The rows of a tree from the root on, in order. */
export function treeRows(tree: FolderTree, { shown, showsHidden }: ShownTree): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const isShown = (path: string, name: string): boolean =>
    showsHidden || !name.startsWith('.') || (shown !== null && isWithin(shown, path));
  const add = (path: string, place: Pick<TreeRow, 'name' | 'level' | 'at' | 'of'>): void => {
    const known = tree.known[path];
    const inside =
      known?.kind === 'told'
        ? [...known.names].sort(byFileName).filter((name) => isShown(joinPath(path, name), name))
        : [];
    const isOpen = tree.open.has(path);
    const canOpen = known?.kind !== 'told' || inside.length > 0;
    rows.push({ path, ...place, isOpen: isOpen && canOpen, canOpen, note: noteOf(known) });
    if (!isOpen) return;
    for (const [at, name] of inside.entries()) {
      const ofIt = { name, level: place.level + 1, at: at + 1, of: inside.length };
      add(joinPath(path, name), ofIt);
    }
  };
  add('/', { name: '/', level: 1, at: 1, of: 1 });
  return rows;
}

function noteOf(known: KnownFolder | undefined): string | null {
  if (known?.kind === 'refused') return known.because;
  if (known?.kind === 'told' && known.isCut) return 'Too many folders to show here. See the list.';
  return null;
}

/** What a key of a tree does at a row. */
export type TreeStep =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'open' | 'close' | 'show' };

/** As trees of every system have it; null: the key does nothing there. */
export function treeStep(rows: readonly TreeRow[], at: number, key: string): TreeStep | null {
  const row = rows[at];
  if (row === undefined) return null;
  switch (key) {
    case 'ArrowDown':
      return { kind: 'go', to: Math.min(at + 1, rows.length - 1) };
    case 'ArrowUp':
      return { kind: 'go', to: Math.max(at - 1, 0) };
    case 'Home':
      return { kind: 'go', to: 0 };
    case 'End':
      return { kind: 'go', to: rows.length - 1 };
    case 'ArrowRight':
      if (!row.isOpen) return row.canOpen ? { kind: 'open' } : null;
      return (rows[at + 1]?.level ?? 0) > row.level ? { kind: 'go', to: at + 1 } : null;
    case 'ArrowLeft':
      if (row.isOpen) return { kind: 'close' };
      for (let up = at - 1; up >= 0; up -= 1)
        if ((rows[up]?.level ?? 0) < row.level) return { kind: 'go', to: up };
      return null;
    case 'Enter':
    case ' ':
      return { kind: 'show' };
    default:
      return null;
  }
}
