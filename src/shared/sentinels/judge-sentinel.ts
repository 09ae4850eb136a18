import { whole, type Pairs } from '../probes/word-lines.ts';
import { plainLine } from '../questions/hostile-text.ts';
import { unreachable } from '../result.ts';
import { isSameProcess } from '../runs/process-ref.ts';
import { judgeRestart } from '../telemetry/machine-marks.ts';
import type {
  Awaited,
  OverSentinel,
  Sentinel,
  SentinelBase,
  SentinelMachine,
  SentinelSeen,
} from './sentinel.ts';
import {
  isReadFault,
  pathAnswer,
  unreadOf,
  type PathAnswer,
  type SentinelLook,
} from './sentinel-look.ts';

const MAX_LINE_CHARS = 500;
const MAX_BECAUSE_CHARS = 300;

/** What one look says of one sentinel. */
export type SentinelJudgement =
  | {
      readonly kind: 'waits';
      readonly sentinel: Sentinel;
      /** The machine began anew since the look before. */
      readonly isRestartNews: boolean;
    }
  | { readonly kind: 'over'; readonly over: OverSentinel };

/** What an answer says, before it is known how long it has been so. */
interface Verdict {
  readonly awaited?: Awaited;
  readonly base?: SentinelBase;
  readonly seen?: Omit<SentinelSeen, 'atMs'>;
  readonly unread?: string;
  /** Something that was written cannot be read any more. */
  readonly hasGap?: boolean;
  readonly end?: { readonly because: string; readonly line?: string };
}

const NOTHING_SEEN = {
  isThere: false,
  writtenAtMs: null,
  bytes: null,
  files: null,
  path: null,
  unreadBytes: null,
} as const;

/**
 * `redact` takes secrets out of what the box wrote. What was there when nobody had looked yet is what the next looks compare
 * with, and an answer that could not tell changes nothing but what is said of it.
 */
export function judgeSentinel(
  sentinel: Sentinel,
  answer: Pairs,
  look: SentinelLook,
  redact: (text: string) => string,
): SentinelJudgement {
  const restart = sentinel.machine === null ? null : restartOf(sentinel.machine, look);
  const verdict = judge(sentinel, answer, look, restart, redact);
  const awaited = verdict.awaited ?? sentinel.awaited;
  const seen = verdict.seen === undefined ? sentinel.seen : { atMs: look.atMs, ...verdict.seen };
  const lastMs = sentinel.seen?.atMs ?? sentinel.armedAtMs;
  const span = { fromMs: Math.min(lastMs, look.atMs), toMs: look.atMs };
  const gap = verdict.hasGap === true ? span : sentinel.gap;
  const { id, armedAtMs, untilMs } = sentinel;
  if (verdict.end !== undefined) {
    const { because, line = null } = verdict.end;
    return {
      kind: 'over',
      over: {
        id,
        awaited,
        armedAtMs,
        untilMs,
        end: isBaseKnown(sentinel) ? 'happened' : 'already',
        atMs: look.atMs,
        before: sentinel.seen,
        seen,
        line,
        because,
        gap,
      },
    };
  }
  return {
    kind: 'waits',
    isRestartNews: restart !== null,
    sentinel: {
      ...sentinel,
      awaited,
      seen,
      gap,
      base: verdict.base ?? sentinel.base,
      machine: {
        bootId: look.machine.bootId ?? sentinel.machine?.bootId ?? null,
        initStartTicks: look.machine.initStartTicks ?? sentinel.machine?.initStartTicks ?? null,
      },
      unread:
        verdict.unread === undefined
          ? null
          : { atMs: look.atMs, because: plainLine(verdict.unread, MAX_BECAUSE_CHARS) },
      restarted: restart === null ? sentinel.restarted : { ...span, how: restart },
    },
  };
}

/** A run that a patrol saw is known before the first look. */
function isBaseKnown({ base, awaited }: Sentinel): boolean {
  return base !== null || (awaited.kind === 'process' && awaited.startTicks !== null);
}

function restartOf(
  before: SentinelMachine,
  { machine: { bootId, initStartTicks } }: SentinelLook,
): 'reboot' | 'container-restart' | null {
  return judgeRestart(before, { bootId, initStartTicks });
}

function judge(
  { awaited, base }: Sentinel,
  answer: Pairs,
  look: SentinelLook,
  restart: ReturnType<typeof restartOf>,
  redact: (text: string) => string,
): Verdict {
  switch (awaited.kind) {
    case 'process':
      return judgeProcess(awaited, base, answer, look, restart, redact);
    case 'file':
      return judgeFile(base, pathAnswer(answer), look);
    case 'line':
      return judgeLog(base, answer, look, redact);
    case 'count':
      return judgeCount(awaited.atLeast, answer, look);
    case 'newest':
      return judgeNewest(base, answer, look);
    default:
      return unreachable(awaited);
  }
}

function judgeProcess(
  awaited: Awaited & { readonly kind: 'process' },
  base: SentinelBase | null,
  answer: Pairs,
  look: SentinelLook,
  restart: ReturnType<typeof restartOf>,
  redact: (text: string) => string,
): Verdict {
  const known = base?.kind === 'process' ? base.startTicks : awaited.startTicks;
  const gone = (because: string): Verdict => ({ seen: NOTHING_SEEN, end: { because } });
  if (restart === 'reboot' && known !== null) return gone('The box was rebooted meanwhile.');
  if (restart === 'container-restart' && known !== null) {
    return gone('The container was restarted meanwhile.');
  }
  const told = answer.get('process')?.[0];
  if (!look.hasProcesses || told === undefined || told === 'closed') {
    return { unread: 'the box does not tell of this process' };
  }
  if (told === 'gone') return gone(known === null ? 'There is no process with this number.' : '');
  const [, ticks, state = ''] = /^(\d{1,15}) ([A-Za-z])$/.exec(told) ?? [];
  if (ticks === undefined) return { unread: 'the box does not tell of this process' };
  const startTicks = Number(ticks);
  // A life that only the patrol has seen before the first look: a machine that began anew gives the same numbers again.
  const now = { bootId: look.machine.bootId, pid: awaited.pid, startTicks };
  if (known !== null && !isSameProcess({ ...awaited, startTicks: known }, now)) {
    return gone('Its number belongs to another process now.');
  }
  // Where nobody collects it, what has ended stays in the table for as long as the machine runs.
  if (state === 'Z' || state === 'X') return gone('Its parent has not asked yet how it ended.');
  const name = answer.get('command')?.[0];
  return {
    base: { kind: 'process', startTicks },
    seen: { ...NOTHING_SEEN, isThere: true },
    ...(name === undefined
      ? {}
      : { awaited: { ...awaited, name: plainLine(redact(name), MAX_BECAUSE_CHARS) } }),
  };
}

function judgeFile(base: SentinelBase | null, path: PathAnswer, look: SentinelLook): Verdict {
  if (path.kind === 'unread') return { unread: path.because };
  const was = base?.kind === 'file' ? base.was : undefined;
  if (path.kind === 'absent') {
    return { seen: NOTHING_SEEN, base: { kind: 'file', was: was ?? null } };
  }
  const { modifiedAtS, bytes } = path;
  const seen = seenFile(path, look);
  if (was === undefined) return { seen, base: { kind: 'file', was: { modifiedAtS, bytes } } };
  // Not by its number: file systems in user space give the same file another one at any time.
  const isSame = was?.modifiedAtS === modifiedAtS && was.bytes === bytes;
  return isSame ? { seen } : { seen, end: { because: '' } };
}

function judgeLog(
  before: SentinelBase | null,
  answer: Pairs,
  look: SentinelLook,
  redact: (text: string) => string,
): Verdict {
  const path = pathAnswer(answer);
  if (path.kind === 'unread') return { unread: path.because };
  const base = before?.kind === 'line' ? before : null;
  const seen = path.kind === 'there' ? seenFile(path, look) : NOTHING_SEEN;
  const log = answer.get('log')?.[0];
  const match = answer.get('match')?.[0];
  if (match !== undefined && base !== null) {
    const line = plainLine(redact(match), MAX_LINE_CHARS);
    return { seen, hasGap: log === 'other', end: { because: '', line } };
  }
  const unread = answer.get('unread')?.[0];
  if (unread !== undefined) return { unread };
  // A search that ended before its input did has found nothing, and read nothing either.
  if (isReadFault(answer)) return { unread: 'it could not be read to its end' };
  if (log === undefined) {
    if (path.kind === 'there') return { unread: 'it is not a file with lines' };
    return { seen, base: base ?? { kind: 'line', inode: null, offset: 0, print: null } };
  }
  const [, to, of, print] =
    /^(\d{1,18}) (\d{1,18}) (none|\d{1,12})$/.exec(answer.get('read')?.[0] ?? '') ?? [];
  if (to === undefined) return { unread: 'the box did not say how far it was read' };
  const offset = Number(to);
  const left = Math.max(0, Number(of) - offset);
  const on = { kind: 'line', offset, print: print === 'none' ? null : Number(print) } as const;
  if (log !== 'old' && path.kind === 'there') {
    const hasGap = log === 'other';
    return { seen: { ...seen, unreadBytes: left }, hasGap, base: { ...on, inode: path.inode } };
  }
  const following = path.kind === 'there' ? path : null;
  const isReadToItsEnd = left === 0 && following !== null && following.bytes > 0;
  return {
    seen: { ...seen, unreadBytes: left + (following?.bytes ?? 0) },
    base: isReadToItsEnd
      ? { kind: 'line', inode: following.inode, offset: 0, print: null }
      : { ...on, inode: base?.inode ?? null },
  };
}

function judgeCount(atLeast: number, answer: Pairs, look: SentinelLook): Verdict {
  const path = pathAnswer(answer);
  if (path.kind === 'unread') return { unread: path.because };
  if (path.kind === 'absent')
    return { seen: { ...NOTHING_SEEN, files: 0 }, base: { kind: 'count' } };
  const files = whole(answer.get('files')?.[0]);
  if (files === null) return { unread: 'it is not a folder' };
  const seen = { ...seenFile(path, look), bytes: null, files };
  if (files >= atLeast) return { seen, end: { because: '' } };
  const unread = unreadOf(answer);
  return { seen, base: { kind: 'count' }, ...(unread === null ? {} : { unread }) };
}

function judgeNewest(before: SentinelBase | null, answer: Pairs, look: SentinelLook): Verdict {
  const path = pathAnswer(answer);
  if (path.kind === 'unread') return { unread: path.because };
  const base = before?.kind === 'newest' ? before : null;
  if (path.kind === 'absent') {
    return {
      seen: { ...NOTHING_SEEN, files: 0 },
      base: base ?? { kind: 'newest', modifiedAtS: 0 },
    };
  }
  const files = whole(answer.get('files')?.[0]);
  if (files === null) return { unread: 'it is not a folder' };
  const [, modified, bytes, name] =
    /^(\d{1,12}) (\d{1,18}) \d{1,20} (\/.*)$/.exec(answer.get('newest')?.[0] ?? '') ?? [];
  const modifiedAtS = Number(modified ?? 0);
  const seen = {
    ...NOTHING_SEEN,
    isThere: true,
    files,
    path: name === undefined ? null : plainLine(name, MAX_LINE_CHARS),
    bytes: bytes === undefined ? null : Number(bytes),
    writtenAtMs: modified === undefined ? null : hereMs(modifiedAtS, look),
  };
  if (base !== null && modifiedAtS > base.modifiedAtS) return { seen, end: { because: '' } };
  const unread = unreadOf(answer);
  if (unread !== null) return base === null ? { unread } : { seen, unread };
  return { seen, base: base ?? { kind: 'newest', modifiedAtS } };
}

function seenFile(
  path: PathAnswer & { readonly kind: 'there' },
  look: SentinelLook,
): Omit<SentinelSeen, 'atMs'> {
  return {
    ...NOTHING_SEEN,
    isThere: true,
    writtenAtMs: hereMs(path.modifiedAtS, look),
    bytes: path.bytes,
  };
}

/** By this machine's clock, as far as the box says what its own is. */
function hereMs(atS: number, { machine }: SentinelLook): number {
  return atS * 1000 - (machine.clockOffsetMs ?? 0);
}
