// How well damage is found in what the libraries themselves wrote: every specimen whole, cut off, one byte longer, and with bits
// flipped all over it. What is flipped where a format has no checksum is found by the hash of the file alone, and is only counted.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Damaged, NotLoadable } from '../src/main/verify/damage.ts';
import { formatNamed, readingOf } from '../src/main/verify/formats.ts';
import { report, type BenchRow } from './harness.ts';

const SPECIMENS = fileURLToPath(new URL('../src/main/verify/specimens/', import.meta.url));
const CUTS = 60;
const FLIPS = 150;
const PIECE_BYTES = 1 << 20;

/** Where a part of a file is a whole one too, to any reader. */
const WHOLE_IN_PART: Readonly<Record<string, string>> = {
  arrow: 'a stream between two messages',
  csv: 'anywhere in its last cell',
  gguf: 'in what fills up its last block',
  gz: 'in zeros behind its end',
  hdf5: 'with bytes behind its end',
  jsonl: 'between two lines',
  pickle: 'between two of several',
  sqlite: 'with nothing in it',
  tar: 'in zeros behind its end',
  tfrecord: 'between two records',
  tsv: 'anywhere in its last cell',
  wandb: 'between two records',
  yaml: 'between two lines',
};

type Outcome = 'loaded' | 'damaged' | 'not loadable';

interface Tally {
  files: number;
  notLoadable: number;
  refused: string[];
  cuts: number;
  cutsMissed: string[];
  flips: number;
  flipsLoaded: number;
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

async function breakFile(name: string, whole: Buffer, tally: Tally): Promise<void> {
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
  for (const [no, at] of spread(whole.length, FLIPS).entries()) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (no % 8));
    tally.flips += 1;
    if ((await outcomeOf(name, flipped)) === 'loaded') tally.flipsLoaded += 1;
  }
}

const tallies = new Map<string, Tally>();
for (const path of readdirSync(SPECIMENS, { recursive: true, encoding: 'utf8' })) {
  const name = basename(path);
  const format = name.includes('--') ? formatNamed(name) : null;
  if (format === null) continue;
  const fresh = {
    files: 0,
    notLoadable: 0,
    refused: [],
    cuts: 0,
    cutsMissed: [],
    flips: 0,
    flipsLoaded: 0,
  };
  const tally = tallies.get(format) ?? fresh;
  tallies.set(format, tally);
  await breakFile(name, readFileSync(`${SPECIMENS}${path}`), tally);
}

function rowsOf([format, tally]: [string, Tally]): BenchRow[] {
  const { files, notLoadable, refused, cuts, cutsMissed, flips, flipsLoaded } = tally;
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
      measure: `${format}: ${String(flips)} with a bit flipped anywhere, loaded (their hash tells)`,
      value: flipsLoaded,
      unit: 'files',
    },
  ];
}

report({ name: 'corpus', rows: [...tallies].sort().flatMap(rowsOf) });
