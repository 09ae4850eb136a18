import type { Stats } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import { readOwnText } from '../storage/own-text.ts';
import { sha256 } from '../storage/sha256.ts';

/** What was read of a file: its hash, and of a script with Windows line ends what it is without them. */
export interface ReadFile {
  readonly sha256: string;
  readonly fixed: { readonly sha256: string; readonly bytes: number } | null;
}

/** What tells a file and its state apart. */
export type FileState = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

/** What was read, and in which state of the file. */
export interface KeptHash extends ReadFile {
  readonly state: FileState;
}

/** By path. */
export type FolderHashes = ReadonlyMap<string, KeptHash>;

const NONE: FolderHashes = new Map();
/** In the app's data folder. */
export const LOCAL_HASHES = 'push-hashes';
/** Pushed folders. Of those that were not pushed for the longest time nothing is kept. */
const MAX_FOLDERS = 16;
/** A hundred thousand files with long names, which is as many as are pushed. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Where each writing changes a file's change time, and no other machine writes: the list of tree-look.sh, by statfs(2)'s numbers. */
const LOCAL_FILE_SYSTEMS = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlay
]);

/**
 * The hashes of the files of this computer that were pushed, each with the state in which the file was read. Kept beside the other
 * data of the app, so that after a start nothing is read again that nobody has written to (decision 39).
 */
export class LocalHashes {
  readonly #folder: string | null;
  readonly #known = new Map<string, FolderHashes>();

  /** `folder`: where they are kept; null: in memory alone. */
  constructor(folder: string | null = null) {
    this.#folder = folder;
  }

  /** Of a pushed folder. What cannot be read was never kept: each file is then read again. */
  async of(pushed: string): Promise<FolderHashes> {
    const known = this.#known.get(pushed);
    if (known !== undefined) return known;
    if (this.#folder === null) return NONE;
    try {
      const read = readHashes(await readOwnText(fileOf(this.#folder, pushed), MAX_FILE_BYTES));
      this.#remember(pushed, read);
      return read;
    } catch (cause) {
      if (errnoOf(cause) === null) throw cause;
      return NONE;
    }
  }

  /** All that is known of it from now on. Not being able to keep it costs time at the next start, and nothing else. */
  async keep(pushed: string, hashes: FolderHashes): Promise<void> {
    this.#remember(pushed, hashes);
    if (this.#folder === null) return;
    try {
      if (!(await isLocal(pushed))) return;
      await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      const file = fileOf(this.#folder, pushed);
      await sweepTemporaries(file);
      await replaceFile(file, hashesText(hashes));
      await removeOldest(this.#folder);
    } catch (cause) {
      if (errnoOf(cause) === null) throw cause;
    }
  }

  #remember(pushed: string, hashes: FolderHashes): void {
    this.#known.delete(pushed);
    this.#known.set(pushed, hashes);
    for (const oldest of [...this.#known.keys()].slice(0, -MAX_FOLDERS)) this.#known.delete(oldest);
  }
}

const fileOf = (folder: string, pushed: string): string =>
  join(folder, `${sha256(pushed).slice(0, 32)}.hashes`);

/** Other systems have no such numbers; there a state counts as it does within one session. */
async function isLocal(pushed: string): Promise<boolean> {
  return process.platform !== 'linux' || LOCAL_FILE_SYSTEMS.has((await statfs(pushed)).type);
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MAX_FOLDERS) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, atMs: (await stat(file)).mtimeMs };
    }),
  );
  files.sort((a, b) => b.atMs - a.atMs);
  for (const { file } of files.slice(MAX_FOLDERS)) await rm(file, { force: true });
}

/** The first line is the hash of the rest: what was cut off, or written over by hand, is no record. */
function hashesText(hashes: FolderHashes): string {
  let text = '';
  for (const [path, { sha256, fixed, state }] of hashes) {
    const other = fixed === null ? '-' : `${fixed.sha256}:${String(fixed.bytes)}`;
    const { dev, ino, size, mtimeMs, ctimeMs } = state;
    text += `${sha256} ${other} ${[dev, ino, size, mtimeMs, ctimeMs].join(' ')} ${path}\0`;
  }
  return `${sha256(text)}\n${text}`;
}

const ENTRY =
  /^([0-9a-f]{64}) (?:-|([0-9a-f]{64}):(\d{1,15})) (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+) ([^]+)$/;

function readHashes(text: string): FolderHashes {
  const end = text.indexOf('\n');
  const rest = text.slice(end + 1);
  if (text.slice(0, Math.max(0, end)) !== sha256(rest)) return NONE;
  const hashes = new Map<string, KeptHash>();
  for (const entry of rest.split('\0')) {
    const [, sha256, other, bytes, dev, ino, size, mtimeMs, ctimeMs, path] =
      ENTRY.exec(entry) ?? [];
    if (sha256 === undefined || path === undefined) continue;
    const fixed = other === undefined ? null : { sha256: other, bytes: Number(bytes) };
    const state = {
      dev: Number(dev),
      ino: Number(ino),
      size: Number(size),
      mtimeMs: Number(mtimeMs),
      ctimeMs: Number(ctimeMs),
    };
    hashes.set(path, { sha256, fixed, state });
  }
  return hashes;
}
