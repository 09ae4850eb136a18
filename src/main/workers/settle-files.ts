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
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { flushFolders } from '../storage/atomic-file.ts';
import { flushDisk } from '../storage/flush-disk.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { dropTwin, nameProvenNow, partOf } from '../transfer/fetch-file.ts';
import { makeFolders, type MadeFolders } from '../transfer/make-folders.ts';
import { tarFiles, type TarFile } from '../transfer/tar-entries.ts';
import type { ByteSource } from '../verify/byte-source.ts';
import { windowOver } from './file-window.ts';
import type { Jobs, SettledEnd } from './jobs.ts';
import { proveBytes, proveFile } from './prove-file.ts';

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
  const settled: SettledEnd[] = [];
  const parts: ProvenPart[] = [];
  const came = stream === null ? null : openSync(stream, O_RDONLY | O_NOFOLLOW);
  try {
    const source = came === null ? null : tarIn(came, mostBytes);
    const found = source === null ? new Map<string, TarFile>() : entriesOf(source);
    const held = Buffer.allocUnsafe(files.reduce((most, { bytes }) => Math.max(most, bytes), 0));
    for (const [no, file] of files.entries()) {
      const { path } = file;
      settled.push(NOT_SETTLED);
      const folder = await folders.of(path);
      const from = found.get(path);
      if (folder === null) continue;
      const place = join(folder, basename(path));
      if (source !== null && from?.bytes === file.bytes) {
        const end = await unpack(source, from, file, { place, held });
        if (end.kind === 'proven') parts.push({ no, place, end });
      } else settled[no] = await compared(file, place);
    }
  } finally {
    if (came !== null) closeSync(came);
  }
  // All of it is in the parts: the disk would be asked to write it as well.
  if (stream !== null) rmSync(stream);
  await flushParts(to, parts);
  for (const { no, place, end } of parts) {
    if (nameProvenNow(partOf(place), place)) settled[no] = end;
  }
  await flushFolders(folders.changed);
  return settled;
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

function entriesOf(source: ByteSource): ReadonlyMap<string, TarFile> {
  const found = new Map<string, TarFile>();
  // A box that sends one twice gains nothing: its hash decides.
  for (const file of tarFiles(source)) found.set(file.path, file);
  return found;
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

  /** Null: it cannot be made, and whoever fetches the file by itself says why. */
  async of(path: string): Promise<string | null> {
    const name = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const folder = join(this.#to, name);
    const { ok } = await makeFolders(this.#to, path, this.#made);
    // It is to have the file's own name.
    if (ok) this.#made.changed.add(folder);
    this.#found.set(name, ok ? folder : null);
    return ok ? folder : null;
  }
}

/** Into its part, and out of that again: what is proven is what is there. `held`: has room for it. */
async function unpack(
  source: ByteSource,
  { from, bytes }: TarFile,
  { path, sha256 }: Wanted,
  { place, held }: { readonly place: string; readonly held: Buffer },
): Promise<SettledEnd> {
  const part = partOf(place);
  const fd = newPart(part);
  try {
    const piece = source.read(from, bytes);
    for (let done = 0; done < bytes;) done += writeSync(fd, piece, done, bytes - done, done);
    const there = held.subarray(0, readBack(fd, held, bytes));
    const read = await proveBytes(there, basename(path));
    if (read.sha256 === sha256) {
      const writtenNs = String(fstatSync(fd, { bigint: true }).mtimeNs);
      return { kind: 'proven', loaded: read.loaded, writtenNs };
    }
  } finally {
    closeSync(fd);
  }
  rmSync(part, { force: true });
  return NOT_SETTLED;
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
      parts.slice(at, at + FLUSHED_AT_ONCE).map(async ({ place }) => {
        const fd = openSync(partOf(place), O_RDWR | O_NOFOLLOW);
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
