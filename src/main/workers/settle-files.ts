import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { flushFolders } from '../storage/atomic-file.ts';
import { flushDisk } from '../storage/flush-disk.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { dropTwin, nameProvenNow, partNameOf } from '../transfer/fetch-file.ts';
import { makeFolders, type MadeFolders } from '../transfer/make-folders.ts';
import { tarFiles } from '../transfer/tar-entries.ts';
import type { ByteSource } from '../verify/byte-source.ts';
import { windowOver } from './file-window.ts';
import type { Jobs, SettledEnd } from './jobs.ts';
import { proveBytes, proveFile, type ProvenBytes } from './prove-file.ts';

/** They are flushed together, for which a disk needs little longer than for one. macOS lets a process have 256 open. */
const FLUSHED_AT_ONCE = 64;
const flush = promisify(fsync);
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

const NOT_SETTLED = { kind: 'not-settled' } as const;

type Wanted = Jobs['settle-files']['input']['files'][number];

/** One whose part here is what the box hashed. */
interface ProvenPart {
  /** Among the files. */
  readonly no: number;
  readonly part: string;
  readonly place: string;
  readonly end: Extract<SettledEnd, { readonly kind: 'proven' }>;
}

/**
 * Takes many files out of the stream in which they came, and does with each what is done with a large one: a part, its hash and what it
 * holds, the disk, its name. What stands here under its name is only compared. The disk is asked without waiting: a worker has nothing else
 * to do, and each question through fs/promises costs more than these files' bytes. All of them are flushed at once, before the first has
 * its name.
 */
export async function settleFiles({
  stream,
  mostBytes,
  to,
  files,
}: Jobs['settle-files']['input']): Promise<Jobs['settle-files']['output']> {
  const folders = new Folders(to);
  const settled: SettledEnd[] = files.map(() => NOT_SETTLED);
  const came = stream === null ? NOTHING : await unpackAll({ stream, mostBytes, files, folders });
  // All of it is in the parts: the disk would be asked to write it as well.
  if (stream !== null) rmSync(stream);
  for (const [no, file] of files.entries()) {
    if (came.found.has(no)) continue;
    const folder = await folders.of(file.path);
    if (folder !== null) settled[no] = await compared(file, placeIn(folder, file.path));
  }
  await flushParts(to, came.parts);
  for (const { no, part, place, end } of came.parts) {
    if (nameProvenNow(part, place)) settled[no] = end;
  }
  await flushFolders(folders.changed);
  return settled;
}

interface Unpacked {
  /** Among the files: those that came in their size, whatever came of them. */
  readonly found: ReadonlySet<number>;
  readonly parts: readonly ProvenPart[];
}

const NOTHING: Unpacked = { found: new Set(), parts: [] };

/** In the order of the stream, which is read once. A box that sends a file twice gains nothing: its hash decides. */
async function unpackAll({
  stream,
  mostBytes,
  files,
  folders,
}: Pick<Jobs['settle-files']['input'], 'mostBytes' | 'files'> & {
  readonly stream: string;
  readonly folders: Folders;
}): Promise<Unpacked> {
  const wanted = new Map(files.map(({ path }, no) => [path, no]));
  const found = new Set<number>();
  const parts = new Map<number, ProvenPart>();
  const held = Buffer.allocUnsafe(files.reduce((most, { bytes }) => Math.max(most, bytes), 0));
  const fd = openSync(stream, O_RDONLY | O_NOFOLLOW);
  try {
    const source = tarIn(fd, mostBytes);
    if (source === null) return NOTHING;
    for (const entry of tarFiles(source)) {
      const no = wanted.get(entry.path);
      const file = no === undefined ? undefined : files[no];
      if (no === undefined || file?.bytes !== entry.bytes || parts.has(no)) continue;
      found.add(no);
      const known = folders.known(file.path);
      const folder = known === undefined ? await folders.of(file.path) : known;
      if (folder === null) continue;
      const name = nameOf(file.path);
      const part = `${folder}${sep}${partNameOf(name)}`;
      const unpacking = unpack(source.read(entry.from, entry.bytes), file, { part, name, held });
      const end = unpacking instanceof Promise ? await unpacking : unpacking;
      if (end !== null) parts.set(no, { no, part, place: `${folder}${sep}${name}`, end });
    }
  } finally {
    closeSync(fd);
  }
  return { found, parts: [...parts.values()] };
}
/** As gzip begins, and no tar whose names all begin with a point. */
const GZIP = [0x1f, 0x8b];

/** SECURITY: what would be more than was asked for is not unpacked. Null: it is no stream. */
function tarIn(fd: number, mostBytes: number): ByteSource | null {
  const { size } = fstatSync(fd);
  const stream = windowOver(fd, size);
  if (size < GZIP.length || !GZIP.every((byte, at) => stream.read(0, GZIP.length)[at] === byte)) {
    return stream;
  }
  if (size > mostBytes) return null;
  try {
    const bytes = gunzipSync(stream.read(0, size), { maxOutputLength: mostBytes });
    return { sizeBytes: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
  } catch {
    // Whoever fetches its files by themselves says what is the matter.
    return null;
  }
}

/** Those of many files, each of which is asked for once. */
class Folders {
  readonly #to: string;
  readonly #made: MadeFolders = { known: new Set(), changed: new Set() };
  readonly #found = new Map<string, string | null>();

  constructor(to: string) {
    this.#to = to;
  }

  /** Those with new names in them. */
  get changed(): ReadonlySet<string> {
    return this.#made.changed;
  }

  /** Undefined: not asked for yet. */
  known(path: string): string | null | undefined {
    return this.#found.get(folderOf(path));
  }

  /** Null: it cannot be made, and whoever fetches the file by itself says why. */
  async of(path: string): Promise<string | null> {
    const known = this.known(path);
    if (known !== undefined) return known;
    const name = folderOf(path);
    const folder = join(this.#to, name);
    const { ok } = await makeFolders(this.#to, path, this.#made);
    // It is to have the file's own name.
    if (ok) this.#made.changed.add(folder);
    this.#found.set(name, ok ? folder : null);
    return ok ? folder : null;
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** `folder`: as the system writes it, which is not worked out anew for each of its files. */
const placeIn = (folder: string, path: string): string => `${folder}${sep}${nameOf(path)}`;

/** Into its part, and out of that again: what is proven is what is there. Null: it is not that file. `held`: has room for it. */
function unpack(
  piece: Uint8Array,
  { bytes, sha256 }: Wanted,
  { part, name, held }: { readonly part: string; readonly name: string; readonly held: Buffer },
): ProvenPart['end'] | null | Promise<ProvenPart['end'] | null> {
  const fd = newPart(part);
  let writtenNs: string;
  let there: Buffer;
  try {
    for (let done = 0; done < bytes;) done += writeSync(fd, piece, done, bytes - done, done);
    there = held.subarray(0, readBack(fd, held, bytes));
    writtenNs = String(fstatSync(fd, { bigint: true }).mtimeNs);
  } finally {
    closeSync(fd);
  }
  const judged = (read: ProvenBytes): ProvenPart['end'] | null => {
    if (read.sha256 === sha256) return { kind: 'proven', loaded: read.loaded, writtenNs };
    rmSync(part, { force: true });
    return null;
  };
  const read = proveBytes(there, name);
  return read instanceof Promise ? read.then(judged) : judged(read);
}

/** SECURITY: what stands there is taken away and not written to. It may be a link, or have another name, too. */
function newPart(part: string): number {
  try {
    return openSync(part, O_CREAT | O_EXCL | O_RDWR);
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
    rmSync(part);
    return openSync(part, O_CREAT | O_EXCL | O_RDWR);
  }
}

function readBack(fd: number, into: Buffer, bytes: number): number {
  let filled = 0;
  while (filled < bytes) {
    const count = readSync(fd, into, filled, bytes - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

async function flushParts(to: string, parts: readonly ProvenPart[]): Promise<void> {
  if (parts.length === 0) return;
  await flushDisk(to);
  // Only who asks for a file by itself is sure to hear that its writing failed.
  for (let at = 0; at < parts.length; at += FLUSHED_AT_ONCE) {
    await Promise.all(
      parts.slice(at, at + FLUSHED_AT_ONCE).map(async ({ part }) => {
        const fd = openSync(part, O_RDWR | O_NOFOLLOW);
        try {
          await flush(fd);
        } finally {
          closeSync(fd);
        }
      }),
    );
  }
}

/** What stands here already is never written over. SECURITY: a link, which may lead to the box’s own file, is no copy of it. */
async function compared({ path, sha256 }: Wanted, place: string): Promise<SettledEnd> {
  const there: Stats | undefined = lstatSync(place, { throwIfNoEntry: false });
  if (there === undefined) return NOT_SETTLED;
  if (!there.isFile()) return { kind: 'in-the-way' };
  dropTwin(place, there);
  const read = await proveFile({ path: place, name: basename(path) }, () => undefined);
  const { loaded, writtenNs } = read;
  return read.sha256 === sha256 ? { kind: 'proven', loaded, writtenNs } : { kind: 'in-the-way' };
}
