import { MAX_NOTE_CHARS, type Note, type NoteAnswer } from '../../shared/notes/note.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { NotesTable } from '../storage/notes-table.ts';
import { flaggedLines } from './flagged-lines.ts';

interface NotesOptions {
  readonly table: NotesTable;
  readonly redact: (text: string) => string;
  readonly now?: () => number;
}

/** What the person wrote about their boxes and their project. SECURITY: what looks like a secret is flagged and not kept. */
export class Notes {
  readonly #options: NotesOptions;
  readonly #now: () => number;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** `boxId` null: of the project. */
  read(boxId: string | null): Result<Note, Problem> {
    return this.#options.table.read(boxId);
  }

  keep(boxId: string | null, text: string): Result<NoteAnswer, Problem> {
    if (text.length > MAX_NOTE_CHARS) {
      const over = text.length - MAX_NOTE_CHARS;
      return err(problem('bad-input', `The note is ${String(over)} characters too long.`));
    }
    const lines = flaggedLines(text, this.#options.redact);
    if (lines.length > 0) return ok({ kind: 'flagged', lines });
    const savedAtMs = this.#now();
    const kept = this.#options.table.put(boxId, { text, savedAtMs });
    return kept.ok ? ok({ kind: 'kept', savedAtMs }) : kept;
  }
}
