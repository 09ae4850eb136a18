import type { Clock } from '../../clocks/clock.ts';
import type { Finding } from '../../detectors/finding.ts';
import type { Charge } from '../../meter/interval.ts';
import type { Problem } from '../../problem.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { Result } from '../../result.ts';
import type { GpuFactsState } from '../../telemetry/gpu-facts.ts';
import type { RunProof } from '../../transfer/pull.ts';
import type { ResultRoot } from '../../transfer/result-root.ts';
import type { MeasuredPush } from '../../transfer/push-rate.ts';
import type { LaunchedRun } from './launched-run.ts';

/** The facts of a platform that a launch stands on. */
export type LaunchProfile = Pick<
  Profile,
  'name' | 'storage' | 'watched' | 'looks' | 'clocks' | 'overrides' | 'needsChinaMirror'
>;

export type KnownFinding = Pick<
  Finding,
  'detector' | 'severity' | 'headline' | 'lastSeenMs' | 'notSeenBecause'
>;

/** A rehearsal of a request that passed on this computer. */
export interface Rehearsal {
  /** The SHA-256 of the code, as of a push. */
  readonly tree: string;
  readonly command: string;
  readonly atMs: number;
}

/** What is known of a box before a launch asks it anything. */
export interface KnownBox {
  readonly nowMs: number;
  /** As its profile is called; null: nobody said whose it is. */
  readonly platform: string | null;
  readonly profile: LaunchProfile | null;
  /** Hosts of the proxies that are there for single downloads, of all platforms where nobody said whose it is. */
  readonly accelerators: readonly string[];
  /** Entries of the catalog that are about its platform alone. */
  readonly traps: readonly string[];
  readonly gpus: GpuFactsState;
  /** Why the GPUs do not answer now; null: they do, or nobody has asked. */
  readonly gpuProblem: Problem | null;
  readonly findings: readonly KnownFinding[];
  /** When the platform stops it if it looks idle, as the person entered it; null: not entered. */
  readonly idleStopAtMs: number | null;
  /** What will happen to it by itself. */
  readonly clocks: readonly Clock[];
  /** What has passed on this computer, of whatever code. */
  readonly rehearsals: readonly Rehearsal[];
  /** What was launched there, as the box was last asked. */
  readonly runs: readonly LaunchedRun[];
  /** What of its results is on this computer. */
  readonly results: KnownResults;
  /** What earlier pushes to it took, the newest first; null: what is kept of them could not be read. */
  readonly pushes: readonly MeasuredPush[] | null;
  /** What is billed while it runs; null: not known. */
  readonly charges: readonly Charge[] | null;
  /** Where a box may post to by itself; null: no address is entered. Absent: who plans cannot know, and arms nothing either. */
  readonly tellsTo?: TellsTo | null;
}

export interface KnownResults {
  /** Folders that a person wants to have home. */
  readonly folders: () => Result<readonly ResultRoot[], Problem>;
  /** What was proven of a run when its results were last brought home; null: they never were. */
  readonly proof: (runId: string) => Promise<Result<RunProof | null, Problem>>;
}

/** SECURITY: of the address only its host. */
export interface TellsTo {
  readonly via: 'webhook' | 'own';
  readonly host: string;
  /** As seen from the box it is the box, and not this computer. */
  readonly isBoxItself: boolean;
}
