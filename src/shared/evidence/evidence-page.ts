import { isoTime } from '../meter/ledger-csv.ts';
import type { Block, Inline } from '../recovery/page.ts';
import { pulledState, type PulledState } from '../transfer/home.ts';
import { FATE_WORDS } from '../transfer/fate.ts';
import { leftWords } from '../transfer/left-files.ts';
import {
  UNTOLD_WRITES,
  type PulledFile,
  type PullMark,
  type PullReport,
  type RunProof,
} from '../transfer/pull.ts';
import type { SetFound } from '../verify/sets.ts';
import { keyText } from '../verify/numbers/number-key.ts';
import type { KeptLoss } from '../teardown/inspection.ts';
import { lossBlocks, removedBlocks, stepBlocks, stepWords } from '../teardown/teardown-page.ts';
import type { RemovedSecret } from '../teardown/secrets-found.ts';
import type { TeardownStep } from '../teardown/teardown-record.ts';
import { checkWords } from './chain-words.ts';
import type { AcceptReport, KeptAccept } from './accepted.ts';
import type { ChainFault, EvidenceCheck, EvidenceEntry } from './chain.ts';
import { rereadWords } from './reread-words.ts';
import type { KeptReread, RereadReport } from './reread.ts';

/** An entry beside what it says; null: it is not what Leasehold writes. */
export interface ReadEntry {
  readonly entry: EvidenceEntry;
  readonly says:
    | ({ kind: 'pull' } & RunProof)
    | ({ kind: 'reread' } & KeptReread)
    | ({ kind: 'accept' } & KeptAccept)
    | { kind: 'losses'; losses: readonly KeptLoss[] }
    | { kind: 'secrets'; removed: readonly RemovedSecret[] }
    | { kind: 'teardown'; step: TeardownStep }
    | null;
}

interface HeldAgainst {
  readonly check: EvidenceCheck;
  readonly atMs: number;
}

/** One page: what does not stand on it stands in the export. */
const MOST_ON_RECEIPT = 40;

/** The whole record, as a person reads it. */
export function evidencePage(entries: readonly ReadEntry[], told: HeldAgainst): readonly Block[] {
  return [
    { kind: 'heading', level: 1, text: 'Evidence' },
    ...checkBlocks(told),
    ...entries.flatMap((each) => entryBlocks(each, 2, Number.POSITIVE_INFINITY)),
  ];
}

/**
 * What one pull brought home and proved, or how a box ended, for who wants it on paper. `beside`: of a pull what was accepted of it and read again
 * from it; of an end its approval and the pulls that it rests on.
 */
export function receiptPage(
  entry: ReadEntry,
  beside: readonly ReadEntry[],
  box: string,
  told: HeldAgainst,
): readonly Block[] {
  return [
    {
      kind: 'heading',
      level: 1,
      text:
        entry.says?.kind === 'teardown' ? 'Receipt: end of a box' : 'Receipt: results brought home',
    },
    { kind: 'list', items: [[`Box: ${box}`]] },
    ...entryBlocks(entry, 2, MOST_ON_RECEIPT),
    ...beside.flatMap((each) => entryBlocks(each, 2, MOST_ON_RECEIPT)),
    ...checkBlocks(told),
  ];
}

const MAY_BE_WHOLE: ReadonlySet<ChainFault['because']> = new Set(['end-unknown', 'empty']);

function checkBlocks({ check, atMs }: HeldAgainst): readonly Block[] {
  const says = checkWords(check);
  return [
    {
      kind: 'text',
      text: [`Written ${isoTime(atMs)}. The record then: ${says}`],
    },
    ...(check.fault === null
      ? []
      : ([
          {
            kind: 'text',
            text: [
              MAY_BE_WHOLE.has(check.fault.because)
                ? 'THIS MAY NOT BE ALL OF THE RECORD. What came after it, if anything did, may take back what it says.'
                : 'THE RECORD WAS CHANGED. From that entry on nothing in it is proven.',
            ],
          },
        ] satisfies Block[])),
  ];
}

function entryBlocks({ entry, says }: ReadEntry, level: 2 | 3, most: number): readonly Block[] {
  const { seq, atMs, boxId, previous, hash } = entry;
  const chain: readonly (readonly Inline[])[] = [
    ['Box id: ', { code: boxId }],
    ['Hash: ', { code: hash }],
    ['Hash of the entry before: ', { code: previous }],
  ];
  const heading = (what: string): Block => ({
    kind: 'heading',
    level,
    text: `No. ${String(seq)}: ${what}, ${isoTime(atMs)}`,
  });
  switch (says?.kind) {
    case undefined:
      return [heading('an entry that Leasehold cannot read'), { kind: 'list', items: chain }];
    case 'pull':
      return [
        heading(`results of “${says.report.runName}”`),
        ...pullBlocks(says.report, chain, most),
      ];
    case 'reread':
      return [
        heading(`reported numbers of “${says.report.runName}”, re-read`),
        ...rereadBlocks(says.report, chain),
      ];
    case 'accept':
      return [
        heading(`damaged files of “${says.report.runName}”, accepted`),
        ...acceptBlocks(says.report, chain),
      ];
    case 'losses':
      return [heading('losses that were accepted'), ...lossBlocks(says.losses, chain)];
    case 'secrets':
      return [heading('secrets removed from the box'), ...removedBlocks(says.removed, chain)];
    case 'teardown':
      return [heading(stepWords[says.step.step]), ...stepBlocks(says.step, chain)];
  }
}

function pullBlocks(
  { from, to, manifest, tellsWrites, files, sets = [] }: PullReport,
  chain: readonly (readonly Inline[])[],
  most: number,
): readonly Block[] {
  // What a person has to look at is never cut off before what is fine.
  const worstFirst = [...files].sort((a, b) => Number(isFine(a)) - Number(isFine(b)));
  const shown = worstFirst.slice(0, most);
  return [
    {
      kind: 'list',
      items: [
        ['From: ', { code: from }],
        ['To: ', { code: to }],
        [sumWords(files)],
        ['Manifest: ', { code: manifest }],
        ...(tellsWrites === false ? [[UNTOLD_WRITES]] : []),
        ...chain,
      ],
    },
    {
      kind: 'table',
      head: ['File', 'Bytes', 'Proof', 'On the box', 'SHA-256'],
      rows: shown.map((file) => [
        [{ code: file.path }],
        [String(file.bytes)],
        [proofOf(file)],
        [file.fate === undefined ? '-' : FATE_WORDS[file.fate]],
        file.sha256 === null ? ['-'] : [{ code: file.sha256 }],
      ]),
    },
    ...(sets.length === 0 ? [] : [setList(sets)]),
    ...(shown.length < files.length
      ? ([
          {
            kind: 'text',
            text: [`and ${String(files.length - shown.length)} more, which stand in the export.`],
          },
        ] satisfies Block[])
      : []),
  ];
}

function acceptBlocks(
  { proof, accepted }: AcceptReport,
  chain: readonly (readonly Inline[])[],
): readonly Block[] {
  return [
    {
      kind: 'list',
      items: [
        [`The file that was accepted last is of no. ${String(proof.seq)}, by its hash.`],
        ...chain,
      ],
    },
    {
      kind: 'table',
      head: ['File', 'Damage, here as on the box', 'Accepted because', 'At', 'SHA-256'],
      rows: accepted.map(({ path, damage, because, atMs, sha256 }) => [
        [{ code: path }],
        [damage],
        [because],
        [isoTime(atMs)],
        [{ code: sha256 }],
      ]),
    },
  ];
}

function rereadBlocks(
  { folder, proof, numbers }: RereadReport,
  chain: readonly (readonly Inline[])[],
): readonly Block[] {
  return [
    {
      kind: 'list',
      items: [
        ['Read from: ', { code: folder }],
        [`The files are those of no. ${String(proof.seq)}, by their hashes.`],
        ...chain,
      ],
    },
    {
      kind: 'table',
      head: ['Number', 'File and key', 'In the file', 'Reported', 'Result', 'SHA-256 of the file'],
      rows: numbers.map((number) => [
        [number.name ?? '-'],
        [{ code: `${number.path}:${keyText(number.key)}` }],
        number.literal === null ? ['-'] : [{ code: number.literal }],
        [number.figure ?? 'as it stands'],
        [rereadWords(number)],
        number.sha256 === null ? ['-'] : [{ code: number.sha256 }],
      ]),
    },
  ];
}

/** What several files make up. */
const setList = (sets: readonly SetFound[]): Block => ({
  kind: 'list',
  items: sets.map(({ path, state, says }) => [{ code: path }, `: ${state}, ${says}`]),
});

const isFine = (file: PulledFile): boolean => pulledState(file) === 'home';

const MARKS: Readonly<Record<Exclude<PullMark, 'equal'>, string>> = {
  differs: 'differs',
  'missing-here': 'not here',
  'missing-there': 'gone from the box',
  'could-not-read': 'could not be read',
};

/** Never more than is known: the level itself, or why there is none. */
function proofOf(file: PulledFile): string {
  const { provenIn, isGrowing } = file;
  const words = levelWords(file);
  if (isGrowing === true) return `${words}, of its beginning alone: it was growing`;
  return provenIn === undefined ? words : `${words}; in entry ${String(provenIn)}, unchanged since`;
}

function levelWords({ mark, level, loaded, says, left }: PulledFile): string {
  if (left !== undefined) return leftWords(left);
  if (mark !== 'equal') return says === null ? MARKS[mark] : `${MARKS[mark]}: ${says}`;
  if (loaded?.kind === 'damaged') return `hashed, and damaged: ${loaded.because}`;
  if (loaded?.kind !== 'loaded') return level;
  const nonFinite = loaded.numbers?.nonFinite ?? 0;
  const nan = nonFinite === 0 ? '' : `, ${String(nonFinite)} of its numbers NaN or infinite`;
  return `${level}: ${loaded.holds}${nan}`;
}

function sumWords(files: readonly PulledFile[]): string {
  const count = (state: PulledState): number =>
    files.filter((file) => pulledState(file) === state).length;
  const home = files.filter(isFine);
  const bytes = home.reduce((sum, file) => sum + file.bytes, 0);
  const partly = [
    ['damaged', count('damaged')],
    ['begun', count('begun')],
  ] as const;
  const rest = partly.filter(([, of]) => of > 0).map(([words, of]) => `, ${words} ${String(of)}`);
  const short = count('short') + count('waits');
  return `Files: ${String(files.length)}; home ${String(home.length)} with ${String(bytes)} bytes, left on the box ${String(count('left'))}, not proven ${String(short)}${rest.join('')}`;
}
