import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import type { LeftOut } from '../../shared/transfer/planned-push.ts';
import type { TreeEntry, TreeFile } from '../../shared/transfer/tree.ts';
import { inSlices } from '../streams/in-slices.ts';
import type { ListedFile } from './list-tree.ts';
import type { FileState, KeptHash, LocalHashes, ReadFile } from './local-hashes.ts';
import { sha256 } from '../storage/sha256.ts';

/** Read as a whole; what is longer is no script. */
const SHORT_BYTES = 1024 * 1024;
/** The coarsest times of file systems, those of FAT. */
const GRAIN_MS = 2000;

const SHELL_NAME = /\.(?:sh|bash|zsh|ksh)$/;

export interface LocalFile extends TreeFile {
  readonly modifiedAtMs: number;
  /** Its Windows line ends are changed on the way. */
  readonly isFixed: boolean;
}

export type LocalEntry = LocalFile | Extract<TreeEntry, { readonly kind: 'link' }>;

export interface LocalTree {
  readonly entries: readonly LocalEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Scripts with Windows line ends, which no shell can run (U26). */
  readonly withReturns: readonly string[];
}

export interface ReadOptions {
  readonly isFixing: boolean;
  readonly isRehashing: boolean;
  readonly hashes: LocalHashes;
}

/** What these files hold now. One that cannot be read is a problem of the whole: the box would run something else. */
export async function readLocalTree(
  folder: string,
  files: readonly ListedFile[],
  { isFixing, isRehashing, hashes }: ReadOptions,
): Promise<LocalTree> {
  const known = await hashes.of(folder);
  const next = new Map<string, KeptHash>();
  let isNew = false;
  const entries: LocalEntry[] = [];
  const leftOut: LeftOut[] = [];
  const withReturns: string[] = [];
  function take(file: ListedFile, read: ReadFile): void {
    const { path, stat } = file;
    if (read.fixed !== null) withReturns.push(path);
    const fixed = isFixing ? read.fixed : null;
    entries.push({
      kind: 'file',
      path,
      bytes: fixed?.bytes ?? stat.size,
      sha256: fixed?.sha256 ?? read.sha256,
      isExecutable: (stat.mode & 0o111) !== 0,
      modifiedAtMs: stat.mtimeMs,
      isFixed: fixed !== null,
    });
  }
  await inSlices(files, (file) => {
    const { path, stat } = file;
    if (stat.isSymbolicLink()) {
      const target = readlinkSync(join(folder, path));
      if (leadsOutside(path, target)) {
        leftOut.push({
          path,
          because: `a link that leads out of the folder, to ${target}`,
        });
      } else entries.push({ kind: 'link', path, target });
    } else if (stat.isFile()) {
      const kept = isRehashing ? undefined : known.get(path);
      if (kept !== undefined && isSameState(kept.state, stat)) {
        next.set(path, kept);
        return take(file, kept);
      }
      const isSettled = hasSettled(stat);
      const taken = (read: ReadFile): void => {
        isNew ||= isSettled;
        if (isSettled) next.set(path, { ...read, state: stateOf(stat) });
        take(file, read);
      };
      const at = join(folder, path);
      if (stat.size > SHORT_BYTES) return readLong(at).then(taken);
      taken(readShort(at, path));
    } else leftOut.push({ path, because: 'no plain file' });
  });
  if (isNew || next.size < known.size) await hashes.keep(folder, next);
  const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
    a.path < b.path ? -1 : 1;
  return {
    entries: entries.sort(byPath),
    leftOut: leftOut.sort(byPath),
    withReturns: withReturns.sort(),
  };
}

/** Without the dates that Node's own object holds on to. */
const stateOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): FileState => {
  return { dev, ino, size, mtimeMs, ctimeMs };
};

const isSameState = (a: FileState, b: FileState): boolean =>
  a.ctimeMs === b.ctimeMs &&
  a.mtimeMs === b.mtimeMs &&
  a.size === b.size &&
  a.ino === b.ino &&
  a.dev === b.dev;

/** What is written from now on has another time than this state of the file. */
const hasSettled = ({ mtimeMs, ctimeMs }: Stats): boolean =>
  Date.now() - Math.max(mtimeMs, ctimeMs) > GRAIN_MS;

/** By its words alone: what lies on its way is a part of the tree, or is left out itself. */
function leadsOutside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /^[A-Za-z]:|\\/.test(target)) return true;
  return /^\.\.(?:\/|$)/.test(posix.normalize(posix.join(posix.dirname(path), target)));
}

async function readLong(file: string): Promise<ReadFile> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return { sha256: hash.digest('hex'), fixed: null };
}

function readShort(file: string, path: string): ReadFile {
  const bytes = readFileSync(file);
  const isScript = SHELL_NAME.test(path) || bytes.subarray(0, 2).toString('latin1') === '#!';
  const hash = sha256(bytes);
  if (!isScript || !bytes.includes('\r\n')) return { sha256: hash, fixed: null };
  const without = withoutReturns(bytes);
  return {
    sha256: hash,
    fixed: { sha256: sha256(without), bytes: without.length },
  };
}

/** Byte for byte: a script may hold any of them. */
export function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
