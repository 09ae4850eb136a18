import type { RosterCell } from './sweep-roster.ts';

// Two cells that save into one folder overwrite each other's checkpoints, and the last one looks like all of them.

const MAX_PART_BYTES = 200;

/** Most names of ten thousand cells are parts as they stand; what follows is for the others. */
const IS_PART = /^[A-Za-z0-9_=+@](?:[A-Za-z0-9._=+@-]*[A-Za-z0-9_=+@])?$/;

/** A text as one part of a path that every file system takes: letters, digits and `._=+@-`; each run of others is a dash. */
export function folderPart(text: string): string {
  if (IS_PART.test(text)) return text;
  const part = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._=+@-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return part === '' ? '_' : part;
}

/** Null: the part is not too long for a file system. */
export function partError(part: string): string | null {
  // No character of a text has more than three for each of its units.
  return part.length * 3 > MAX_PART_BYTES && utf8Bytes(part) > MAX_PART_BYTES
    ? `“${part.slice(0, 40)}…” is too long for a folder: use shorter names.`
    : null;
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** What a file system may take for the same folder: it may ignore case and how letters are composed. */
function folderKey(folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  const key = parts.map(partKey).join('/');
  return folder.startsWith('/') ? `/${key}` : key;
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** Of ten thousand cells most are plain, and have nothing that could be composed. */
const partKey = (part: string): string =>
  IS_ASCII.test(part)
    ? part.toLowerCase()
    : part.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

type FolderCell = Pick<RosterCell, 'name' | 'results'>;

/** Two cells that would save into one folder, or one inside the other's. */
export interface SharedFolder {
  readonly one: FolderCell;
  readonly other: FolderCell;
  readonly isInside: boolean;
}

/** Null: every cell has a folder of its own, whatever the file system takes for the same. */
export function findSharedFolder(cells: readonly FolderCell[]): SharedFolder | null {
  const byKey = new Map<string, FolderCell>();
  for (const other of cells) {
    const key = folderKey(other.results);
    const one = byKey.get(key);
    if (one !== undefined) return { one, other, isInside: false };
    byKey.set(key, other);
  }
  for (const [key, other] of byKey) {
    for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      const one = byKey.get(key.slice(0, slash));
      if (one !== undefined) return { one, other, isInside: true };
    }
  }
  return null;
}

/** Null: no two names could be taken for one another. */
export function findSameName(
  cells: readonly Pick<RosterCell, 'name'>[],
): readonly [string, string] | null {
  const byKey = new Map<string, string>();
  for (const { name } of cells) {
    const key = folderKey(folderPart(name));
    const before = byKey.get(key);
    if (before !== undefined) return [before, name];
    byKey.set(key, name);
  }
  return null;
}

/** Null: the folders of all cells lie in one of their own, where whatever lies is a result. `pattern`: with names in braces. */
export function aboveError(pattern: string): string | null {
  const above = pattern.replace(/\{.*/s, '').split('/').slice(0, -1);
  return above.every((part) => ['', '.', '..', '~'].includes(part))
    ? 'Put the folders of the cells into one of their own, such as results/{cell}: otherwise all that lies beside them would count as results.'
    : null;
}

/** The deepest folder that holds the folders of all of them; null: there is none. */
export function folderAbove(cells: readonly Pick<RosterCell, 'results'>[]): string | null {
  let shared: readonly string[] | null = null;
  for (const { results } of cells) {
    const above = results.split('/').slice(0, -1);
    if (shared === null) {
      shared = above;
      continue;
    }
    const end = shared.findIndex((part, at) => above[at] !== part);
    if (end >= 0) shared = shared.slice(0, end);
  }
  const folder = shared?.join('/') ?? '';
  return folder === '' ? null : folder;
}
