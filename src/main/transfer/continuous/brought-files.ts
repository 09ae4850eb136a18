import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../../shared/problem.ts';
import type { ResultFile } from '../../../shared/runs/launch/launched-run.ts';
import { isSameFile, versionOf } from '../../../shared/transfer/file-version.ts';
import { isHere, pulledState } from '../../../shared/transfer/home.ts';
import type { PulledFile, RunProof } from '../../../shared/transfer/pull.ts';
import type { Result } from '../../../shared/result.ts';
import type { EntriesTable } from '../../storage/entries-table.ts';
import type { EvidenceTable } from '../../storage/evidence-table.ts';
import { doInTurns } from '../../streams/in-turns.ts';
import { hasTwin } from '../fetch-file.ts';
import { standsHereNow } from '../local-copy.ts';
import type { FoldersAsked } from '../look-here.ts';
import type { KnownCopy } from '../next-version.ts';
import { readProofInSteps } from '../read-proof.ts';
import { NamingNotes, type Naming, type NotesOf } from './naming-notes.ts';

type OnProblem = (found: Problem) => void;

/** A file as the evidence has it, and where that stands. */
export interface BroughtFile extends KnownCopy {
  readonly proven: PulledFile;
  readonly seq: number;
  readonly atMs: number;
}

/** What the evidence says that pulls of a box's folder brought into a folder here. Read once, and then told of each new pull. */
export class BroughtFiles {
  readonly #from: string;
  readonly #to: string;
  readonly #files = new Map<string, BroughtFile>();
  readonly #notes: NamingNotes;
  readonly #onProblem: (found: Problem) => void;

  private constructor({ from, to }: NotesOf, notes: NamingNotes, onProblem: OnProblem) {
    this.#from = from;
    this.#to = to;
    this.#notes = notes;
    this.#onProblem = onProblem;
  }

  static async read(
    evidence: Pick<EvidenceTable, 'pullsOf'>,
    entries: Pick<EntriesTable, 'read' | 'write'>,
    of: NotesOf,
    onProblem: OnProblem,
  ): Promise<BroughtFiles> {
    const brought = new BroughtFiles(of, new NamingNotes(entries, of, onProblem), onProblem);
    const read = await evidence.pullsOf(of.boxId, async ({ rows, unreadable }) => {
      // What cannot be read proves nothing: its files are brought again, and those that stand here are compared.
      for (const found of unreadable) onProblem(found);
      for (const entry of rows) {
        const proof = await doInTurns(readProofInSteps(entry));
        if (proof.ok) brought.#take(proof.value);
        else onProblem(proof.error);
      }
    });
    if (!read.ok) onProblem(read.error);
    brought.#forget(brought.#files.keys());
    return brought;
  }

  /** What the evidence has. */
  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  copiesOf(path: string): readonly KnownCopy[] {
    const brought = this.#files.get(path);
    return [...(brought === undefined ? [] : [brought]), ...this.#notes.of(path)];
  }

  note(namings: readonly Naming[]): Result<null, Problem> {
    return this.#notes.add(namings);
  }

  add(proof: RunProof): void {
    this.#take(proof);
    this.#forget(proof.report.files.map(({ path }) => path));
  }

  /** Notes of what the evidence has. */
  #forget(paths: Iterable<string>): void {
    const proven = [...paths].flatMap((path) => {
      const sha256 = this.#files.get(path)?.sha256;
      return sha256 === undefined ? [] : [{ path, sha256 }];
    });
    const dropped = this.#notes.drop(proven);
    if (!dropped.ok) this.#onProblem(dropped.error);
  }

  #take({ seq, atMs, report }: RunProof): void {
    if (report.from !== this.#from || report.to !== this.#to) return;
    for (const file of report.files) {
      // What was found unchanged stands as it was proven.
      if (file.provenIn !== undefined) continue;
      const { path, sha256 } = file;
      const state = pulledState(file);
      // Of what has grown a beginning is here.
      if (sha256 === null || !(isHere(state) || state === 'begun')) continue;
      this.#files.set(path, { ...versionOf(file), sha256, proven: file, seq, atMs });
    }
  }

  /** What was proven of a file that has not changed since, neither there nor here; null: it has, or nothing was. */
  unchanged(file: ResultFile, asked: FoldersAsked): PulledFile | null {
    const brought = this.#files.get(file.path);
    if (brought === undefined || pulledState(brought.proven) === 'begun') return null;
    if (!isSameFile(file, brought)) return null;
    const { copyWrittenNs } = brought.proven;
    const { bytes, atMs } = brought;
    const copy = { bytes, atMs, ...(copyWrittenNs !== undefined && { copyWrittenNs }) };
    if (!standsHereNow({ to: this.#to, path: file.path }, copy, asked)) return null;
    // Asked for once more, what its part has left beside it is taken away.
    const place = join(this.#to, ...file.path.split('/'));
    const there = lstatSync(place, { throwIfNoEntry: false });
    if (there === undefined || hasTwin(place, there)) return null;
    return { ...brought.proven, provenIn: brought.seq };
  }
}
