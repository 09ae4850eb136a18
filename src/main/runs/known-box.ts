import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { Clock, ClockEntries } from '../../shared/clocks/clock.ts';

import type { Problem } from '../../shared/problem.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { Result } from '../../shared/result.ts';
import type { KnownBox, KnownResults, TellsTo } from '../../shared/runs/launch/known-box.ts';
import type { FindingsState } from '../../shared/streams/findings-stream.ts';
import type { ProfileBook } from '../profiles/profile-book.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { readRehearsals } from './request/rehearsals.ts';
import { runningCharges } from '../meter/running-charges.ts';
import { readMeasured } from '../transfer/measured-pushes.ts';
import { namedRootsOf } from '../transfer/named-folders.ts';
import { proofOfRun } from '../transfer/run-proof.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';

/** Who knows it. */
export interface KnowingOf {
  readonly roster: Pick<BoxRoster, 'entryOf'>;
  readonly profileOf: (platform: string) => Profile | null;
  readonly watchedOn: ProfileBook['watchedOn'];
  readonly factsOf: (boxId: string) => GpuFactsState;
  readonly findings: { readonly state: FindingsState };
  readonly clocks: {
    readonly entriesOf: (boxId: string) => Result<ClockEntries, Problem>;
    readonly clocksOf: (boxId: string) => readonly Clock[];
  };
  readonly entries: Pick<EntriesTable, 'read'>;
  readonly evidence: Pick<EvidenceTable, 'newest'>;
  readonly runsOf: (boxId: string) => KnownBox['runs'];
  readonly tellsTo: () => TellsTo | null;
}

/** What is known of a box without asking it. */
export function knownBox(boxId: string, knowing: KnowingOf): KnownBox {
  const entry = knowing.roster.entryOf(boxId);
  const platform = entry?.box.platform ?? null;
  const telemetry = entry?.telemetry;
  const rehearsals = readRehearsals(knowing.entries);
  const profile = platform === null ? null : knowing.profileOf(platform);
  const { accelerators, traps } = knowing.watchedOn(platform);
  const pushes = readMeasured(knowing.entries, boxId);
  const entries = knowing.clocks.entriesOf(boxId);
  return {
    nowMs: Date.now(),
    platform,
    profile,
    accelerators,
    traps,
    gpus: knowing.factsOf(boxId),
    gpuProblem: telemetry?.kind === 'failed' ? telemetry.problem : null,
    findings: knowing.findings.state.boxes[boxId]?.findings ?? [],
    idleStopAtMs: entries.ok ? (entries.value.times['idle-stop'] ?? null) : null,
    clocks: knowing.clocks.clocksOf(boxId),
    rehearsals: rehearsals.ok ? rehearsals.value : [],
    runs: knowing.runsOf(boxId),
    results: knownResults(boxId, knowing),
    pushes: pushes.ok ? pushes.value : null,
    charges: runningCharges(knowing.entries, boxId, profile),
    tellsTo: knowing.tellsTo(),
  };
}

/** What is kept on this computer of the results of a box. */
export function knownResults(
  boxId: string,
  { entries, evidence }: Pick<KnowingOf, 'entries' | 'evidence'>,
): KnownResults {
  return {
    folders: () => namedRootsOf(entries, boxId),
    proof: (runId) => proofOfRun(evidence, boxId, runId),
  };
}
