// How well damage is found in what the libraries themselves wrote: every specimen whole, cut off, one byte longer, and with bits
// flipped all over it, apart by what the library itself says of that. It writes the table of docs/corpus.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  flipsOver,
  saidByLibraries,
  type LibrarySays,
} from '../src/main/verify/by-library.fixture.ts';
import { Damaged, NotLoadable } from '../src/main/verify/damage.ts';
import { formatNamed, readingOf } from '../src/main/verify/formats.ts';
import { formatNames, type FormatName } from '../src/shared/verify/loaded.ts';
import { report, type BenchRow } from './harness.ts';

const TABLE = fileURLToPath(new URL('../docs/corpus.md', import.meta.url));
const SPECIMENS = fileURLToPath(new URL('../src/main/verify/specimens/', import.meta.url));
const BEGIN = '<!-- the table: npm run bench -- corpus -->';
const END = '<!-- its end -->';
const CUTS = 60;
const PIECE_BYTES = 1 << 20;

/** Where a part of a file is a whole one too, to any reader. */
const WHOLE_IN_PART: Readonly<Partial<Record<FormatName, string>>> = {
  arrow: 'a stream between two messages',
  csv: 'anywhere in its last cell',
  gguf: 'in what fills up its last block',
  gz: 'in zeros behind its end',
  hdf5: 'with bytes behind its end',
  json: 'between two lines, where each is a record',
  jsonl: 'between two lines',
  pickle: 'between two of several',
  sqlite: 'with nothing in it',
  tar: 'in zeros behind its end',
  tfrecord: 'between two records',
  tsv: 'anywhere in its last cell',
  wandb: 'between two records',
  yaml: 'between two lines',
};

/** What no reader can know of a bit that was flipped: why it loads all the same. */
const UNSEEN: Readonly<Record<FormatName, string>> = {
  safetensors: 'numbers, names of tensors and the texts about them have no checksum',
  npy: 'numbers, their type and order, and the line end behind the head have no checksum',
  json: 'letters and digits within a value or a key',
  jsonl: 'letters and digits within a value or a key',
  yaml: 'letters and digits within a value, a key or a comment',
  csv: 'letters and digits within a cell',
  tsv: 'letters and digits within a cell',
  png: 'nothing: each chunk has a checksum',
  jpeg: 'pixels, tables and remarks have no checksum',
  gif: 'pixels, colours and the size of the picture have no checksum',
  webp: 'pixels have no checksum',
  'tar.gz': 'time, system and name in the head of gzip, which its checksum leaves out',
  gz: 'time, system and name in the head, which its checksum leaves out',
  'tar.xz': 'nothing: head, blocks and index each have a checksum',
  xz: 'bytes of a stream that was written without a checksum',
  'tar.zst': 'bytes of a frame that was written without a checksum',
  zst: 'bytes of a frame that was written without a checksum',
  tar: 'contents have no checksum, headers have one; what lies behind the end is passed over',
  wandb: 'nothing: each record has a checksum',
  npz: 'times and attributes in the directory of the zip, which no checksum covers',
  torch:
    'the old form and archives without checksums: numbers and names; else times and attributes of the zip',
  pickle: 'numbers and letters within values have no checksum',
  zip: 'times, attributes and remarks in the directory, which no checksum covers',
  tfrecord: 'within gzip, time and system in the head',
  tfevents: 'nothing: each record has checksums of its length and its content',
  gguf: 'numbers, values and names have no checksum',
  onnx: 'numbers, names and texts have no checksum',
  hdf5: 'the older layout has no checksums: numbers, attributes, names and room that is not used',
  keras: 'nothing but times and attributes of the zip',
  parquet: 'values, where pages were written without checksums; statistics and texts in its end',
  sqlite: 'values of rows and room that is not used have no checksum',
  arrow: 'values, names and texts about them have no checksum; nor what fills up the parts',
};

type Outcome = 'loaded' | 'damaged' | 'not loadable';

interface Tally {
  files: number;
  notLoadable: number;
  refused: string[];
  cuts: number;
  cutsMissed: string[];
  readonly flips: Readonly<Record<LibrarySays | 'nobody', Found>>;
}

/** Of broken files, how many there were and how many were found to be so. */
interface Found {
  all: number;
  found: number;
}

async function outcomeOf(name: string, bytes: Uint8Array): Promise<Outcome> {
  const source = {
    sizeBytes: bytes.length,
    read: (at: number, length: number) => bytes.slice(at, at + length),
  };
  try {
    const reading = readingOf(name, source)?.open();
    // A beginning that is no longer that of its format leaves it without a reader, and so hashed only.
    if (reading === undefined) return 'not loadable';
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await reading.take(bytes.slice(at, at + PIECE_BYTES), at);
    }
    return (await reading.end()).kind === 'damaged' ? 'damaged' : 'loaded';
  } catch (cause) {
    if (cause instanceof Damaged) return 'damaged';
    if (cause instanceof NotLoadable) return 'not loadable';
    throw new Error(`${name} broke its reader`, { cause });
  }
}

const spread = (length: number, count: number): number[] => {
  const places = Math.min(length, count);
  return Array.from({ length: places }, (_, no) => Math.floor((no * length) / places));
};

async function breakFile(path: string, tally: Tally): Promise<void> {
  const [name, whole] = [basename(path), readFileSync(`${SPECIMENS}${path}`)];
  tally.files += 1;
  const outcome = await outcomeOf(name, whole);
  if (outcome === 'damaged') tally.refused.push(name);
  if (outcome === 'not loadable') tally.notLoadable += 1;
  if (outcome !== 'loaded') return;
  const cuts = spread(whole.length, CUTS).map((bytes) => whole.subarray(0, bytes));
  for (const cut of [...cuts, Buffer.concat([whole, Buffer.of(1)])]) {
    tally.cuts += 1;
    if ((await outcomeOf(name, cut)) === 'loaded') {
      tally.cutsMissed.push(`${name} at ${String(cut.length)} of ${String(whole.length)}`);
    }
  }
  for (const { at, bytes, library } of flipsOver(whole, SAID.get(path))) {
    const isFound = (await outcomeOf(name, bytes)) !== 'loaded';
    // A checksum or a rule of its own: where it is found, it needs no library to say so.
    const counted = tally.flips[library ?? (isFound ? 'refuses' : 'nobody')];
    counted.all += 1;
    if (isFound) counted.found += 1;
    else if (library === 'refuses') process.stderr.write(`${path}: byte ${String(at)}\n`);
  }
}

const SAID = saidByLibraries();
const tallies = new Map<FormatName, Tally>();
for (const path of readdirSync(SPECIMENS, { recursive: true, encoding: 'utf8' })) {
  const name = basename(path);
  const format = name.includes('--') ? formatNamed(name) : null;
  if (format === null) continue;
  const none = (): Found => ({ all: 0, found: 0 });
  const fresh: Tally = {
    ...{ files: 0, notLoadable: 0, refused: [], cuts: 0, cutsMissed: [] },
    flips: { refuses: none(), 'reads otherwise': none(), reads: none(), nobody: none() },
  };
  const tally = tallies.get(format) ?? fresh;
  tallies.set(format, tally);
  await breakFile(path, tally);
}

const bothOf = (one: Found, other: Found): Found => ({
  all: one.all + other.all,
  found: one.found + other.found,
});

/** One row for each format, in the order in which the list of formats has them. */
function tableOf(): string {
  const rows = formatNames.map((format) => {
    const tally = tallies.get(format);
    if (tally === undefined) throw new Error(`${format} has no specimen.`);
    const { files, notLoadable, refused, cuts, cutsMissed, flips } = tally;
    const words = ({ all, found }: Found): string =>
      all === 0 ? '' : `${String(found)} of ${String(all)}`;
    return [
      ...[format, String(files), String(notLoadable), String(refused.length)],
      ...[
        words({ all: cuts, found: cuts - cutsMissed.length }),
        WHOLE_IN_PART[format] ?? 'nowhere',
      ],
      ...[words(flips.refuses), words(flips['reads otherwise'])],
      ...[words(bothOf(flips.reads, flips.nobody)), UNSEEN[format]],
    ];
  });
  const head = [
    ...['format', 'valid', 'hashed only', 'refused wrongly', 'cut off or longer: found'],
    ...['where a part is whole too', 'structure: found', 'another valid file: found'],
    ...['data: found', 'what only the hash tells'],
  ];
  const widths = head.map((each, at) =>
    Math.max(each.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** What is written for people around it stays. */
function writeTable(): void {
  const [before, rest] = readFileSync(TABLE, 'utf8').split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${TABLE} has no place for it.`);
  writeFileSync(TABLE, `${before}${BEGIN}\n\n${tableOf()}\n\n${END}${after}`);
}

function rowsOf([format, tally]: [FormatName, Tally]): BenchRow[] {
  const { files, notLoadable, refused, cuts, cutsMissed, flips } = tally;
  const missed = flips.refuses.all - flips.refuses.found;
  for (const each of [...refused, ...cutsMissed]) process.stderr.write(`${format}: ${each}\n`);
  const inPart = WHOLE_IN_PART[format];
  return [
    {
      measure: `${format}: ${String(files)} written by libraries (${String(notLoadable)} not loadable), said to be damaged`,
      value: refused.length,
      unit: 'files',
      goal: 'none',
      isMet: refused.length === 0,
    },
    {
      measure: `${format}: ${String(cuts)} cut off or longer, loaded all the same${inPart === undefined ? '' : ` (${inPart})`}`,
      value: cutsMissed.length,
      unit: 'files',
      ...(inPart === undefined ? { goal: 'none', isMet: cutsMissed.length === 0 } : {}),
    },
    {
      measure: `${format}: ${String(flips.refuses.all)} with a bit of their structure flipped, loaded all the same`,
      value: missed,
      unit: 'files',
      goal: 'none',
      isMet: missed === 0,
    },
  ];
}

writeTable();
report({ name: 'corpus', rows: [...tallies].sort().flatMap(rowsOf) });
