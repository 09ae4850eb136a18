import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const KEPT_AS = 'launched-runs-begun';
/** Of one box. An older one is told like a run of another computer. */
const MAX_BEGUN = 2000;
const ids: z.ZodType<readonly string[]> = z.array(runId).max(MAX_BEGUN);

export interface BegunRunsOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  readonly onProblem: (found: Problem) => void;
}

/** Which runs of a box this computer began: of all others, only the box says what they are. */
export class BegunRuns {
  readonly #options: BegunRunsOptions;

  constructor(options: BegunRunsOptions) {
    this.#options = options;
  }

  has(boxId: string, id: string): boolean {
    return this.#of(boxId).includes(id);
  }

  add(boxId: string, id: string): void {
    const before = this.#of(boxId);
    if (before.includes(id)) return;
    const { entries, onProblem } = this.#options;
    const next = [...before, id].slice(-MAX_BEGUN);
    const written = entries.write(boxId, KEPT_AS, next, Date.now());
    if (!written.ok) onProblem(written.error);
  }

  #of(boxId: string): readonly string[] {
    const { entries, onProblem } = this.#options;
    const read = entries.read(boxId, KEPT_AS, ids);
    if (read.ok) return read.value ?? [];
    onProblem(read.error);
    entries.setAside(boxId, KEPT_AS, Date.now());
    return [];
  }
}
