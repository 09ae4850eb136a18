import type { TimerStart, Profile } from '../../shared/profiles/profile.ts';
import type { Ledger } from '../../shared/meter/ledger.ts';
import { upsOf } from '../../shared/runs/checkpoints/box-ups.ts';
import {
  countInterruptions,
  fixedEndOf,
  type Interruptions,
} from '../../shared/runs/checkpoints/interruptions.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { readMemory } from '../patrol/memory-file.ts';

interface Around {
  /** The data folder. */
  readonly folder: string;
  readonly runs: readonly LaunchedRun[];
  /** When these were looked at. */
  readonly atMs: number;
  readonly ledger: Ledger;
  readonly profile: Profile | null;
  /** Sessions of which the person said when they began. */
  readonly starts: Readonly<Partial<Record<TimerStart, number>>>;
}

/** What all that is kept of a box tells of how often it cuts off what runs on it. The box is not asked. */
export async function knownInterruptions(
  boxId: string,
  { folder, runs, atMs, ledger, profile, starts }: Around,
): Promise<Interruptions> {
  const { memory } = await readMemory(folder, boxId);
  return countInterruptions(
    { runs, atMs, ups: upsOf(ledger), gone: memory?.gone ?? [] },
    fixedEndOf(profile, new Set(Object.keys(starts) as TimerStart[])),
  );
}
