import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { isOver, saidGone, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { isAlive } from '../../shared/runs/launch/run-words.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const AWAITED = 'launched-runs-awaited';
/** Of these: those of which it was told that another machine may run them. */
const TOLD_ELSEWHERE = 'launched-runs-told-elsewhere';
type Kept = typeof AWAITED | typeof TOLD_ELSEWHERE;
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
    this.#keep(boxId, AWAITED, new Set([...this.#of(boxId, AWAITED), id]));
  }

  /**
   * Tells what is over now, and only then forgets it: after a crash in between it is told again. What another machine runs is that one's
   * to tell, unless it was seen alive here: this box is another machine now, as each log-in to a cluster may lead to another of its nodes.
   * That is told once, and the end is awaited still; so it is where a person has said that the machine is gone, which may be wrong.
   */
  take(boxId: string, runs: readonly LaunchedRun[], tell: (run: LaunchedRun) => void): void {
    const before = this.#of(boxId, AWAITED);
    const told = this.#of(boxId, TOLD_ELSEWHERE);
    const live = runs.filter(isAlive).map(({ id }) => id);
    const gone = runs.filter((run) => !isAlive(run) && before.has(run.id));
    const over = gone.filter((run) => isOver(run) && saidGone(run) === null);
    const elsewhere = gone.filter((run) => !isOver(run) && !told.has(run.id));
    for (const run of [...over, ...elsewhere]) tell(run);
    this.#keep(boxId, AWAITED, without(over, [...before, ...live]));
    this.#keep(boxId, TOLD_ELSEWHERE, without(over, [...told, ...elsewhere.map(({ id }) => id)]));
  }

  isAwaiting(boxId: string): boolean {
    return this.#of(boxId, AWAITED).size > 0;
  }

  /** What was awaited was on another machine. */
  moved(boxId: string): void {
    for (const key of [AWAITED, TOLD_ELSEWHERE] as const) this.#keep(boxId, key, new Set());
  }

  #of(boxId: string, key: Kept): ReadonlySet<string> {
    const known = this.#known.get(`${boxId} ${key}`);
    if (known !== undefined) return known;
    const { entries, onProblem } = this.#options;
    const read = entries.read(boxId, key, ids);
    if (!read.ok) {
      onProblem(read.error);
      entries.setAside(boxId, key, Date.now());
    }
    const found = new Set(read.ok ? (read.value ?? []) : []);
    this.#known.set(`${boxId} ${key}`, found);
    return found;
  }

  #keep(boxId: string, key: Kept, next: ReadonlySet<string>): void {
    const before = this.#of(boxId, key);
    if (next.size === before.size && [...next].every((id) => before.has(id))) return;
    const { entries, onProblem } = this.#options;
    this.#known.set(`${boxId} ${key}`, next);
    const written = entries.write(boxId, key, [...next].slice(-MAX_AWAITED), Date.now());
    if (!written.ok) onProblem(written.error);
  }
}

function without(runs: readonly LaunchedRun[], all: readonly string[]): ReadonlySet<string> {
  const left = new Set(all);
  for (const { id } of runs) left.delete(id);
  return left;
}
