import type { RunRequest } from '../launch/run-request.ts';
import type { CellSource } from '../sweep/make-cells.ts';
import type { SweepDraft } from '../sweep/sweep-plan.ts';
import type { SweepBase } from '../sweep/sweep-roster.ts';

/** What a request file says of a sweep beside what its cells share. */
export interface WantedSweep {
  readonly source: CellSource;
  /** Of the folder of each cell. */
  readonly pattern: string;
  /** Names of boxes, as this computer's list has them; null: whoever launches it chooses. */
  readonly boxes: readonly string[] | null;
}

/** What every cell of a sweep begins with. */
export function sweepBaseOf(request: RunRequest): SweepBase {
  const { name: _, command: _c, results: _r, successLine: _s, push: _p, ...base } = request;
  return base;
}

/** `request`: what the cells share; its command is nobody's. */
export function draftOf(
  request: RunRequest,
  { source, pattern }: Pick<WantedSweep, 'source' | 'pattern'>,
): SweepDraft {
  const { name, push } = request;
  return {
    ...{ name, base: sweepBaseOf(request), source, pattern },
    ...(push === undefined ? {} : { push }),
  };
}
