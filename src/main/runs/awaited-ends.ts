import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { isOver, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const KEPT_AS = 'launched-runs-awaited';
const MAX_AWAITED = 1000;
const ids: z.ZodType<readonly string[]> = z.array(runId).max(MAX_AWAITED);

export interface AwaitedEndsOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  readonly onProblem: (found: Problem) => void;
}

/**
 * Which runs of a box were seen alive and are not told to be over: each end is news once, also when it came while Leasehold was
 * closed. A run that was over when it was first seen is none.
 */
export class AwaitedEnds {
  readonly #options: AwaitedEndsOptions;
  /** Also of boxes of which nothing is stored. */
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(options: AwaitedEndsOptions) {
    this.#options = options;
  }

  expect(boxId: string, id: string): void {
    this.#keep(boxId, new Set([...this.#of(boxId), id]));
  }

  /** Tells what is over now, and only then forgets it: after a crash in between it is told again. */
  take(boxId: string, runs: readonly LaunchedRun[], tell: (run: LaunchedRun) => void): void {
    const before = this.#of(boxId);
    const live = runs.filter((run) => !isOver(run)).map(({ id }) => id);
    const over = runs.filter((run) => isOver(run) && before.has(run.id));
    for (const run of over) tell(run);
    const next = new Set([...before, ...live]);
    for (const { id } of over) next.delete(id);
    const isSame = next.size === before.size && over.length === 0;
    if (!isSame) this.#keep(boxId, next);
  }

  isAwaiting(boxId: string): boolean {
    return this.#of(boxId).size > 0;
  }

  /** What was awaited was on another machine. */
  moved(boxId: string): void {
    if (this.isAwaiting(boxId)) this.#keep(boxId, new Set());
  }

  #of(boxId: string): ReadonlySet<string> {
    const known = this.#known.get(boxId);
    if (known !== undefined) return known;
    const { entries, onProblem } = this.#options;
    const read = entries.read(boxId, KEPT_AS, ids);
    if (!read.ok) {
      onProblem(read.error);
      entries.setAside(boxId, KEPT_AS, Date.now());
    }
    const found = new Set(read.ok ? (read.value ?? []) : []);
    this.#known.set(boxId, found);
    return found;
  }

  #keep(boxId: string, next: ReadonlySet<string>): void {
    const { entries, onProblem } = this.#options;
    this.#known.set(boxId, next);
    const written = entries.write(boxId, KEPT_AS, [...next].slice(-MAX_AWAITED), Date.now());
    if (!written.ok) onProblem(written.error);
  }
}
