import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doAtOnce } from '../shared/steps.ts';
import { readProof } from './transfer/read-proof.ts';
import { readReread } from './evidence/read-reread.ts';
import { readFound } from './files/read-found.ts';
import { again, MARK, slowOf, type Reader } from './linear.fixture.ts';
import { spoolList } from './manifest/spool-list.ts';
import { afterMark, type OnboxScripts } from './onbox/onbox-scripts.ts';
import { linesOf, textOf } from './onbox/text-of.ts';
import { readLogBytes } from './runs/log-bytes.ts';
import { textOfList } from './runs/list-text.ts';
import { readLogFinds } from './runs/log-finds.ts';
import { readCellParts } from './runs/sweep/cell-files.ts';
import { checkSweepText } from './runs/sweep/sweep-text.ts';
import { END_LINE, MarkSplitter, START_LINE } from './ssh/mark-splitter.ts';
import { tarFiles } from './transfer/tar-entries.ts';
import { windowOver } from './workers/file-window.ts';

// What main reads as bytes while a command on a box prints them.

const PIECE_BYTES = 16_384;

async function* inPieces(text: string, bytes = PIECE_BYTES): AsyncGenerator<Buffer, void> {
  await Promise.resolve();
  const whole = Buffer.from(text, 'latin1');
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
}

const split = (line: typeof START_LINE, bytes: number) => (text: string) => {
  const splitter = new MarkSplitter(MARK, line);
  const whole = Buffer.from(text, 'latin1');
  for (let at = 0; at < whole.length; at += bytes) splitter.push(whole.subarray(at, at + bytes));
  return splitter.end();
};
const ofParts: Reader = (text) => readCellParts(Buffer.from(text, 'latin1'), MARK);
const spooled =
  (bytes: number): Reader =>
  async (text) => {
    const listed = text.replaceAll('\n', '\0');
    for (const head of ['MARK folder 1 yes /w\n', '']) {
      const stream = (...[, , { LEASEHOLD_MARK: mark = '' }, , { read }]: Streaming) =>
        read(inPieces(`${head.replace('MARK', mark)}${listed}\0\n${mark} whole\n`, bytes));
      const scripts = { stream } as unknown as OnboxScripts;
      const options = { signal: new AbortController().signal, onFiles: () => undefined };
      const connection = {} as Parameters<typeof spoolList>[0];
      await spoolList(connection, scripts, { folder: '/w', results: '.' }, devNull, options);
    }
  };
type Streaming = Parameters<OnboxScripts['stream']>;
const entry = { seq: 1, atMs: 0, hash: '' } as Parameters<typeof readProof>[0];

/** By the name of the function or the class, and perhaps in which way it is fed. */
const STREAMS: Readonly<Record<string, Reader>> = {
  'MarkSplitter, at the beginning': split(START_LINE, PIECE_BYTES),
  'MarkSplitter, at the end': split(END_LINE, PIECE_BYTES),
  'MarkSplitter, in small pieces': split(END_LINE, 64),
  afterMark: (text) => afterMark(text, MARK),
  checkSweepText: (text) => checkSweepText(text, { id: 'a', digest: '' }),
  readCellParts: ofParts,
  readFound: (text) =>
    readFound(inPieces(`${MARK} folder\n${text.replaceAll('\n', '\0')}`), MARK, () => true),
  // In paths that a disk may have: of what is longer no byte is looked at.
  'textOfList, no letter of it': (text) => {
    const paths = text.replaceAll(/[a-y]/g, '\u00ff').replaceAll(/[^]{4000}/g, '$&\0');
    return doAtOnce(textOfList(Buffer.from(paths, 'latin1')));
  },
  'readFound, of entries': (text) => {
    const entries = again('f 12 1700000000 644 a/b\0')(text.length);
    return readFound(inPieces(`${MARK} folder\n${entries}`), MARK, () => true);
  },
  'readFound, before it begins': (text) => readFound(inPieces(text, 256), MARK, () => true),
  readLogBytes: (text) =>
    readLogBytes(inPieces(`${MARK} from 0 of 9\n${text}`), MARK, {
      begin: () => undefined,
      take: () => undefined,
    }),
  readLogFinds: (text) => readLogFinds(inPieces(`${MARK} size 9\n${text}`), MARK, null),
  'readLogFinds, in small pieces': (text) =>
    readLogFinds(inPieces(`${MARK} size 9\n${text}`, 64), MARK, () => false),
  'read-proof': (text) => readProof({ ...entry, body: text }),
  'read-reread': (text) => readReread({ ...entry, body: text }),
  'spool-list': spooled(PIECE_BYTES),
  'spool-list, in small pieces': spooled(512),
  linesOf: (text) => linesOf(inPieces(text), 2 ** 30, () => undefined),
  textOf: (text) => textOf(inPieces(text), 2 ** 30),
};

/** What reads an answer of this computer, is given what one of those above has read, only passes pieces on, or puts them together up to a bound. */
const OTHERS = [
  'readLsof',
  'readNetstat',
  'readBytes',
  'runPacked',
  'said',
  'readText',
  'bytesWithin',
  'piecesWithin',
  'outsideBytes',
  'Check',
  'PieceWriter',
  'RemoteTerminal',
  'SessionProof',
  'SocksHandshake',
  'Spool',
  'TerminalOutput',
  'download-file',
  'make-manifest',
  'part-reader',
  'preview-file',
  'rehearsal-runner',
];

it.each(Object.entries(STREAMS))(
  '%s takes four times as long for four times as much that a command prints',
  async (name, read) => {
    expect(await slowOf({ [name]: read })).toEqual([]);
  },
);

it('readCellParts takes four times as long for four times as many parts of no bytes', async () => {
  const ofNoBytes = again(`${MARK} part 1 0 0 0\n\n`);
  expect(await slowOf({ readCellParts: ofParts }, { ofNoBytes })).toEqual([]);
});

/** Functions and classes by their names; what reads where a script is called, by the name of its file. */
function readersIn(file: string, source: string): readonly string[] {
  const functions = source.matchAll(
    /^(?:export )?(?:async )?function (\w+)(?:<[^(]*>)?\(\s*stdout: (?:string|Buffer|AsyncIterable)/gm,
  );
  const classes = source.split(/^(?:export )?class /m).slice(1);
  const takes = /^ {2}(?:async )?\w+\(\w+: (?:Buffer|Uint8Array)[,)]/m;
  return [
    ...[...functions].map(([, name = '']) => name),
    ...classes
      .map((body) => body.split('\n}\n')[0] ?? '')
      .filter((body) => takes.test(body))
      .map((body) => /^\w+/.exec(body)?.[0] ?? ''),
    ...(/\bread: async \(\w+\) => \{\s/.test(source) ? [file] : []),
  ];
}

it('are all in the table: whoever reads what a command prints in main is measured', () => {
  const root = fileURLToPath(new URL('./', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.(?:test|fixture))\.ts$/.test(file) && !/^(?:app|cli|demo|verify)\//.test(file),
  );
  const names = files
    .flatMap((file) => readersIn(basename(file, '.ts'), readFileSync(join(root, file), 'utf8')))
    .filter((name) => !OTHERS.includes(name));
  const measured = Object.keys(STREAMS).map((name) => name.split(',')[0]);
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !measured.includes(name))).toEqual([]);
});

describe('the files of a tar stream', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-tar-'));
    file = join(folder, 'stream');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const filesIn = (stream: Buffer): number => {
    writeFileSync(file, stream);
    const fd = openSync(file, 'r');
    const count = [...tarFiles(windowOver(fd, stream.length))].length;
    closeSync(fd);
    return count;
  };

  it('are told in four times as long, also of nothing but headers', async () => {
    const header = headerOf('a'.repeat(90));
    expect(filesIn(Buffer.concat([header, header]))).toBe(2);
    const asEntries: Reader = ({ length }) =>
      filesIn(Buffer.concat(Array.from({ length: Math.floor(length / 512) }, () => header)));
    const asLongNames: Reader = (text) =>
      filesIn(Buffer.concat([headerOf('', 'L', 512), Buffer.from(text, 'latin1')]));
    expect(await slowOf({ asEntries }, { text: again('x') })).toEqual([]);
    expect(await slowOf({ asLongNames })).toEqual([]);
  });
});

function headerOf(name: string, type = '0', bytes = 0): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(bytes.toString(8).padStart(11, '0'), 124);
  header.write(' '.repeat(8), 148);
  header.write(type, 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
