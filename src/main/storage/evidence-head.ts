import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { problem, type Problem } from '../../shared/problem.ts';
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
      ...{ failed: NOT_KNOWN, file },
      otherwise: 'database-unavailable',
    });
  return {
    read: () => {
      try {
        const [, seq, hash] = LINE.exec(readOwnTextNow(file, 1000)) ?? [];
        // Not for a power cut: it was on the disk before it had this name. So whoever left it like this hides how far the record had come.
        if (seq === undefined || hash === undefined) return err(damaged(file));
        return ok({ seq: Number(seq), hash });
      } catch (cause) {
        return errnoOf(cause) === 'ENOENT' ? ok(null) : err(toProblem(cause));
      }
    },
    // Its folder is not flushed: a power cut may bring back the note before it, which is none too high.
    write: ({ seq, hash }) => {
      // What a failure leaves of it is the next one's, or swept at the next start.
      const unfinished = `${file}.tmp-${String(process.pid)}`;
      try {
        const fd = openSync(unfinished, 'w', OWNER_ONLY_FILE);
        try {
          // Unlike one write, all of it or an error.
          writeFileSync(fd, `${String(seq)} ${hash}\n`);
          fsyncSync(fd);
        } finally {
          closeSync(fd);
        }
        // Refused for a moment by virus scanners on Windows: the next check of the record tries again.
        renameSync(unfinished, file);
        return ok(null);
      } catch (cause) {
        return err(toProblem(cause));
      }
    },
  };
}

const NOT_KNOWN = 'How far the evidence had come is not known';

const damaged = (file: string): Problem =>
  problem('database-unavailable', `${NOT_KNOWN}, because its note is damaged (${file}).`, {
    nextStep:
      'Restore it from a backup together with the database, or move it away. Without it, Leasehold cannot tell an older copy of the database from the newest one.',
  });
