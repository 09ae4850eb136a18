import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { errnoOf, fileProblem } from './file-problem.ts';
import { OWNER_ONLY_FILE } from './folder.ts';
import { readOwnTextNow } from './own-text.ts';

/** Behind the name of the database. It is moved aside with that, and a backup of the whole data folder has both. */
export const HEAD = '-evidence';

/** One entry of the evidence that was on the disk. */
export interface EvidenceHead {
  readonly seq: number;
  readonly hash: string;
}

/**
 * How far the evidence had come, noted beside the database: an older copy of that is a chain without a fault, and only what is not in it can tell
 * that its end is missing.
 */
export interface HeadNote {
  /** Null: none was noted yet. */
  readonly read: () => Result<EvidenceHead | null, Problem>;
  readonly write: (head: EvidenceHead) => Result<null, Problem>;
}

/** Of a database of this session only. */
export const NO_HEAD: HeadNote = { read: () => ok(null), write: () => ok(null) };

const LINE = /^(\d{1,15}) ([0-9a-f]{64})\n$/;

export function headNote(database: string): HeadNote {
  const file = `${database}${HEAD}`;
  const toProblem = (cause: unknown): Problem =>
    fileProblem(cause, {
      ...{ failed: 'How far the evidence had come is not known', file },
      otherwise: 'database-unavailable',
    });
  return {
    read: () => {
      try {
        const [, seq, hash] = LINE.exec(readOwnTextNow(file, 1000)) ?? [];
        // What a power cut left of it says nothing, and the next entry writes it anew.
        return ok(seq === undefined || hash === undefined ? null : { seq: Number(seq), hash });
      } catch (cause) {
        return errnoOf(cause) === 'ENOENT' ? ok(null) : err(toProblem(cause));
      }
    },
    write: ({ seq, hash }) => {
      const unfinished = `${file}.tmp-${String(process.pid)}`;
      try {
        const fd = openSync(unfinished, 'w', OWNER_ONLY_FILE);
        try {
          writeSync(fd, `${String(seq)} ${hash}\n`);
          fsyncSync(fd);
        } finally {
          closeSync(fd);
        }
        renameSync(unfinished, file);
        return ok(null);
      } catch (cause) {
        rmSync(unfinished, { force: true });
        return err(toProblem(cause));
      }
    },
  };
}
