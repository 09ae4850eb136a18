import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../storage/folder.ts';

export interface LogFileOptions {
  readonly folder: string;
  /** `leasehold` is kept in leasehold.log, and older parts in leasehold.1.log (the newest of them), .2 … */
  readonly name: string;
  readonly maxBytes: number;
  /** How many files there may be, the current one included. */
  readonly maxFiles: number;
  /** Makes the line that stands where others could not be written. */
  readonly lostLine: (count: number) => string;
  /** Told once: a log that cannot be written must not become a flood of messages either. */
  readonly onFailure: (problem: Problem) => void;
}

export interface LogFile {
  readonly path: string;
  /** Hands the line to the operating system before it returns, so a crash of this process loses nothing. Never throws. */
  readonly append: (line: string, options?: { readonly flush: boolean }) => void;
}

/** Appends to a file, starts a new one when it is full, and keeps a bounded number of old ones. */
export function openLogFile(options: LogFileOptions): LogFile {
  const { folder, name, maxBytes, maxFiles, lostLine, onFailure } = options;
  const path = join(folder, `${name}.log`);
  let lost = 0;
  let isTold = false;
  /** Whether the file may end in a part of a line: before the first write, and after one that failed. */
  let mayBeTorn = true;

  const write = (line: string, flush: boolean): void => {
    const text = lost === 0 ? line : lostLine(lost) + line;
    // Asked every time: another process may write to the same log, or the person may have removed it.
    if (isFull(path, Buffer.byteLength(text), maxBytes)) rotate(folder, name, maxFiles);
    const fd = openAppending(path);
    try {
      writeFileSync(fd, mayBeTorn && endsInPartOfLine(fd) ? `\n${text}` : text);
      if (flush) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  };

  return {
    path,
    append: (line, { flush } = { flush: false }) => {
      try {
        write(line, flush);
        lost = 0;
        mayBeTorn = false;
      } catch (cause) {
        lost += 1;
        mayBeTorn = true;
        if (isTold) return;
        isTold = true;
        const failed = 'The log is not being written';
        const found = fileProblem(cause, { failed, file: path, otherwise: 'folder-read-only' });
        // Later, so that whatever the listener does happens outside the code that only wanted to log.
        queueMicrotask(() => onFailure(found));
      }
    },
  };
}

function isFull(path: string, moreBytes: number, maxBytes: number): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 && size + moreBytes > maxBytes;
}

/** Makes the folder only when it is missing: it is there nearly always, and this runs for every line. */
function openAppending(path: string): number {
  try {
    return openSync(path, 'a+', OWNER_ONLY_FILE);
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause;
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    return openSync(path, 'a+', OWNER_ONLY_FILE);
  }
}

function endsInPartOfLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}

/** leasehold.3.log becomes leasehold.4.log and so on; the last one is overwritten. */
function rotate(folder: string, name: string, maxFiles: number): void {
  const part = (n: number): string => join(folder, n === 0 ? `${name}.log` : `${name}.${n}.log`);
  for (let n = maxFiles - 2; n >= 0; n -= 1) {
    if (statSync(part(n), { throwIfNoEntry: false }) !== undefined)
      renameSync(part(n), part(n + 1));
  }
}
