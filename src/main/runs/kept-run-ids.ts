import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { runId } from '../../shared/runs/launch/run-request-schema.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

const KEY = 'launched-runs-begun';
/** Of one box. An older one is as if this computer knew nothing of it. */
export const MAX_KEPT = 2000;
const ids: z.ZodType<readonly string[]> = z.array(runId).max(MAX_KEPT);

export interface KeptRunIdsOptions {
  readonly entries: Pick<EntriesTable, 'read' | 'write' | 'setAside'>;
  readonly onProblem: (found: Problem) => void;
}

/** Which runs of a box this computer began; of all others, only the box says what they are. */
export class KeptRunIds {
  readonly #options: KeptRunIdsOptions;

  constructor(options: KeptRunIdsOptions) {
    this.#options = options;
  }

  has(boxId: string, id: string): boolean {
    return this.of(boxId).includes(id);
  }

  of(boxId: string): readonly string[] {
    const { entries, onProblem } = this.#options;
    const read = entries.read(boxId, KEY, ids);
    if (read.ok) return read.value ?? [];
    onProblem(read.error);
    entries.setAside(boxId, KEY, Date.now());
    return [];
  }

  add(boxId: string, ...added: readonly string[]): void {
    const before = this.of(boxId);
    const known = new Set(before);
    const fresh = added.filter((id) => !known.has(id));
    if (fresh.length > 0) this.#write(boxId, [...before, ...fresh].slice(-MAX_KEPT));
  }

  #write(boxId: string, next: readonly string[]): void {
    const { entries, onProblem } = this.#options;
    const written = entries.write(boxId, KEY, next, Date.now());
    if (!written.ok) onProblem(written.error);
  }
}
