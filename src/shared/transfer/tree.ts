/** Something of a working tree that is sent to a box. */
export type TreeEntry = TreeFile | TreeLink;

export interface TreeFile {
  readonly kind: 'file';
  /** From the tree's folder on, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** Of the bytes that are sent. */
  readonly sha256: string;
}

export interface TreeLink {
  readonly kind: 'link';
  readonly path: string;
  readonly target: string;
}

/** One line an entry, in the order of the paths' bytes: its SHA-256 is the tree's. No two trees have the same. */
export function treeText(entries: readonly TreeEntry[]): string {
  return [...entries]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((entry) => `${stampOf(entry)} ${JSON.stringify(entry.path)}\n`)
    .join('');
}

/** What an entry is, but for its name; a box says the same of what it has. */
export function stampOf(entry: TreeEntry): string {
  return entry.kind === 'link'
    ? `link ${JSON.stringify(entry.target)}`
    : `${entry.isExecutable ? 'exec' : 'file'} ${entry.sha256}`;
}

/** What a box has where an entry of the tree belongs. */
export type SeenEntry =
  | { readonly kind: 'missing' | 'folder' | 'other' }
  | { readonly kind: 'link'; readonly target: string }
  /** `sha256` null: it could not be read. */
  | { readonly kind: 'file'; readonly isExecutable: boolean; readonly sha256: string | null };

/** Whether the box has exactly that entry. */
export function isSame(entry: TreeEntry, seen: SeenEntry): boolean {
  if (entry.kind === 'link') return seen.kind === 'link' && seen.target === entry.target;
  return (
    seen.kind === 'file' && seen.sha256 === entry.sha256 && seen.isExecutable === entry.isExecutable
  );
}
