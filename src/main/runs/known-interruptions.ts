import { NOTHING_TOLD, type ClockEntries } from '../../shared/clocks/clock.ts';
import type { TimerStart, Profile } from '../../shared/profiles/profile.ts';
import type { Ledger } from '../../shared/meter/ledger.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { upsOf } from '../../shared/runs/checkpoints/box-ups.ts';
import {
  countInterruptions,
  fixedEndOf,
  type Interruptions,
} from '../../shared/runs/checkpoints/interruptions.ts';
import { platformTimersOf, type EndClues } from '../../shared/runs/checkpoints/platform-ends.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { readMemory } from '../patrol/memory-file.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { TeardownRecords } from '../teardown/teardown-records.ts';

interface Around {
  /** The data folder. */
  readonly folder: string;
  readonly runs: readonly LaunchedRun[];
  /** When these were looked at. */
  readonly atMs: number;
  readonly ledger: Ledger;
  readonly profile: Profile | null;
  /** What the person said of its times; null: nothing that can be read. */
  readonly told: ClockEntries | null;
  readonly evidence: Pick<EvidenceTable, 'append' | 'newest' | 'ofKind'>;
}

/** What all that is kept of a box tells of how often it cuts off what runs on it. The box is not asked. */
export async function knownInterruptions(
  boxId: string,
  { folder, runs, atMs, ledger, profile, told, evidence }: Around,
): Promise<Result<Interruptions, Problem>> {
  const { memory } = await readMemory(folder, boxId);
  const ended = new TeardownRecords(evidence).newest(boxId);
  if (!ended.ok) return ended;
  const entries = told ?? NOTHING_TOLD;
  const ends: EndClues = {
    timers: platformTimersOf(profile, entries),
    isSpot: entries.isSpot === true,
    ranAtMs: memory !== null && memory.runs.length > 0 ? memory.atMs : null,
    endedHereMs: ended.value?.atMs ?? null,
  };
  return ok(
    countInterruptions(
      { runs, atMs, ups: upsOf(ledger), gone: memory?.gone ?? [], ends },
      fixedEndOf(profile, new Set(Object.keys(entries.starts) as TimerStart[])),
    ),
  );
}
