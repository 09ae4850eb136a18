import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutReturns, type LocalEntry, type LocalFile } from './local-tree.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** Small files travel together. */
const PIECE_BYTES = 128 * 1024;
const WHOLE_BYTES = 1024 * 1024;

/** A file is not any more what the person was shown. */
export class ChangedMeanwhile extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`${path} changed after it was planned`);
    this.path = path;
  }
}

export interface TarTree {
  readonly folder: string;
  readonly entries: readonly LocalEntry[];
  /** Files beside the tree, by name. */
  readonly beside: Readonly<Record<string, Buffer>>;
  readonly onSent: (files: number, bytes: number) => void;
}

/** The bytes of a tar stream, with the tree below "files". Throws where a file is not what its entry says. */
export async function* tarOfTree(tree: TarTree): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let held = 0;
  let [files, bytes] = [0, 0];
  for await (const piece of pieceOf(tree, () => (files += 1))) {
    pieces.push(piece);
    held += piece.length;
    if (held < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    bytes += held;
    tree.onSent(files, bytes);
    [pieces, held] = [[], 0];
  }
  yield Buffer.concat([...pieces, TAR_END]);
  tree.onSent(files, bytes + held);
}

async function* pieceOf(
  { folder, entries, beside }: TarTree,
  onFile: () => void,
): AsyncGenerator<Buffer, void> {
  const common = { modifiedAtS: Date.now() / 1000, mode: 0o600 };
  for (const [path, bytes] of Object.entries(beside)) {
    yield tarHeader({ ...common, kind: 'file', path, bytes: bytes.length });
    yield bytes;
    yield tarPadding(bytes.length);
  }
  for (const entry of entries) {
    const path = `files/${entry.path}`;
    if (entry.kind === 'link') {
      yield tarHeader({
        ...common,
        kind: 'link',
        path,
        bytes: 0,
        mode: 0o777,
        target: entry.target,
      });
    } else {
      const mode = entry.isExecutable ? 0o755 : 0o644;
      const modifiedAtS = entry.modifiedAtMs / 1000;
      yield tarHeader({
        kind: 'file',
        path,
        bytes: entry.bytes,
        mode,
        modifiedAtS,
      });
      yield* contentOf(folder, entry);
      yield tarPadding(entry.bytes);
    }
    onFile();
  }
}

/** Exactly the bytes that the entry says, or an exception. */
async function* contentOf(folder: string, entry: LocalFile): AsyncGenerator<Buffer, void> {
  const { path, bytes, sha256, isFixed } = entry;
  const file = join(folder, path);
  const hash = createHash('sha256');
  let sent = 0;
  for await (const piece of readPieces(file, bytes, isFixed)) {
    sent += piece.length;
    if (sent > bytes) throw new ChangedMeanwhile(path);
    hash.update(piece);
    yield piece;
  }
  if (sent !== bytes || hash.digest('hex') !== sha256) throw new ChangedMeanwhile(path);
}

async function* readPieces(
  file: string,
  bytes: number,
  isFixed: boolean,
): AsyncGenerator<Buffer, void> {
  if (isFixed) yield withoutReturns(readFileSync(file));
  else if (bytes <= WHOLE_BYTES) yield readFileSync(file);
  else for await (const piece of createReadStream(file)) yield piece as Buffer;
}
