import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  chainText,
  ChainCheck,
  evidenceKinds,
  FIRST_PREVIOUS,
  type EvidenceCheck,
  type EvidenceEntry,
} from '../../shared/evidence/chain.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connection } from './connection.ts';
import {
  NO_ENTRY,
  NO_HEAD,
  type EvidenceHead,
  type HeadNote,
  type NotedHead,
} from './evidence-head.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';
import { sha256 } from './sha256.ts';

/** The append-only record. A write waits for the disk, and nothing here changes or removes a line. */
export interface EvidenceTable {
  readonly append: (
    entry: Pick<EvidenceEntry, 'atMs' | 'kind' | 'boxId' | 'about' | 'body'>,
    /** Only while the newest of its kind about the same has this number, 0 where there is none: another Leasehold may have written meanwhile. */
    behind?: number,
  ) => Result<EvidenceEntry, Problem>;
  /** The newest of a kind about something; empty: there is none. */
  readonly newest: (
    of: Pick<EvidenceEntry, 'kind' | 'boxId' | 'about'>,
  ) => Result<Listing<EvidenceEntry>, Problem>;
  /** All of a kind of which there are few, the oldest first. */
  readonly ofKind: (kind: 'teardown') => Result<Listing<EvidenceEntry>, Problem>;
  /** What anything was brought home of from a box behind this entry, by what the pulls are about. */
  readonly pulledOf: (boxId: string, behind: number) => Result<readonly string[], Problem>;
  /** What every pull of a box found, the oldest first: a slice at a time too. */
  readonly pullsOf: (
    boxId: string,
    take: (slice: Listing<EvidenceEntry>) => Promise<void>,
  ) => Promise<Result<null, Problem>>;
  /** Every entry in its order, and whether each is what was written: a slice at a time, between which others are served. */
  readonly all: () => Promise<Result<AllEvidence, Problem>>;
  readonly check: () => Promise<Result<EvidenceCheck, Problem>>;
  /** What is noted beside the database of how far it had come. */
  readonly noted: () => Result<NotedHead, Problem>;
}

export interface AllEvidence extends Listing<EvidenceEntry> {
  /** `end-unknown`: how far it had come cannot be read, and `unreadable` says why. */
  readonly check: EvidenceCheck;
}

/** Of one slice, in which nothing else of main moves: shorter than a frame. */
const SLICE_MS = 8;
const FIRST_SLICE = 16;
const MOST_IN_SLICE = 1024;

const COLUMNS = ['seq', 'at_ms', 'kind', 'box_id', 'about', 'body', 'previous', 'hash'] as const;

/** By the column: `seq` alone is what `rows` makes of it, for which SQLite would sort the whole table each time. */
const IN_ORDER = 'ORDER BY evidence.seq';

const NEWEST = `WHERE box_id = ? AND about = ? AND kind = ? ${IN_ORDER} DESC LIMIT 1`;
const NOT_READ = 'The evidence could not be read';
const MOVED = 'Another Leasehold has written about this box meanwhile. Nothing was done.';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const evidenceRow = z
  .strictObject({
    seq: z.int().min(1),
    at_ms: z.int(),
    kind: z.enum(evidenceKinds),
    box_id: z.string(),
    about: z.string(),
    body: z.string(),
    previous: hash,
    hash,
  })
  .transform(({ at_ms, box_id, ...row }): EvidenceEntry => ({
    ...row,
    atMs: at_ms,
    boxId: box_id,
  }));

export function evidenceTable(sql: Sql, head: HeadNote = NO_HEAD): EvidenceTable {
  /** The first entry that could not be noted beside the database; null: each is. */
  let unnoted: EvidenceHead | null = null;
  /** What tells this chain from that of any other database: the hash of its first entry; null: it has none. */
  const chainOf = (): Result<string | null, Problem> => {
    const found = sql.read(NOT_READ, (connection) =>
      connection.rows(['hash'], `evidence ${IN_ORDER} LIMIT 1`),
    );
    if (!found.ok) return found;
    const first = found.value[0]?.['hash'];
    return ok(typeof first === 'string' ? first : null);
  };
  /** SECURITY: the first entry of what may be an older copy, from before its first, does not make that whole. A note that this very chain does not have stays: it says that the chain was cut off, whatever is added to it since. */
  const noteHead = ({ seq, hash }: EvidenceHead): Result<null, Problem> => {
    const chain = chainOf();
    if (!chain.ok) return chain;
    const before = head.read(chain.value);
    if (!before.ok) return before;
    // Nothing takes an entry away: a table without one was made anew meanwhile.
    if (chain.value === null) return ok(null);
    const { own, isNamed, hasOthers, isAnew } = before.value;
    if (own === null) {
      const isOlder = seq === 1 && hasOthers && !isAnew;
      return head.write(chain.value, isOlder ? NO_ENTRY : { seq, hash });
    }
    // Another Leasehold has noted a later one meanwhile.
    const isLater = own.seq >= seq;
    if (isLater && isNamed) return ok(null);
    const isOfThis = has(own);
    if (!isOfThis.ok) return isOfThis;
    return isOfThis.value ? head.write(chain.value, isLater ? own : { seq, hash }) : ok(null);
  };
  const has = ({ seq, hash }: EvidenceHead): Result<boolean, Problem> => {
    const found = sql.read(NOT_READ, (connection) =>
      connection.rows(['hash'], 'evidence WHERE seq = ?', [seq]),
    );
    return found.ok ? ok(found.value[0]?.['hash'] === hash) : found;
  };
  /** How far it had come, once what could not be noted before is noted. */
  const noted = (): Result<NotedHead, Problem> => {
    if (unnoted !== null) {
      const late = noteHead(unnoted);
      if (!late.ok) return late;
      unnoted = null;
    }
    const chain = chainOf();
    return chain.ok ? head.read(chain.value) : chain;
  };
  /** The newest entry of a record that is what was written, where the app that added it ended before it was noted. */
  const noteLate = ({ own, hasOthers, isAnew }: NotedHead): Result<null, Problem> => {
    // It came from elsewhere, and is noted with its next entry.
    if (own === null && hasOthers && !isAnew) return ok(null);
    const found = sql.read(NOT_READ, (connection) =>
      connection.rows(['seq', 'hash'], `evidence ${IN_ORDER} DESC LIMIT 1`),
    );
    if (!found.ok) return found;
    const { seq, hash } = found.value[0] ?? {};
    return typeof seq === 'number' && typeof hash === 'string' ? noteHead({ seq, hash }) : ok(null);
  };
  const read = (connection: Connection, from: string, values: readonly (string | number)[] = []) =>
    readRows(
      connection.rows(COLUMNS, `evidence ${from}`, values),
      evidenceRow,
      'An evidence entry',
    );
  /** `of`: which entries, and the values in it. */
  const inSlices = async (
    [of, ...values]: readonly [string, ...string[]],
    take: (slice: Listing<EvidenceEntry>) => void | Promise<void>,
  ): Promise<Result<null, Problem>> => {
    let [behind, most] = [0, FIRST_SLICE];
    for (;;) {
      const beganMs = performance.now();
      const from = `WHERE ${of} AND seq > ? ${IN_ORDER} LIMIT ?`;
      const slice = sql.read(NOT_READ, (connection) => {
        const numbers = `(SELECT seq FROM evidence ${from}) ORDER BY seq DESC LIMIT 1`;
        // Also of an entry that cannot be read: the walk goes on behind it.
        const [last] = connection.rows(['seq'], numbers, [...values, behind, most]);
        return {
          ...read(connection, from, [...values, behind, most]),
          last: last?.['seq'] ?? null,
        };
      });
      if (!slice.ok) return slice;
      const { last } = slice.value;
      const taken = take(slice.value);
      const tookMs = performance.now() - beganMs;
      await taken;
      if (typeof last !== 'number') return ok(null);
      behind = last;
      // Entries are as long as what they are about has files.
      if (tookMs > SLICE_MS) most = Math.max(1, Math.floor(most / 2));
      else if (tookMs < SLICE_MS / 2) most = Math.min(MOST_IN_SLICE, most * 2);
      await setImmediate();
    }
  };
  const walk = async (
    noted: NotedHead | null,
    take: (slice: Listing<EvidenceEntry>) => void,
  ): Promise<Result<EvidenceCheck, Problem>> => {
    const chain = new ChainCheck(sha256, noted?.own ?? null);
    let [readable, unreadable] = [0, 0];
    const walked = await inSlices(['TRUE'], (slice) => {
      for (const entry of slice.rows) chain.take(entry);
      readable += slice.rows.length;
      unreadable += slice.unreadable.length;
      take(slice);
    });
    if (!walked.ok) return walked;
    const count = readable + unreadable;
    if (chain.fault === null && unreadable > 0) {
      return ok({ count, fault: { seq: readable + 1, because: 'changed' } });
    }
    const isOlder = count === 0 && noted?.hasOthers === true && !noted.isAnew;
    return ok({
      count,
      fault: chain.end(count) ?? (isOlder ? { seq: 1, because: 'empty' } : null),
    });
  };
  return {
    append: ({ atMs, kind, boxId, about, body }, behind) => {
      const kept = sql.alone('The evidence was not kept', (connection) => {
        if (behind !== undefined) {
          const [newest] = connection.rows(['seq'], `evidence ${NEWEST}`, [boxId, about, kind]);
          if (Number(newest?.['seq'] ?? 0) !== behind) return null;
        }
        const [last] = connection.rows(['seq', 'hash'], `evidence ${IN_ORDER} DESC LIMIT 1`);
        const bare = {
          seq: Number(last?.['seq'] ?? 0) + 1,
          ...{ atMs, kind, boxId, about, body },
          previous: typeof last?.['hash'] === 'string' ? last['hash'] : FIRST_PREVIOUS,
        };
        const entry = { ...bare, hash: sha256(chainText(bare)) };
        connection.run(
          `INSERT INTO evidence (${COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          [entry.seq, atMs, kind, boxId, about, body, entry.previous, entry.hash],
        );
        return entry;
      });
      if (!kept.ok) return kept;
      if (kept.value === null) return err(problem('teardown-refused', MOVED));
      if (!noteHead(kept.value).ok) unnoted ??= kept.value;
      return ok(kept.value);
    },

    newest: ({ kind, boxId, about }) =>
      sql.read(NOT_READ, (connection) => read(connection, NEWEST, [boxId, about, kind])),

    ofKind: (kind) =>
      sql.read(NOT_READ, (connection) => read(connection, `WHERE kind = ? ${IN_ORDER}`, [kind])),

    pulledOf: (boxId, behind) =>
      sql.read(NOT_READ, (connection) =>
        connection
          .rows(
            ['about'],
            `evidence WHERE box_id = ? AND kind = 'pull' AND seq > ? GROUP BY about`,
            [boxId, behind],
          )
          .map(({ about }) => String(about)),
      ),

    pullsOf: (boxId, take) => inSlices([`box_id = ? AND kind = 'pull'`, boxId], take),

    all: async () => {
      const rows: EvidenceEntry[] = [];
      const unreadable: Problem[] = [];
      const upTo = noted();
      const check = await walk(upTo.ok ? upTo.value : null, (slice) => {
        rows.push(...slice.rows);
        unreadable.push(...slice.unreadable);
      });
      if (!check.ok) return check;
      const { count, fault } = check.value;
      const late = upTo.ok && fault === null ? noteLate(upTo.value) : upTo;
      if (late.ok) return ok({ rows, unreadable, check: check.value });
      return ok({
        ...{ rows, unreadable: [...unreadable, late.error] },
        check: { count, fault: fault ?? { seq: count + 1, because: 'end-unknown' } },
      });
    },

    check: async () => {
      const upTo = noted();
      if (!upTo.ok) return upTo;
      const check = await walk(upTo.value, () => undefined);
      if (!check.ok || check.value.fault !== null) return check;
      const late = noteLate(upTo.value);
      return late.ok ? check : late;
    },

    noted,
  };
}
