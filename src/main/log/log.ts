import type { Problem } from '../../shared/problem.ts';
import { cleanFields, cleanText, type Fields } from './fields.ts';
import { formatLine, type LogLevel } from './line.ts';
import { openLogFile } from './log-file.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { Repeats } from './repeats.ts';

export interface Log {
  readonly debug: (message: string, fields?: Fields) => void;
  readonly info: (message: string, fields?: Fields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
  /** For a process that is about to end: on the disk, not just in the system's cache, when it returns. */
  readonly fatal: (message: string, fields?: Fields) => void;
  /** The same log, with the name of a part in front of each message. */
  readonly child: (scope: string) => Log;
}

export interface RootLog extends Log {
  readonly file: string;
  /** Values registered here are kept out of every line from then on. */
  readonly redactor: Redactor;
}

export interface LogOptions {
  readonly folder: string;
  /** Entries below it are not written. */
  readonly level: LogLevel;
  /** The file's name without its ending. Each kind of process has its own: `leasehold`, `cli`. */
  readonly name?: string;
  readonly onWriteFailure: (problem: Problem) => void;
  readonly redactor?: Redactor;
  readonly now?: () => number;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'fatal'];

/** About 50,000 entries in all, so a week of ordinary days, in a size that can still be sent to somebody. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 5;

/** A flood is told this often while it lasts, with the kinds that had most of it. */
const TELL_LEFT_OUT_AFTER_MS = 10 * 60_000;
const MAX_KINDS_TOLD = 10;

const NO_FIELDS: Fields = {};

/** The log of this process. Entries are redacted and escaped on their way in, so the file can be shown and sent. */
export function createLog(options: LogOptions): RootLog {
  const { folder, level, name = 'leasehold', now = Date.now } = options;
  const redactor = options.redactor ?? createRedactor();
  const lowest = LEVELS.indexOf(level);
  const file = openLogFile({
    folder,
    name,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    maxFiles: options.maxFiles ?? MAX_FILES,
    lostLine: (count) =>
      formatLine({
        atMs: now(),
        level: 'warn',
        scope: 'log',
        message: `${count} entries before this one could not be written`,
        fields: NO_FIELDS,
      }),
    onFailure: options.onWriteFailure,
  });

  // What a box can cause without end are warnings: they take no room from errors.
  const errors = new Repeats();
  const others = new Repeats();
  let telling: NodeJS.Timeout | undefined;
  const tellLeftOut = (): void => {
    clearTimeout(telling);
    telling = undefined;
    process.off('exit', tellLeftOut);
    const leftOut = [...errors.takeLeftOut(), ...others.takeLeftOut()];
    const count = leftOut.reduce((sum, [, each]) => sum + each, 0);
    if (count === 0) return;
    const most = leftOut.sort(([, a], [, b]) => b - a).slice(0, MAX_KINDS_TOLD);
    const line = formatLine({
      atMs: now(),
      level: 'warn',
      scope: 'log',
      message: 'entries were left out, because there were too many of their kind',
      fields: cleanFields(
        { count, kinds: most.map(([kind, each]) => `${String(each)} × ${kind}`) },
        redactor,
      ),
    });
    file.append(line);
  };
  const tellLeftOutLater = (): void => {
    if (telling !== undefined) return;
    telling = setTimeout(tellLeftOut, TELL_LEFT_OUT_AFTER_MS).unref();
    process.once('exit', tellLeftOut);
  };
  const write = (entryLevel: LogLevel, scope: string, message: string, fields: Fields): void => {
    if (LEVELS.indexOf(entryLevel) < lowest) return;
    const atMs = now();
    const repeats = entryLevel === 'error' ? errors : others;
    const leftOut = entryLevel === 'fatal' ? 0 : repeats.take(`${scope} ${message}`, atMs);
    if (leftOut === null) return tellLeftOutLater();
    const line = formatLine({
      atMs,
      level: entryLevel,
      scope,
      message: cleanText(message, redactor),
      fields: cleanFields(leftOut === 0 ? fields : { ...fields, leftOutBefore: leftOut }, redactor),
    });
    file.append(line, { flush: entryLevel === 'fatal' });
  };

  const scoped = (scope: string): Log => ({
    debug: (message, fields = NO_FIELDS) => write('debug', scope, message, fields),
    info: (message, fields = NO_FIELDS) => write('info', scope, message, fields),
    warn: (message, fields = NO_FIELDS) => write('warn', scope, message, fields),
    error: (message, fields = NO_FIELDS) => write('error', scope, message, fields),
    fatal: (message, fields = NO_FIELDS) => write('fatal', scope, message, fields),
    child: (part) => scoped(`${scope}/${cleanText(part, redactor, MAX_SCOPE)}`),
  });
  return { ...scoped('app'), file: file.path, redactor };
}

const MAX_SCOPE = 100;
