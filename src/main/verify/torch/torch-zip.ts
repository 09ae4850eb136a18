import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { NumberScan, NumbersSum, type NumberSpan } from '../number-scan.ts';
import { quoted } from '../quoted.ts';
import type { Reading } from '../reading.ts';
import { readArchive, type Archive, type Member } from '../zip/archive.ts';
import { fileWords } from '../zip/central-directory.ts';
import { MemberPass, type MemberSink } from '../zip/member-pass.ts';
import { memberSource } from '../zip/member-source.ts';
import { readCheckpoint, storageSpan, type Checkpoint } from './checkpoint.ts';
import { bytesOf } from './storages.ts';

const MAX_WORD_BYTES = 16;

/** What torch has saved since version 1.6: an archive with a pickle, and a file for each storage. */
export function openTorchZip(source: ByteSource): Reading {
  const archive = readArchive(source);
  const found = describe(source, archive);
  const numbers = new NumbersSum();
  const spansOf = typeof found === 'string' ? () => [] : found.spansOf;
  const withoutChecksums = membersWithoutChecksums(archive);
  const sinkOf = (member: Member): MemberSink | null => scanInto(numbers, spansOf(member));
  const pass = new MemberPass(archive, sinkOf, (member) => !withoutChecksums.has(member));
  return {
    take: (piece, at) => (archive.unreadable === null ? pass.take(piece, at) : undefined),
    end: () => {
      // Only now each checksum is known to be right.
      if (typeof found === 'string') throw new NotLoadable(found);
      const { holds, refused } = found.checkpoint;
      if (refused !== null) throw new NotLoadable(refused);
      const told = withoutChecksums.size === 0 ? holds : `${holds}; written without checksums`;
      return { kind: 'loaded', format: 'torch', holds: told, ...numbers.found() };
    },
  };
}

/**
 * Zero, which none of them would have: of all as `torch.serialization.set_crc32_options(False)` has it written, and of all storages as `skip_data`
 * does, whose numbers are written into their room later.
 */
function membersWithoutChecksums({ members }: Archive): ReadonlySet<Member> {
  const storages = members.filter(({ name, bytes }) => /^[^/]+\/data\/./.test(name) && bytes > 0);
  const found = [members, storages].find((some) => some.every(({ crc }) => crc === 0));
  return new Set(found);
}

/** What it tells of itself, without a look at its checksums; in words where nothing is known. */
export function readTorchZip(source: ByteSource): Checkpoint | string {
  const found = describe(source, readArchive(source));
  return typeof found === 'string' ? found : found.checkpoint;
}

function scanInto(numbers: NumbersSum, spans: readonly NumberSpan[]): MemberSink | null {
  if (spans.length === 0) return null;
  const scan = new NumberScan(spans);
  return { take: (piece, at) => scan.take(piece, at), end: () => numbers.add(scan.found()) };
}

interface Described {
  readonly checkpoint: Checkpoint;
  /** Where in one of its files numbers lie. */
  readonly spansOf: (member: Member) => readonly NumberSpan[];
}

/** In words where there is nothing that could be looked at but the checksums. */
function describe(source: ByteSource, archive: Archive): Described | string {
  if (archive.unreadable !== null) return archive.unreadable;
  // torch reads nothing of it, and takes for its content what its memory held before.
  const folder = archive.members.find(({ isFolder, bytes }) => isFolder && bytes > 0);
  if (folder !== undefined) throw new Damaged(`${fileWords(folder)} is marked as a folder`);
  const pickle = archive.members.find(({ name }) => /^[^/]+\/data\.pkl$/.test(name));
  if (pickle === undefined) return 'it is an archive, and none that torch writes for a checkpoint';
  const root = pickle.name.slice(0, -'data.pkl'.length);
  const files = new Map(archive.members.map((member) => [member.name, member]));
  const isScript = archive.members.some(({ name }) => name.startsWith(`${root}code/`));
  if (isScript || files.has(`${root}constants.pkl`)) {
    return 'it is a TorchScript program, which only running it could load';
  }
  const checkpoint = checked(memberSource(source, pickle));
  if (typeof checkpoint === 'string') return checkpoint;
  checkStorages(checkpoint, files, `${root}data/`);
  const order = wordIn(source, files.get(`${root}byteorder`)) ?? 'little';
  if (order !== 'little' && order !== 'big') throw new Damaged('the order of its bytes is none');
  const spansOf = (member: Member): readonly NumberSpan[] => {
    if (member === pickle) return checkpoint.spans;
    const key = member.name.slice(`${root}data/`.length);
    const storage = checkpoint.storages.byKey.get(key);
    if (storage === undefined || member.name !== `${root}data/${key}` || order === 'big') return [];
    return storageSpan(checkpoint.nameOf(key), storage.scan, 0, member.bytes);
  };
  return { checkpoint, spansOf };
}

/** What is too large to be described is told only when the rest is known to be whole. */
function checked(source: ByteSource): Checkpoint | string {
  try {
    return readCheckpoint(source);
  } catch (cause) {
    if (cause instanceof NotLoadable) return cause.message;
    throw cause;
  }
}

/** Each storage is as long as it is described, and there is none that nothing is said of. */
function checkStorages(
  { storages }: Checkpoint,
  files: ReadonlyMap<string, Member>,
  folder: string,
): void {
  for (const [key, storage] of storages.byKey) {
    const member = files.get(`${folder}${key}`);
    if (member === undefined) throw new Damaged(`the storage ${quoted(key)} is missing`);
    if (member.bytes !== bytesOf(storage)) {
      throw new Damaged(
        `the storage ${quoted(key)} has ${String(member.bytes)} bytes, and is described with ${String(bytesOf(storage))}`,
      );
    }
  }
  for (const name of files.keys()) {
    const key = name.slice(folder.length);
    if (!name.startsWith(folder) || key === '' || storages.byKey.has(key)) continue;
    throw new Damaged(`the storage ${quoted(key)} belongs to no tensor`);
  }
}

function wordIn(source: ByteSource, member: Member | undefined): string | null {
  if (member === undefined) return null;
  if (member.bytes > MAX_WORD_BYTES) throw new Damaged('the order of its bytes is none');
  return Buffer.from(memberSource(source, member).read(0, member.bytes)).toString();
}
