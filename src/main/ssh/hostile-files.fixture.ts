import type { ServerChannel, Session } from 'ssh2';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { FileSessions } from '../files/file-sessions.ts';
import { FolderListings } from '../files/folder-listings.ts';
import { previewFile } from '../files/preview-file.ts';
import { walkTree } from '../files/walk-tree.ts';
import { number } from './raw-packets.fixture.ts';
import type { SshConnection } from './ssh-connection.ts';
import { field } from './wire-fields.ts';

// draft-ietf-secsh-filexfer-02
const [INIT, REALPATH, OPENDIR, READDIR, LSTAT, OPEN, READ] = [1, 16, 11, 12, 7, 3, 5];
const [VERSION, STATUS, HANDLE, DATA, NAME, ATTRS] = [2, 101, 102, 103, 104, 105];
const [DONE, END_OF_FILE] = [0, 1];

const packet = (type: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.of(type), ...parts]);
  return Buffer.concat([number(body.length), body]);
};
/** Size, rights and times of a plain file. */
const A_FOLDER = Buffer.concat([4, 0o040755].map(number));
const PLAIN = Buffer.concat([1 | 4 | 8, 0, 9, 0o100644, 1, 1].map(number));
export const names = (...all: readonly string[]): Buffer =>
  Buffer.concat([
    number(all.length),
    ...all.flatMap((name) => [field(name), field(`-rw-r--r-- ${name}`), PLAIN]),
  ]);
const status = (code: number, words = ''): Buffer =>
  Buffer.concat([number(code), field(words), field('')]);

/** What a box does with the files of the Files tab; what is not named it does as every server. */
export interface HostileFiles {
  /** One page of a folder, by how many were asked for before it; null: there are no more. */
  readonly page?: (asked: number) => Buffer | null;
  readonly version?: Buffer;
  readonly handle?: string;
  readonly refusal?: string;
  readonly file?: (asked: number) => Buffer | null;
  /** Besides each answer. */
  readonly beside?: Buffer;
}

/** Serves SFTP by hand, since no library would answer like this. */
export const servesFiles =
  (files: HostileFiles) =>
  (session: Session): void => {
    session.on('subsystem', (accept) => serve(accept(), files));
  };

function serve(channel: ServerChannel, files: HostileFiles): void {
  let asked = 0;
  let heard = Buffer.alloc(0);
  const answerTo = (type: number, id: Buffer, path: string): readonly Buffer[] => {
    switch (type) {
      case INIT:
        return [files.version ?? packet(VERSION, number(3))];
      case REALPATH:
        return [packet(NAME, id, names(path === '.' ? '/w' : path))];
      case LSTAT:
        return files.refusal === undefined
          ? [packet(ATTRS, id, path === '/w' ? A_FOLDER : PLAIN)]
          : [packet(STATUS, id, status(4, files.refusal))];
      case OPENDIR:
      case OPEN:
        return [packet(HANDLE, id, field(files.handle ?? 'h'))];
      case READDIR: {
        const page = (files.page ?? (() => null))(asked++);
        return [page === null ? packet(STATUS, id, status(END_OF_FILE)) : packet(NAME, id, page)];
      }
      case READ: {
        const piece = (files.file ?? (() => null))(asked++);
        return [page(piece, id)];
      }
      default:
        return [packet(STATUS, id, status(DONE))];
    }
  };
  const page = (piece: Buffer | null, id: Buffer): Buffer =>
    piece === null
      ? packet(STATUS, id, status(END_OF_FILE))
      : packet(DATA, id, number(piece.length), piece);
  channel.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    while (heard.length >= 5) {
      const end = 4 + heard.readUInt32BE(0);
      if (heard.length < end) return;
      const [type = 0, id] = [heard[4], heard.subarray(5, 9)];
      const path = heard.subarray(13, 13 + (end > 13 ? heard.readUInt32BE(9) : 0)).toString();
      heard = heard.subarray(end);
      for (const each of answerTo(type, id, path)) channel.write(each);
      if (files.beside !== undefined) channel.write(files.beside);
    }
  });
}

const long = (bytes: number, unit = 'x'): string => unit.repeat(bytes / Buffer.byteLength(unit));
const UNSEEN = '\u202e\u001b[31m\u2066\u0007';
const hundred = (asked: number, prefix = ''): Buffer =>
  names(...Array.from({ length: 100 }, (_, at) => `${prefix}${String(asked)}-${String(at)}`));

/** Not for ever: who asks on has an end that is not the one that is expected, instead of none. */
const manyTimes =
  (page: Buffer) =>
  (asked: number): Buffer | null =>
    asked < 200 ? page : null;

/** Every way that we know in which a box could make main work, keep or do what it should not with its files; how each ends. */
export const HOSTILE_FILES: Readonly<Record<string, readonly [HostileFiles, ...string[]]>> = {
  'a folder without end': [{ page: hundred }, 'files-too-many'],
  'pages of nothing': [{ page: manyTimes(names()) }, 'file-failed'],
  'nothing but the folder itself': [{ page: manyTimes(names('.', '..')) }, 'file-failed'],
  'names of 200 kB': [
    { page: (asked) => (asked === 0 ? names(long(200_000)) : null) },
    'file-failed',
  ],
  'a name of 2 kB': [{ page: (asked) => (asked === 0 ? names(long(2000)) : null) }, 'file-failed'],
  'names of 1 kB without end': [{ page: (asked) => hundred(asked, long(1000)) }, 'files-too-many'],
  'names that lead elsewhere': [
    { page: (asked) => (asked === 0 ? names('../../a', '/etc/b', 'a/../c') : null) },
    'file-failed',
  ],
  'a name with a zero byte': [
    { page: (asked) => (asked === 0 ? names('a\0b') : null) },
    'file-failed',
  ],
  'names that turn text around': [
    { page: (asked) => (asked === 0 ? names(UNSEEN) : null) },
    'well',
  ],
  'more names than there are': [
    { page: () => Buffer.concat([number(2 ** 32 - 1), field('a')]) },
    'file-failed',
  ],
  'a packet of 4 GiB': [
    { page: () => names('a'), beside: number(2 ** 32 - 1) },
    'file-failed',
    'link-lost',
  ],
  'answers that nobody asked for': [
    {
      beside: Buffer.concat(
        Array.from({ length: 1000 }, (_, at) => packet(STATUS, number(at + 1e6), status(DONE))),
      ),
    },
    'well',
    'file-failed',
  ],
  'no SFTP at all': [
    { version: Buffer.from(long(100_000, '\n')) },
    'sftp-garbled',
    'sftp-refused',
    'file-failed',
  ],
  'a handle of 200 kB': [{ handle: long(200_000) }, 'file-failed', 'well'],
  'a refusal of 200 kB': [{ refusal: long(200_000, UNSEEN) }, 'file-failed'],
  'a file without end': [{ file: () => Buffer.alloc(32_768, 'x\n') }, 'well'],
  'a file of zero bytes': [{ file: () => Buffer.alloc(32_768) }, 'well'],
  'a file that comes byte by byte': [{ file: () => Buffer.of(120) }, 'file-failed'],
  'pieces of no bytes': [{ file: () => Buffer.alloc(0) }, 'well'],
  'pieces larger than asked for': [{ file: () => Buffer.alloc(200_000) }, 'well', 'file-failed'],
};

const BOX = 'b';
/** A window asks for the next part while somebody looks at the folder. */
const MAX_PARTS = 12;

/** What the Files tab does with a folder: lists it, shows a file of it, and looks through all of it. */
export async function lookThroughFiles(
  connection: SshConnection,
): Promise<Result<unknown, Problem>> {
  const roster: Connections = { connectionOf: () => connection };
  const sessions = new FileSessions(roster);
  const listings = new FolderListings(sessions);
  let part = await listings.begin(BOX, null);
  for (
    let parts = 1;
    part.ok && part.value.files.length > 0 && part.value.rest !== null && parts < MAX_PARTS;
    parts += 1
  ) {
    part = await listings.more(BOX, part.value.rest);
  }
  listings.close();
  if (!part.ok) return part;
  const shown = await sessions.use(BOX, (files) => previewFile(files, '/w/a'));
  if (!shown.ok) return shown;
  const walked = await sessions.use(BOX, (files) => walkTree(files, '/w'));
  sessions.close();
  return walked.ok ? connection.run('true') : walked;
}
