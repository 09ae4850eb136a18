import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import { placesOf } from '../files/run-roots.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { KeptRunIds, MAX_KEPT } from './kept-run-ids.ts';

const KEY = 'launched-runs-seen';
const MAX_PLACE_CHARS = 4096;

/** A run that the box has told of, which is missed once it does not any more. */
export interface SeenRun {
  readonly id: string;
  /** Where it was to leave its results, as it has them; empty: nobody noted it. */
  readonly places: readonly string[];
  /** It was asked for from here, and nobody heard whether it began: a look settles that. */
  readonly isUnheard?: true;
}

/** Of a launch that the box has not said to have begun. */
export type BecameOfLaunch = 'never-began' | 'unheard';

const seenRun = z.strictObject({
  id: runId,
  places: z.array(z.string().max(MAX_PLACE_CHARS)).max(3),
  isUnheard: z.literal(true).exactOptional(),
}) satisfies z.ZodType<SeenRun>;
const bare = runId.transform((id): SeenRun => ({ id, places: [] }));
/** An older Leasehold kept their ids alone. */
const runs: z.ZodType<readonly SeenRun[]> = z.array(z.union([bare, seenRun])).max(MAX_KEPT);

export interface SeenRunsOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  readonly onProblem: (found: Problem) => void;
}

/** Which runs each box has ever told of, or was asked to begin from here. */
export class SeenRuns {
  readonly #options: SeenRunsOptions;
  readonly #begun: KeptRunIds;

  constructor(options: SeenRunsOptions) {
    this.#options = options;
    this.#begun = new KeptRunIds(options);
  }

  /** What cannot be read is a problem, and stays: an empty list would say that nothing ever ran. */
  of(boxId: string): Result<readonly SeenRun[], Problem> {
    const read = this.#options.entries.read(boxId, KEY, runs);
    if (!read.ok) return read;
    // An older Leasehold kept no such list: what was begun from here is all that is known.
    return ok(read.value ?? this.#begun.of(boxId).map((id) => ({ id, places: [] })));
  }

  /**
   * The box is about to be asked to begin it, and is missed from then on: nobody may hear what became of it. Returns how to say that it never began, or
   * that nobody heard: while its launch is under way no look may settle that.
   */
  expect(boxId: string, id: string): (became: BecameOfLaunch) => void {
    const isNew = this.#change(boxId, (known) => {
      if (known.has(id)) return false;
      known.set(id, { id, places: [] });
      return true;
    });
    this.#begun.add(boxId, id);
    return (became) => {
      // By an earlier try it may have begun.
      if (!isNew) return;
      this.#change(boxId, (known) => {
        if (became === 'never-began') return dropUnseen(known, id);
        if (known.get(id)?.places.length !== 0) return false;
        known.set(id, { id, places: [], isUnheard: true });
        return true;
      });
    };
  }

  /** The box has nothing of a launch that nobody heard of, and never will. */
  neverBegan(boxId: string, id: string): void {
    this.#change(boxId, (known) => known.get(id)?.isUnheard === true && known.delete(id));
  }

  add(boxId: string, told: readonly LaunchedRun[]): void {
    this.#change(boxId, (known) => {
      let isNew = false;
      for (const run of told) {
        // One whose launch was cut off may be cleared away.
        if (run.status.kind === 'starting') continue;
        if (run.status.kind === 'never-started') {
          isNew = dropUnseen(known, run.id) || isNew;
          continue;
        }
        const seen = { id: run.id, places: resultPlaces(run) };
        if (JSON.stringify(known.get(run.id)) === JSON.stringify(seen)) continue;
        known.set(run.id, seen);
        isNew = true;
      }
      return isNew;
    });
  }

  /** They were on another machine. */
  clear(boxId: string): void {
    this.#write(boxId, []);
  }

  /** Answers whether it changed anything; where what is kept cannot be read it does not. */
  #change(boxId: string, change: (known: Map<string, SeenRun>) => boolean): boolean {
    const before = this.of(boxId);
    if (!before.ok) {
      this.#options.onProblem(before.error);
      return false;
    }
    const known = new Map(before.value.map((run) => [run.id, run]));
    const isChanged = change(known);
    if (isChanged) this.#write(boxId, [...known.values()].slice(-MAX_KEPT));
    return isChanged;
  }

  #write(boxId: string, next: readonly SeenRun[]): void {
    const { entries, onProblem } = this.#options;
    const written = entries.write(boxId, KEY, next, Date.now());
    if (!written.ok) onProblem(written.error);
  }
}

/** What was seen at work has begun, whatever is said of it now. */
const dropUnseen = (known: Map<string, SeenRun>, id: string): boolean =>
  known.get(id)?.places.length === 0 && known.delete(id);

const resultPlaces = (run: LaunchedRun): readonly string[] =>
  // Of one whose folder does not tell where it worked that is told by itself.
  run.folder === ''
    ? []
    : placesOf(run).flatMap(([holds, written]) =>
        holds === 'run' || written.length > MAX_PLACE_CHARS ? [] : [written],
      );
