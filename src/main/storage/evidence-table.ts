import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  chainText,
  checkChain,
  evidenceKinds,
  FIRST_PREVIOUS,
  type EvidenceCheck,
  type EvidenceEntry,
} from '../../shared/evidence/chain.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** The append-only record. A write waits for the disk, and nothing here changes or removes a line. */
export interface EvidenceTable {
  readonly append: (
    entry: Pick<EvidenceEntry, 'atMs' | 'kind' | 'boxId' | 'about' | 'body'>,
  ) => Result<EvidenceEntry, Problem>;
  /** The newest of a kind about something; empty: there is none. */
  readonly newest: (
    of: Pick<EvidenceEntry, 'kind' | 'boxId' | 'about'>,
  ) => Result<Listing<EvidenceEntry>, Problem>;
  /** What every pull of a box found, the oldest first. */
  readonly pullsOf: (boxId: string) => Result<Listing<EvidenceEntry>, Problem>;
  /** Every entry in its order, and whether each is what was written. */
  readonly all: () => Result<AllEvidence, Problem>;
  readonly check: () => Result<EvidenceCheck, Problem>;
}

export interface AllEvidence extends Listing<EvidenceEntry> {
  readonly check: EvidenceCheck;
}

const COLUMNS = ['seq', 'at_ms', 'kind', 'box_id', 'about', 'body', 'previous', 'hash'] as const;

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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function evidenceTable(sql: Sql): EvidenceTable {
  const read = (connection: Connection, from: string, values: readonly string[] = []) =>
    readRows(
      connection.rows(COLUMNS, `evidence ${from}`, values),
      evidenceRow,
      'An evidence entry',
    );
  const all = (): Result<AllEvidence, Problem> =>
    sql.read('The evidence could not be read', (connection) => {
      const listing = read(connection, 'ORDER BY seq');
      return { ...listing, check: checked(listing) };
    });
  return {
    append: ({ atMs, kind, boxId, about, body }) =>
      sql.write('The evidence was not kept', (connection) => {
        const [last] = connection.rows(['seq', 'hash'], 'evidence ORDER BY seq DESC LIMIT 1');
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
      }),

    newest: ({ kind, boxId, about }) =>
      sql.read('The evidence could not be read', (connection) =>
        read(connection, 'WHERE box_id = ? AND about = ? AND kind = ? ORDER BY seq DESC LIMIT 1', [
          boxId,
          about,
          kind,
        ]),
      ),

    pullsOf: (boxId) =>
      sql.read('The evidence could not be read', (connection) =>
        read(connection, "WHERE box_id = ? AND kind = 'pull' ORDER BY seq", [boxId]),
      ),

    all,

    check: () => {
      const read = all();
      return read.ok ? ok(read.value.check) : read;
    },
  };
}

function checked({ rows, unreadable }: Listing<EvidenceEntry>): EvidenceCheck {
  const fault = checkChain(rows, sha256);
  const count = rows.length + unreadable.length;
  if (fault !== null || unreadable.length === 0) return { count, fault };
  return { count, fault: { seq: rows.length + 1, because: 'changed' } };
}
