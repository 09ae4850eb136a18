import { isSameProcess, processRefIn } from '../runs/process-ref.ts';
import { judgeSentinel } from './judge-sentinel.ts';
import type { SentinelLook } from './sentinel-look.ts';
import {
  MAX_ARMED,
  MAX_OVER,
  type Awaited,
  type OverSentinel,
  type Sentinel,
  type SentinelBase,
  type SentinelEnd,
} from './sentinel.ts';

/** What is waited for on one box, and what came of it. */
export interface SentinelBook {
  readonly version: 1;
  readonly lookedAtMs: number | null;
  /** The newest first. */
  readonly armed: readonly Sentinel[];
  readonly over: readonly OverSentinel[];
  /** What is to be told, and was not yet as far as is known: of those that are armed, that their machine began anew. */
  readonly untold: readonly string[];
}

export const EMPTY_BOOK: SentinelBook = {
  version: 1,
  lookedAtMs: null,
  armed: [],
  over: [],
  untold: [],
};

/** The same marker of the same run. */
function isForTheSame(a: Awaited, b: Awaited): boolean {
  if (a.kind !== 'process' || b.kind !== 'process') return markerOf(a) === markerOf(b);
  const [one, other] = [processRefIn(a), processRefIn(b)];
  if (one !== null && other !== null) return isSameProcess(one, other);
  return one === other && a.pid === b.pid;
}

function markerOf(awaited: Awaited): string {
  switch (awaited.kind) {
    case 'process':
      return JSON.stringify([awaited.kind, awaited.pid]);
    case 'file':
      return JSON.stringify(['file', awaited.path]);
    case 'line':
      return JSON.stringify(['line', awaited.path, awaited.text]);
    case 'count':
    case 'newest':
      return JSON.stringify([awaited.kind, awaited.folder, awaited.ending]);
  }
}

export interface Armed {
  readonly id: string;
  readonly awaited: Awaited;
  readonly atMs: number;
  readonly untilMs: number;
  /** What is known of it without a look; absent: nothing. */
  readonly base?: SentinelBase | null;
}

/** One that waits for the same thing gives way to it. Null: too many are armed. */
export function armSentinel(
  book: SentinelBook,
  { id, awaited, atMs, untilMs, base = null }: Armed,
): SentinelBook | null {
  const others = book.armed.filter((each) => !isForTheSame(each.awaited, awaited));
  if (others.length >= MAX_ARMED) return null;
  const added: Sentinel = {
    id,
    awaited,
    armedAtMs: atMs,
    untilMs,
    base,
    machine: null,
    seen: null,
    unread: null,
    restarted: null,
    gap: null,
  };
  return { ...book, armed: [added, ...others] };
}

/** The person waits for it no longer, or is done with what came of it. */
export function removeSentinel(book: SentinelBook, id: string): SentinelBook {
  return {
    ...book,
    armed: book.armed.filter((each) => each.id !== id),
    over: book.over.filter((each) => each.id !== id),
    untold: book.untold.filter((each) => each !== id),
  };
}

/** `asked`: those that the look was asked for, in its order; what was armed or cancelled meanwhile stays as it is. */
export function takeSentinelLook(
  book: SentinelBook,
  asked: readonly Sentinel[],
  look: SentinelLook,
  redact: (text: string) => string,
): SentinelBook {
  const over: OverSentinel[] = [];
  const untold: string[] = [];
  const armed = book.armed.flatMap((sentinel) => {
    const answer = look.answers[asked.findIndex(({ id }) => id === sentinel.id)] ?? null;
    if (answer === null) return [sentinel];
    const judged = judgeSentinel(sentinel, answer, look, redact);
    if (judged.kind === 'over') {
      over.push(judged.over);
      untold.push(judged.over.id);
      return [];
    }
    if (judged.isRestartNews) untold.push(sentinel.id);
    return [judged.sentinel];
  });
  return withOver({ ...book, armed, lookedAtMs: look.atMs }, over, untold);
}

/** Those whose latest time has come. */
export function expireSentinels(book: SentinelBook, nowMs: number): SentinelBook {
  const due = book.armed.filter(({ untilMs }) => untilMs <= nowMs);
  if (due.length === 0) return book;
  return end(book, due, 'expired', nowMs, true);
}

/** The box is reached another way: what was waited for was on another machine. The person did that, so nothing rings. */
export function moveSentinels(book: SentinelBook, nowMs: number): SentinelBook {
  return end(book, book.armed, 'moved', nowMs, false);
}

/** It was told, as far as anybody can know. */
export function toldSentinels(book: SentinelBook, ids: readonly string[]): SentinelBook {
  return { ...book, untold: book.untold.filter((id) => !ids.includes(id)) };
}

function end(
  book: SentinelBook,
  ended: readonly Sentinel[],
  how: SentinelEnd,
  atMs: number,
  isToBeTold: boolean,
): SentinelBook {
  const over = ended.map(
    ({ id, awaited, armedAtMs, untilMs, seen, unread, gap }): OverSentinel => ({
      id,
      awaited,
      armedAtMs,
      untilMs,
      end: how,
      atMs,
      before: seen,
      seen: null,
      line: null,
      because: unread === null ? '' : `The last check could not tell: ${unread.because}.`,
      gap,
    }),
  );
  const armed = book.armed.filter((each) => !ended.includes(each));
  return withOver({ ...book, armed }, over, isToBeTold ? over.map(({ id }) => id) : []);
}

function withOver(
  book: SentinelBook,
  more: readonly OverSentinel[],
  untold: readonly string[],
): SentinelBook {
  const over = [...more, ...book.over].slice(0, MAX_OVER);
  const known = new Set([...over, ...book.armed].map(({ id }) => id));
  return {
    ...book,
    over,
    untold: [...new Set([...book.untold, ...untold])].filter((id) => known.has(id)),
  };
}
