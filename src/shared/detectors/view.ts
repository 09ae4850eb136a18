import type { Money } from '../money.ts';
import type { LookRuleId, PatrolState } from '../patrol/patrol-state.ts';
import type { Problem } from '../problem.ts';
import type { CpuLook } from '../telemetry/cpu-look.ts';
import type { BoxGpuFacts, GpuDetails, GpuProcess } from '../telemetry/gpu-facts.ts';
import type { TelemetryState } from '../telemetry/telemetry-state.ts';
import type { DetectorId, Judgement } from './finding.ts';
import type { RecentReadings } from './recent-readings.ts';
import type { SettleTimes } from './settle.ts';

/** One GPU at one moment, as the rules see it. */
export interface GpuView {
  readonly index: number;
  readonly uuid: string | null;
  /** The last 30 s; null: there are not enough of them, or they have stopped. */
  readonly recent: RecentReadings | null;
  /** Of the newest look of the slow probe and of the one before; null: none that is fresh. */
  readonly details: GpuDetails | null;
  readonly detailsBefore: GpuDetails | null;
  /** When `details` were taken. */
  readonly detailsAtMs: number | null;
  /** Compute processes on this card; null: not known. */
  readonly processes: readonly GpuProcess[] | null;
  /** The card's own best mean clock under load in this lease (facts/nvidia.md §4: GeForce). */
  readonly bestClockMHz: number | null;
}

/** One box at one moment. What is not known is null; nothing in here is older than its rules may use. */
export interface BoxView {
  readonly atMs: number;
  readonly gpus: readonly GpuView[];
  readonly telemetry: TelemetryState;
  readonly facts: BoxGpuFacts | null;
  /** Why there are no fresh facts. */
  readonly factsProblem: Problem | null;
  /** Cards that this box had since its boot and that the newest look no longer lists. */
  readonly vanished: readonly GpuDetails[];
  /** Addresses of all cards since the boot: other tenants' cards stand in the same kernel log. */
  readonly ownAddresses: ReadonlySet<string>;
  readonly cpu: CpuLook | null;
  /** What the patrols saw; null: nobody patrols. */
  readonly patrol: PatrolState | null;
  readonly pricePerHour: Money | null;
}

interface DetectorBase extends SettleTimes {
  readonly id: DetectorId;
}

export interface GpuDetector extends DetectorBase {
  readonly scope: 'gpu';
  readonly judge: (gpu: GpuView, box: BoxView) => Judgement;
}

export interface BoxDetector extends DetectorBase {
  readonly scope: 'box';
  readonly judge: (box: BoxView) => Judgement;
}

/** A rule over a patrol's look, which was judged with the look: what is said of it here is what the patrol said. */
export interface PatrolDetector {
  readonly id: LookRuleId;
  readonly scope: 'patrol';
  /** A rule over the live readings has the same id, and answers for the box as a whole. */
  readonly isBesideLive: boolean;
}

/** A rule that says of each run for itself what became of it, and whether there are more. */
export interface RunDetector {
  readonly id: DetectorId;
  readonly scope: 'run';
}

export type Detector = GpuDetector | BoxDetector | RunDetector | PatrolDetector;

/** Live rows come once a second; the stream's own restart takes a few. */
export const LIVE_GAP_MS = 15_000;
/** The slow probe looks every 30–60 s; three missed looks are a gap. */
export const SLOW_GAP_MS = 180_000;
