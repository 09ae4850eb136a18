import { readMarkedParts } from '../launch/marked-parts.ts';
import { whole } from '../../probes/word-lines.ts';
import { linesInSteps, type Steps } from '../../steps.ts';
import { readHashes, type FileHashes } from '../resume/judge-edited.ts';
import { readCellLine, type QueueCell } from './queue-cell.ts';
import type { CellEnd, CellMark } from './queue-view.ts';

/** What one look at a queue brought. */
export interface QueueLook {
  /** Null: they are as they were. */
  readonly cells: readonly QueueCell[] | null;
  readonly sum: string;
  /** The byte of the journal that `lines` begin at, and the one to go on from. */
  readonly from: number;
  readonly to: number;
  /** The journal goes on there: one answer holds a part of it. */
  readonly hasMore: boolean;
  readonly entries: readonly JournalEntry[];
  /** How many cells run at once. */
  readonly slots: number;
  readonly isPaused: boolean;
  readonly isStopping: boolean;
  readonly left: readonly number[];
  readonly pruning: readonly number[];
  /** job.sh of the run that made the queue; null: it was not asked for, or is not there. */
  readonly job: string | null;
  /** Of what its launch wrote, where job.sh was asked for. */
  readonly hashes: FileHashes;
}

export type JournalEntry =
  | {
      readonly kind: 'begin';
      readonly index: number;
      readonly atMs: number;
      readonly cards?: string;
    }
  /** When it began, so many files of code had been changed since the launch of its run. */
  | { readonly kind: 'changed'; readonly index: number; readonly files: number }
  /** It has succeeded, and its copy begins. */
  | { readonly kind: 'ran'; readonly index: number; readonly atMs: number }
  | { readonly kind: 'end'; readonly index: number; readonly end: CellEnd };

const MAX_CELLS_READ = 100_000;
/** Longer than any cell that may be asked for; the rest of the line is none of it. */
const MAX_CELL_LINE_CHARS = 100_000;
/** What the script tells of it at a time. */
const MAX_JOURNAL_CHARS = 1024 * 1024;
const MAX_SLOTS = 64;

/** What resources/onbox/queue-look.sh printed of a queue, of which a box may make megabytes, with the slots of `run`. Null: not whole; "none": there is no such queue. */
export function* readQueueLook(
  stdout: string,
  mark: string,
  { run, atMs }: { readonly run: string; readonly atMs: number },
): Steps<QueueLook | 'none' | null> {
  // To put megabytes that came in pieces together is a step by itself, and so was the last piece.
  yield;
  const parts = readMarkedParts(stdout, mark);
  if (parts.has('none')) return 'none';
  const [now, listed, journal] = [
    whole(parts.get('now')?.rest),
    parts.get('cells'),
    parts.get('journal'),
  ];
  const from = whole(journal?.rest);
  if (now === null || from === null || listed === undefined || journal === undefined) return null;
  if (!parts.has('whole') || journal.text.length > MAX_JOURNAL_CHARS + 1) return null;
  yield;
  // Only whole lines: the rest of one that is being written comes with the next look.
  const written = journal.text.slice(0, journal.text.lastIndexOf('\n') + 1);
  const slots = slotsOf(parts.get('slots')?.text);
  const cardsOf = (of: string, slot: number): string | undefined =>
    of === run ? slots[slot - 1] : undefined;
  const ownTime = (boxS: number): number => atMs - (now - boxS) * 1000;
  const entries: JournalEntry[] = [];
  yield* linesInSteps(written, Infinity, (line) => {
    entries.push(...entryOf(line, ownTime, cardsOf));
  });
  return {
    cells: listed.text === '' ? null : yield* readCells(listed.text),
    sum: listed.rest,
    from,
    to: from + written.length,
    hasMore: parts.has('more'),
    entries,
    slots: Math.max(1, slots.length),
    isPaused: parts.has('paused'),
    isStopping: parts.has('stopping'),
    left: numbersIn(parts.get('left')?.rest),
    pruning: numbersIn(parts.get('pruning')?.rest),
    job: parts.get('job')?.text ?? null,
    hashes: readHashes(parts.get('hashes')?.rest ?? ''),
  };
}

const numbersIn = (words = ''): readonly number[] =>
  words.split(' ').flatMap((word) => whole(word) ?? []);

function* readCells(text: string): Steps<readonly QueueCell[]> {
  const cells: QueueCell[] = [];
  yield* linesInSteps(text, MAX_CELLS_READ, (line) => {
    cells.push(readCellLine(line.slice(0, MAX_CELL_LINE_CHARS)));
  });
  return cells;
}

/** Behind the slots nothing is counted: what stands there was written by hand. */
function slotsOf(text = ''): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n', MAX_SLOTS);
  return lines.every((line) => /^[\w,-]{1,4000}$/.test(line)) ? lines : [];
}

const BEGIN = /^begin (\d{1,7}) (\d{1,12}) (r-[a-z0-9-]{1,40})(?: (\d{1,3}))? \.$/;
const RAN = /^ran (\d{1,7}) (\d{1,12}) r-[a-z0-9-]{1,40} \.$/;
const CHANGED = /^changed (\d{1,7}) (\d{1,9}) \d{1,12} \.$/;
const END =
  /^(?:(exit|cut) (\d{1,7}) (\d{1,3})|copied (\d{1,7}) (\d{1,9})|uncopied (\d{1,7}) ([a-z-]{1,40})) (\d{1,12}) \.$/;

function entryOf(
  line: string,
  ownTime: (boxS: number) => number,
  cardsOf: (run: string, slot: number) => string | undefined,
): readonly JournalEntry[] {
  const [, begun, begunS, run = '', slot] = BEGIN.exec(line) ?? [];
  if (begun !== undefined) {
    const cards = slot === undefined ? undefined : cardsOf(run, Number(slot));
    return [
      {
        ...{ kind: 'begin', index: Number(begun), atMs: ownTime(Number(begunS)) },
        ...(cards === undefined ? {} : { cards }),
      },
    ];
  }
  const [, ran, ranS] = RAN.exec(line) ?? [];
  if (ran !== undefined) {
    return [{ kind: 'ran', index: Number(ran), atMs: ownTime(Number(ranS)) }];
  }
  const [, changed, changedFiles] = CHANGED.exec(line) ?? [];
  if (changed !== undefined) {
    return [{ kind: 'changed', index: Number(changed), files: Number(changedFiles) }];
  }
  const [, kind, ended, code, copied, files, uncopied, why = '', endS] = END.exec(line) ?? [];
  if (endS === undefined) return [];
  const atMs = ownTime(Number(endS));
  const index = Number(ended ?? copied ?? uncopied);
  if (copied !== undefined) {
    return [{ kind: 'end', index, end: { kind: 'copied', files: Number(files), atMs } }];
  }
  if (uncopied !== undefined) return [{ kind: 'end', index, end: { kind: 'uncopied', why, atMs } }];
  const how = kind === 'exit' ? 'exit' : 'cut';
  return [{ kind: 'end', index, end: { kind: how, exitCode: Number(code), atMs } }];
}

/** What the entries make of the marks that were known: only those that change. */
export function marksOf(
  entries: readonly JournalEntry[],
  before: Readonly<Record<number, CellMark>>,
): Readonly<Record<number, CellMark>> {
  const changed = new Map<number, CellMark>();
  for (const entry of entries) {
    const known = changed.get(entry.index) ?? before[entry.index];
    if (entry.kind === 'begin') {
      const times = (known?.times ?? 0) + 1;
      const { atMs, cards } = entry;
      const on = cards === undefined ? {} : { cards };
      changed.set(entry.index, { beganAtMs: atMs, times, ...on, end: null });
      continue;
    }
    if (entry.kind === 'changed') {
      if (known !== undefined) changed.set(entry.index, { ...known, changedFiles: entry.files });
      continue;
    }
    if (entry.kind === 'ran') {
      const begun = known ?? { beganAtMs: entry.atMs, times: 1 };
      // Its copy may be begun again; the cell is not.
      changed.set(entry.index, { ...begun, ranAtMs: known?.ranAtMs ?? entry.atMs, end: null });
      continue;
    }
    const begun = known ?? { beganAtMs: entry.end.atMs, times: 1 };
    changed.set(entry.index, { ...begun, end: entry.end });
  }
  return Object.fromEntries(changed);
}
