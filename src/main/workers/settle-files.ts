import {
  closeSync,
  constants,
  fsync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { flushFolder } from '../storage/atomic-file.ts';
import { makeFolders, nameProvenNow, partOf } from '../transfer/fetch-file.ts';
import { tarFiles, type TarFile } from '../transfer/tar-entries.ts';
import type { Jobs, SettledFile } from './jobs.ts';
import { proveBytes, proveFile } from './prove-file.ts';

/** They are flushed together, for which a disk needs little longer than for one. macOS lets a process have 256 open. */
const FILES_AT_ONCE = 64;
const PIECE_BYTES = 256 * 1024;
const flush = promisify(fsync);
const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

const NOT_SETTLED = { kind: 'not-settled' } as const;

type Wanted = Jobs['settle-files']['input']['files'][number];

/**
 * Takes many files out of the stream in which they came, and does with each what is done with a large one: a part, its hash and what it
 * holds, the disk, its name. What stands here under its name is only compared. The disk is asked without waiting: a worker has nothing else
 * to do, and each question through fs/promises costs more than these files' bytes.
 */
export async function settleFiles({
  stream,
  to,
  files,
}: Jobs['settle-files']['input']): Promise<Jobs['settle-files']['output']> {
  const came = stream === null ? null : await open(stream, O_RDONLY | O_NOFOLLOW);
  const made = new Set<string>();
  try {
    const found = came === null ? new Map<string, TarFile>() : await entriesOf(came);
    const settled: SettledFile[] = [];
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      const parts: OpenPart[] = [];
      try {
        for (const file of files.slice(at, at + FILES_AT_ONCE)) {
          const place = join(to, ...file.path.split('/'));
          const from = found.get(file.path);
          const hasPlace = await hasFolder(to, file.path, made);
          const there = hasPlace ? lstatSync(place, { throwIfNoEntry: false }) : undefined;
          if (!hasPlace) settled.push({ path: file.path, end: NOT_SETTLED });
          else if (there !== undefined) {
            settled.push(await compared(file, place, there));
          } else if (came === null || from?.bytes !== file.bytes) {
            settled.push({ path: file.path, end: NOT_SETTLED });
          } else {
            const fd = openPart(place);
            parts.push({ file, place, fd });
            unpack(came.fd, from, fd);
          }
        }
        await Promise.all(parts.map(({ fd }) => flush(fd)));
      } finally {
        for (const { fd } of parts) closeSync(fd);
      }
      settled.push(...(await prove(parts)));
    }
    for (const folder of made) await flushFolder(folder);
    return settled;
  } finally {
    await came?.close();
  }
}

async function entriesOf(came: FileHandle): Promise<ReadonlyMap<string, TarFile>> {
  const { size } = await came.stat();
  const found = new Map<string, TarFile>();
  // A box that sends one twice gains nothing: its hash decides.
  for (const file of tarFiles(came.fd, size)) found.set(file.path, file);
  return found;
}

/** Where it cannot be made, whoever fetches the file by itself says why. */
async function hasFolder(to: string, path: string, made: Set<string>): Promise<boolean> {
  const folder = dirname(join(to, ...path.split('/')));
  if (made.has(folder)) return true;
  const { ok } = await makeFolders(to, path);
  if (ok) made.add(folder);
  return ok;
}

interface OpenPart {
  readonly file: Wanted;
  readonly place: string;
  readonly fd: number;
}

function openPart(place: string): number {
  // SECURITY: a link that somebody laid in its place is not written through.
  return openSync(partOf(place), O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW);
}

function unpack(came: number, { from, bytes }: TarFile, to: number): void {
  const piece = Buffer.allocUnsafe(Math.min(bytes, PIECE_BYTES));
  for (let at = 0; at < bytes;) {
    const count = readSync(came, piece, 0, Math.min(piece.length, bytes - at), from + at);
    if (count === 0) return;
    for (let done = 0; done < count;) done += writeSync(to, piece, done, count - done);
    at += count;
  }
}

async function prove(parts: readonly OpenPart[]): Promise<readonly SettledFile[]> {
  const settled: SettledFile[] = [];
  for (const { file, place } of parts) {
    const { path } = file;
    const part = partOf(place);
    const writtenNs = String(lstatSync(part, { bigint: true }).mtimeNs);
    const { sha256, loaded } = await proveBytes(readFileSync(part), basename(path));
    if (sha256 !== file.sha256) {
      rmSync(part, { force: true });
      settled.push({ path, end: NOT_SETTLED });
      continue;
    }
    const isHere = nameProvenNow(part, place);
    settled.push({ path, end: isHere ? { kind: 'proven', loaded, writtenNs } : NOT_SETTLED });
  }
  return settled;
}

/** What stands here already is never written over. SECURITY: a link, which may lead to the box’s own file, is no copy of it. */
async function compared(
  { path, sha256 }: Wanted,
  place: string,
  there: Stats,
): Promise<SettledFile> {
  if (!there.isFile()) return { path, end: { kind: 'in-the-way' } };
  const read = await proveFile({ path: place, name: basename(path) }, () => undefined);
  const { loaded, writtenNs } = read;
  const isSame = read.sha256 === sha256;
  return { path, end: isSame ? { kind: 'proven', loaded, writtenNs } : { kind: 'in-the-way' } };
}
