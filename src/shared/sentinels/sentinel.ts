import type { Problem } from '../problem.ts';
import type { NumberedProcess, ProcessRef } from '../runs/process-ref.ts';

// Apart from the schemas, which a window has no use for.

export const MAX_PATH_CHARS = 1000;
export const MAX_TEXT_CHARS = 200;
export const MAX_ENDING_CHARS = 100;
/** The script on the box counts no further. */
export const MAX_FILES = 10_000;
export const MAX_PID = 2 ** 31 - 1;
/** The box is asked for all of them in one look, which must stay short. */
export const MAX_ARMED = 12;
/** Of what is over the newest, until the person is done with it. */
export const MAX_OVER = 50;

const HOUR_MS = 3_600_000;
export const MIN_FOR_MS = 60_000;
/** Every wait has an end. */
export const MAX_FOR_MS = 31 * 24 * HOUR_MS;
export const DEFAULT_FOR_MS = 7 * 24 * HOUR_MS;

/** What a person waits for on a box. */
export type Awaited =
  /** Without its start the first look says which one of that number it is. */
  | ({
      readonly kind: 'process';
      /** What it is called; the box's own words. Empty: the first look says it. */
      readonly name: string;
    } & NumberedProcess)
  /** A file or folder appears, or is another one than it was. */
  | { readonly kind: 'file'; readonly path: string }
  /** A line with this very text is written. */
  | { readonly kind: 'line'; readonly path: string; readonly text: string }
  /** So many files are in a folder and below it. */
  | {
      readonly kind: 'count';
      readonly folder: string;
      /** How their names end; empty: however. */
      readonly ending: string;
      readonly atLeast: number;
    }
  /** A file that is newer than all that were there. */
  | { readonly kind: 'newest'; readonly folder: string; readonly ending: string };

/** What a look saw of it. A field is null where it means nothing, or was not told. */
export interface SentinelSeen {
  readonly atMs: number;
  /** The file, the folder or the process. */
  readonly isThere: boolean;
  /** By this machine's clock. */
  readonly writtenAtMs: number | null;
  readonly bytes: number | null;
  readonly files: number | null;
  /** The newest file. Hostile. */
  readonly path: string | null;
  /** Of a log: not read yet, and read next. */
  readonly unreadBytes: number | null;
}

/** What is compared with, as the first look found it and as later ones leave it. */
export type SentinelBase =
  | ({ readonly kind: 'process' } & Pick<ProcessRef, 'startTicks'>)
  /** Null: it was not there. */
  | {
      readonly kind: 'file';
      readonly was: { readonly modifiedAtS: number; readonly bytes: number } | null;
    }
  | {
      readonly kind: 'line';
      /** As it is written: some file systems have larger ones than a number holds. Null: it was not there. */
      readonly inode: string | null;
      /** Read up to here. */
      readonly offset: number;
      /** Of the bytes before the offset; null: there are none. */
      readonly print: number | null;
    }
  | { readonly kind: 'count' }
  | { readonly kind: 'newest'; readonly modifiedAtS: number };

/** Of a log that has only just begun: each line of it counts. */
export const FROM_ITS_BEGINNING: SentinelBase = {
  kind: 'line',
  inode: null,
  offset: 0,
  print: null,
};

/** Which machine it was, and which life of it. */
export interface SentinelMachine extends Pick<ProcessRef, 'bootId'> {
  readonly initStartTicks: number | null;
}

/** A time of which something is not known. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Waits for one thing, until its latest time. */
export interface Sentinel {
  readonly id: string;
  readonly awaited: Awaited;
  readonly armedAtMs: number;
  readonly untilMs: number;
  /** Null: nobody has looked yet, so what is there by then counts as having been there before. */
  readonly base: SentinelBase | null;
  readonly machine: SentinelMachine | null;
  /** The newest look that could tell; null: none yet. */
  readonly seen: SentinelSeen | null;
  /** Why the newest look could not tell; null: it could. */
  readonly unread: { readonly atMs: number; readonly because: string } | null;
  /** The machine began anew in this time; whatever was to bring about what is waited for may be gone. */
  readonly restarted: (Span & { readonly how: 'reboot' | 'container-restart' }) | null;
  /** A log was replaced or emptied in this time, and what was written to the old one meanwhile cannot be read. */
  readonly gap: Span | null;
}

export type SentinelEnd =
  | 'happened'
  /** It was so when nobody had looked yet. */
  | 'already'
  /** Its latest time came. */
  | 'expired'
  /** The box has another address, so nobody looks at this machine any more. */
  | 'moved';

/** A sentinel that waits no longer. */
export interface OverSentinel {
  readonly id: string;
  readonly awaited: Awaited;
  readonly armedAtMs: number;
  readonly untilMs: number;
  readonly end: SentinelEnd;
  readonly atMs: number;
  /** The last look at which it had not happened; null: there was none. */
  readonly before: SentinelSeen | null;
  /** The look that saw it; null: none did. */
  readonly seen: SentinelSeen | null;
  /** The line that was waited for. Hostile, without secrets. */
  readonly line: string | null;
  /** What else is to be said of how it ended; empty: nothing. */
  readonly because: string;
  /** What could not be ruled out until then. */
  readonly gap: Span | null;
}

/** What the window shows of one box. */
export interface SentinelsState {
  readonly phase: SentinelsPhase;
  /** The newest first. */
  readonly armed: readonly Sentinel[];
  readonly over: readonly OverSentinel[];
  /** The newest look that the box answered; null: none in this session or the one before. */
  readonly lookedAtMs: number | null;
  /** Why the newest look brought nothing; null: it did. It says nothing of what is waited for. */
  readonly failed: {
    readonly atMs: number;
    readonly problem: Problem;
    readonly times: number;
  } | null;
}

export type SentinelsPhase =
  /** The link is not up: nobody looks. */
  | { readonly kind: 'off' }
  /** Nothing is waited for. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'looking'; readonly sinceMs: number }
  | { readonly kind: 'waiting'; readonly nextAtMs: number };

export const NO_SENTINELS: SentinelsState = {
  phase: { kind: 'off' },
  armed: [],
  over: [],
  lookedAtMs: null,
  failed: null,
};
