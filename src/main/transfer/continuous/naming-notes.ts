import { z } from 'zod';
import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import { sha256 } from '../../storage/sha256.ts';
import type { KnownCopy } from '../next-version.ts';
import { STAMP } from '../read-proof.ts';

/** One entry is written anew with each file that is added to it. */
const FILES_IN_ENTRY = 100;

const copies = z.array(
  z.strictObject({
    bytes: z.int(),
    modifiedAtMs: z.number(),
    stamp: z.string().regex(STAMP).exactOptional(),
    sha256: z.string(),
  }),
);
const kept = z.strictObject({
  from: z.string(),
  to: z.string(),
  files: z.array(z.strictObject({ path: z.string(), copies })),
});

export interface NotesOf {
  readonly boxId: string;
  readonly runId: string;
  readonly from: string;
  readonly to: string;
  /** A person's own, which may come into one folder and then into another; absent: rounds'. */
  readonly isByHand?: true;
}

/** What is about to be named. */
export interface Naming {
  readonly path: string;
  readonly copy: KnownCopy;
  /** What it takes the place of, as `of` or the evidence told it; null: nothing. */
  readonly before: KnownCopy | null;
}

/**
 * What pulls were about to give a name, kept until the evidence has it: one that does not come to its end has named files all the same, and
 * their next versions could not be told from a person's own file.
 */
export class NamingNotes {
  readonly #entries: Pick<EntriesTable, 'read' | 'write'>;
  readonly #of: NotesOf;
  readonly #copies = new Map<string, readonly KnownCopy[]>();
  /** The paths in each entry. */
  readonly #kept: Set<string>[] = [];
  /** In which entry each is. */
  readonly #entryOf = new Map<string, number>();

  constructor(
    entries: Pick<EntriesTable, 'read' | 'write'>,
    of: NotesOf,
    onProblem: (found: Problem) => void,
  ) {
    this.#entries = entries;
    this.#of = of;
    for (;;) {
      const read = entries.read(of.boxId, this.#key(this.#kept.length), kept);
      // A database that cannot be read would answer that for ever.
      if (!read.ok) onProblem(read.error);
      if (!read.ok || read.value === null) return;
      const isOurs = read.value.from === of.from && read.value.to === of.to;
      const files = isOurs ? read.value.files : [];
      for (const { path, copies } of files) {
        this.#copies.set(path, copies);
        this.#entryOf.set(path, this.#kept.length);
      }
      this.#kept.push(new Set(files.map(({ path }) => path)));
    }
  }

  /** At most one of them stands there. */
  of(path: string): readonly KnownCopy[] {
    return this.#copies.get(path) ?? [];
  }

  add(namings: readonly Naming[]): Result<null, Problem> {
    const changed = this.#leave(namings.map(({ path }) => path));
    const last = this.#kept.at(-1);
    const isFull = last === undefined || last.size >= FILES_IN_ENTRY;
    const into = isFull ? new Set<string>() : last;
    if (isFull) this.#kept.push(into);
    for (const { path, copy, before } of namings) {
      into.add(path);
      this.#entryOf.set(path, this.#kept.length - 1);
      // Told by whoever read it before, it need not be the same object.
      const stays = this.of(path).filter((each) => each.sha256 === before?.sha256);
      this.#copies.set(path, [...stays, copy]);
    }
    return this.#write(changed.add(this.#kept.length - 1));
  }

  /** What the evidence has by now. */
  drop(
    proven: readonly { readonly path: string; readonly sha256: string }[],
  ): Result<null, Problem> {
    const paths = proven
      .filter(({ path, sha256 }) => this.of(path).at(-1)?.sha256 === sha256)
      .map(({ path }) => path);
    for (const path of paths) this.#copies.delete(path);
    return this.#write(this.#leave(paths));
  }

  /** Answers which entries they were in. */
  #leave(paths: readonly string[]): Set<number> {
    const changed = new Set<number>();
    for (const path of paths) {
      const no = this.#entryOf.get(path);
      if (no === undefined) continue;
      this.#entryOf.delete(path);
      this.#kept[no]?.delete(path);
      changed.add(no);
    }
    return changed;
  }

  #write(changed: ReadonlySet<number>): Result<null, Problem> {
    const { boxId, from, to } = this.#of;
    for (const no of changed) {
      const files = [...(this.#kept[no] ?? [])].map((path) => ({ path, copies: this.of(path) }));
      const written = this.#entries.write(boxId, this.#key(no), { from, to, files }, Date.now());
      if (!written.ok) return written;
    }
    return ok(null);
  }

  #key(no: number): string {
    const { runId, from, to, isByHand } = this.#of;
    const of = isByHand === true ? `by-hand:${sha256(JSON.stringify([from, to]))}` : runId;
    return `naming:${of}:${String(no)}`;
  }
}
