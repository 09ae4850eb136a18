import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import type { RunCode } from '../../../shared/runs/launch/run-about.ts';
import type { PushRequest } from '../../../shared/runs/launch/run-request.ts';
import { queueCellsOf, requestOfShare } from '../../../shared/runs/sweep/queue-of-share.ts';
import type { SweepRoster, SweepShare } from '../../../shared/runs/sweep/sweep-roster.ts';
import type { SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { makePlan, newRunId, type MakePlanOptions } from '../make-plan.ts';
import type { PlannedLaunch } from '../plan-of.ts';
import type { SweepPart } from '../queue/planned-queue.ts';
import { sha256 } from '../../storage/sha256.ts';

export const newSweepId = (): string => newRunId().replace(/^r/, 's');

/** What each box of one launch is told of the sweep. */
export function sweepPartOf(
  roster: SweepRoster,
  digest: string,
  shares: readonly SweepShare[],
): Pick<SweepPart, 'ref' | 'file'> {
  const told = shares.map(({ run, place, cells }) => ({ run, place, cells }));
  const file: SweepFile = { version: 1, roster, shares: told };
  return { ref: { id: roster.id, digest }, file: JSON.stringify(file) };
}

export interface PlanShareOptions extends Pick<MakePlanOptions, 'scripts' | 'pushes'> {
  readonly known: KnownBox;
  readonly roster: SweepRoster;
  readonly push: PushRequest | null;
  /** By their place in the roster. */
  readonly cells: readonly number[];
  /** Whose program has succeeded there: their results alone are copied; absent: none. */
  readonly copyOnly?: ReadonlySet<number>;
  readonly sweep: Omit<SweepPart, 'folders'>;
}

/** Looks at one box of a sweep and answers everything that its queue would do there. Changes nothing. */
export function planShare(
  connection: SshConnection,
  { scripts, pushes, known, roster, push, cells: places, copyOnly, sweep }: PlanShareOptions,
): Promise<Result<PlannedLaunch, Problem>> {
  const cells = places.flatMap((place) => roster.cells[place] ?? []);
  const ran = new Set([...(copyOnly ?? [])].flatMap((place) => roster.cells[place] ?? []));
  return makePlan(connection, {
    ...{ scripts, pushes, known },
    sweep: { ...sweep, folders: cells.map(({ results }) => results) },
    request: requestOfShare(roster.name, roster.base, cells, push ?? undefined),
    queue: {
      cells: queueCellsOf(cells, roster.base.copy !== undefined, ran),
      ...{ stopsAtFailure: false, startsAgain: false },
    },
  });
}

/** What a first launch pushes, the same to every box; null: nothing. */
export function codeOf(planned: readonly (PlannedLaunch | null)[]): RunCode | null {
  const [shown] = planned.flatMap((each) => each?.push?.shown ?? []);
  if (shown === undefined) return null;
  const { tree, commit, isDirty } = shown;
  return { tree, commit, isDirty };
}

/** The queue of a sweep on one box, where asking for the sweep twice must ask for the same run: of the time in its id, and of both ids. */
export function runOfSweep(sweepId: string, boxId: string): string {
  const nonce = sha256(`${sweepId} ${boxId}`).slice(0, 8);
  return sweepId.replace(/^s-/, 'r-').replace(/[0-9a-f]{8}$/, nonce);
}
