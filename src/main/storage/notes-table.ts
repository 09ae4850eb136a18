import { z } from 'zod';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import { MAX_NOTE_CHARS, type Note } from '../../shared/notes/note.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows } from './rows.ts';
import type { Sql } from './sql.ts';

/** What the person wrote about a box, or (null) about their project. */
export interface NotesTable {
  readonly read: (boxId: string | null) => Result<Note, Problem>;
  readonly put: (
    boxId: string | null,
    note: { readonly text: string; readonly savedAtMs: number },
  ) => Result<null, Problem>;
}

const PROJECT = 'project';

const noteRow = z
  .strictObject({ text: z.string().max(MAX_NOTE_CHARS), saved_at_ms: z.int().min(0) })
  .transform(({ text, saved_at_ms }): Note => ({ text, savedAtMs: saved_at_ms }));

export function notesTable(sql: Sql): NotesTable {
  return {
    read: (boxId) => {
      const read = sql.read('The note could not be read', (connection) =>
        readRows(
          connection.rows(['text', 'saved_at_ms'], 'notes WHERE about = ?', [boxId ?? PROJECT]),
          noteRow,
          'A note',
        ),
      );
      if (!read.ok) return read;
      const [unreadable] = read.value.unreadable;
      if (unreadable !== undefined) return err(unreadable);
      return ok(read.value.rows[0] ?? { text: '', savedAtMs: null });
    },

    put: (boxId, { text, savedAtMs }) => {
      const kept = sql.write('The note was not kept', (connection) =>
        upsert(connection, boxId, text, savedAtMs),
      );
      if (!kept.ok) return kept;
      return kept.value === 'kept' ? ok(null) : noSuchBox();
    },
  };
}

function upsert(
  connection: Connection,
  boxId: string | null,
  text: string,
  savedAtMs: number,
): 'kept' | 'no box' {
  try {
    connection.run(
      `INSERT INTO notes (about, box_id, text, saved_at_ms) VALUES (?, ?, ?, ?)
       ON CONFLICT (about) DO UPDATE SET text = excluded.text, saved_at_ms = excluded.saved_at_ms`,
      [boxId ?? PROJECT, boxId, text, savedAtMs],
    );
    return 'kept';
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'no box';
    throw cause;
  }
}
