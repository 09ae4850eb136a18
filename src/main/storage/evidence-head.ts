import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { FIRST_PREVIOUS } from '../../shared/evidence/chain.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { errnoOf, fileProblem } from './file-problem.ts';
import { OWNER_ONLY_FILE } from './folder.ts';
import { readOwnTextNow } from './own-text.ts';

/** Behind the name of the database. It stays when that is moved aside, and a backup of the whole data folder has both. */
export const HEAD = '-evidence';

/** One entry of the evidence that was on the disk. */
export interface EvidenceHead {
  readonly seq: number;
  readonly hash: string;
}

/** What is noted of one chain. */
export interface NotedHead {
  /** Null: nothing is. */
  readonly own: EvidenceHead | null;
  /** False: the note names no chain, as the version before wrote it. */
  readonly isNamed: boolean;
  /** There are notes of other databases, which say nothing of this one. */
  readonly hasOthers: boolean;
  /** A database was made anew beside them: that it has no entry yet is no fault. */
  readonly isAnew: boolean;
}

/**
 * How far the evidence had come, noted beside the database: an older copy of that is a chain without a fault, and only what is not in it can tell
 * that its end is missing. A chain is known by the hash of its first entry, so that no database is held against the note of another.
 */
export interface HeadNote {
  /** `chain` null: nothing was ever added to it. */
  readonly read: (chain: string | null) => Result<NotedHead, Problem>;
  readonly write: (chain: string, head: EvidenceHead) => Result<null, Problem>;
  /** Of a database that was made anew. Holds until the next entry. */
  readonly beginAnew: () => Result<null, Problem>;
}

const NOTHING: NotedHead = {
  own: null,
  isNamed: true,
  hasOthers: false,
  isAnew: false,
};

/** Of a database of this session only. */
export const NO_HEAD: HeadNote = {
  read: () => ok(NOTHING),
  write: () => ok(null),
  beginAnew: () => ok(null),
};
/** The entry of no chain. So a chain of which it is noted is known to lack one. */
export const NO_ENTRY: EvidenceHead = { seq: 1, hash: FIRST_PREVIOUS };

/** The chain, and the newest entry of it. */
const LINE = /^([0-9a-f]{64}) (\d{1,15}) ([0-9a-f]{64})$/;
/** All that the version before noted: the newest entry of whichever database lay here. */
const UNNAMED_LINE = /^(\d{1,15}) ([0-9a-f]{64})\n$/;
const UNNAMED = '';
/** The chain of a database that has no entry yet. */
const ANEW = FIRST_PREVIOUS;
/** A new one comes only with a new database. The oldest gives way. */
const MOST_CHAINS = 100;
const MAX_BYTES = MOST_CHAINS * 150;

type Heads = ReadonlyMap<string, EvidenceHead>;

export function headNote(database: string): HeadNote {
  const file = `${database}${HEAD}`;
  const toProblem = (cause: unknown): Problem =>
    fileProblem(cause, {
      ...{ failed: NOT_KNOWN, file },
      otherwise: 'database-unavailable',
    });
  const readAll = (): Result<Heads, Problem> => {
    try {
      const heads = parse(readOwnTextNow(file, MAX_BYTES));
      // Not for a power cut: it was on the disk before it had this name. So whoever left it like this hides how far the record had come.
      return heads === null ? err(damaged(file)) : ok(heads);
    } catch (cause) {
      return errnoOf(cause) === 'ENOENT' ? ok(new Map()) : err(toProblem(cause));
    }
  };
  const writeAll = (
    others: readonly (readonly [string, EvidenceHead])[],
    newest: readonly [string, EvidenceHead],
  ): Result<null, Problem> => {
    const lines = [...others.slice(1 - MOST_CHAINS), newest].map(
      ([of, { seq, hash }]) => `${of} ${String(seq)} ${hash}\n`,
    );
    // What a failure leaves of it is the next one's, or swept at the next start.
    const unfinished = `${file}.tmp-${String(process.pid)}`;
    try {
      const fd = openSync(unfinished, 'w', OWNER_ONLY_FILE);
      try {
        // Unlike one write, all of it or an error.
        writeFileSync(fd, lines.join(''));
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
  };
  return {
    read: (chain) => {
      const heads = readAll();
      if (!heads.ok) return heads;
      const isAnew = heads.value.has(ANEW);
      const named = chain === null ? undefined : heads.value.get(chain);
      const own = named ?? heads.value.get(UNNAMED) ?? null;
      return ok({
        own,
        isNamed: own === null || named !== undefined,
        hasOthers: heads.value.size > (own === null ? 0 : 1) + (isAnew ? 1 : 0),
        isAnew,
      });
    },
    beginAnew: () => {
      const heads = readAll();
      if (!heads.ok) return heads;
      // Beside no other, a database without an entry is held against nothing; where that other has no name, against it.
      if (heads.value.size === 0 || heads.value.has(UNNAMED)) return ok(null);
      return writeAll(
        [...heads.value].filter(([each]) => each !== ANEW),
        [ANEW, NO_ENTRY],
      );
    },
    // Its folder is not flushed: a power cut may bring back the note before it, which is none too high.
    write: (chain, head) => {
      const heads = readAll();
      if (!heads.ok) return heads;
      return writeAll(
        [...heads.value].filter(([each]) => each !== chain && each !== UNNAMED && each !== ANEW),
        [chain, head],
      );
    },
  };
}

/** Null: it is not what Leasehold writes. */
function parse(text: string): Heads | null {
  const [, unnamedSeq, unnamed] = UNNAMED_LINE.exec(text) ?? [];
  if (unnamed !== undefined)
    return new Map([[UNNAMED, { seq: Number(unnamedSeq), hash: unnamed }]]);
  if (!text.endsWith('\n')) return null;
  const lines = text.slice(0, -1).split('\n');
  const heads = new Map<string, EvidenceHead>();
  for (const line of lines) {
    const [, chain, seq, hash] = LINE.exec(line) ?? [];
    if (chain === undefined || seq === undefined || hash === undefined) return null;
    heads.set(chain, { seq: Number(seq), hash });
  }
  return heads.size === lines.length ? heads : null;
}

const NOT_KNOWN = 'How far the evidence had come is not known';

const damaged = (file: string): Problem =>
  problem('database-unavailable', `${NOT_KNOWN}, because its note is damaged (${file}).`, {
    nextStep:
      'Restore it from a backup together with the database, or move it away. Without it, Leasehold cannot tell an older copy of the database from the newest one.',
  });
