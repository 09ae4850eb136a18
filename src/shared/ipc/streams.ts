import type { Alert } from '../alerts/alert.ts';
import type { ConfigState } from '../boxes/ssh-config/config-listing.ts';
import type { DemoState } from '../demo/faults.ts';
import type { BoxMeter } from '../meter/box-meter.ts';
import type { BoxChange, BoxClocks, ByBox } from '../streams/meter-stream.ts';
import type { Question, QuestionsDelta } from '../questions/question.ts';
import type { RememberedView } from '../settings/remembered.ts';
import type { Settings } from '../settings/settings.ts';
import type { Notice, ProfilesState } from '../streams/app-streams.ts';
import type { AlertLog } from '../streams/alerts-stream.ts';
import type { FindingsDelta, FindingsState } from '../streams/findings-stream.ts';
import type { FiguresDelta, FiguresWire } from '../streams/figures-stream.ts';
import type { FleetDelta, FleetState } from '../streams/fleet-stream.ts';
import type { GpuFactsState } from '../telemetry/gpu-facts.ts';
import type { TelemetryMark } from '../telemetry/mark.ts';
import type { ReadingsDelta, ReadingsWire } from '../streams/readings-stream.ts';
import type { SentinelsState } from '../sentinels/sentinel.ts';
import type { SparksDelta, SparksState } from '../streams/sparks-stream.ts';
import type { LaunchedRuns, RunLog } from '../runs/launch/launched-run.ts';
import type { EventsByRun } from '../runs/run-events.ts';
import type { RunMetrics, RunMetricsDelta } from '../runs/progress/run-metrics.ts';
import type { QueueDelta, QueueView } from '../runs/queue/queue-view.ts';
import type { SweepDelta, SweepLine, SweepView } from '../runs/sweep/sweep-view.ts';
import type { RunLogDelta } from '../streams/runs-stream.ts';
import type { FileTransfer } from '../files/file-transfer.ts';
import type { RehearsalOutput } from '../runs/request/rehearsal.ts';
import type { BoxBehind } from '../transfer/behind.ts';
import type { ContinuousPull } from '../transfer/continuous/continuous-pull.ts';
import type { PullProgress } from '../transfer/pull.ts';
import type { NamedFolder } from '../transfer/result-root.ts';
import type { PushProgress } from '../transfer/push-progress.ts';
import type { PatrolState } from '../patrol/patrol-state.ts';
import type { WebhookState } from '../webhook/delivery.ts';
import type { TeardownView } from '../teardown/teardown-view.ts';
import type { TunnelsDelta, TunnelsState } from '../streams/tunnels-stream.ts';

/** The streams by name. `key` says which one of several: a box id, or '' where there is only one. */
export interface IpcStreams {
  readonly fleet: { readonly state: FleetState; readonly delta: FleetDelta };
  /** What the cards of every box do, over all of them, with each sample. Open while the fleet page is shown. */
  readonly figures: { readonly state: FiguresWire; readonly delta: FiguresDelta };
  readonly readings: { readonly state: ReadingsWire; readonly delta: ReadingsDelta };
  /** What the slow probe last found, with its time. */
  readonly 'gpu-facts': { readonly state: GpuFactsState; readonly delta: GpuFactsState };
  /** What happened to a box since Leasehold was started: Xids, reboots, lost links, clock jumps. */
  readonly 'gpu-marks': {
    readonly state: readonly TelemetryMark[];
    readonly delta: readonly TelemetryMark[];
  };
  /** What the detectors found on each box, and what they could not look at. */
  readonly findings: { readonly state: FindingsState; readonly delta: FindingsDelta };
  /** What was found on each box and is not over, over time and over restarts. */
  readonly alerts: {
    readonly state: ByBox<readonly Alert[]>;
    readonly delta: BoxChange<readonly Alert[]>;
  };
  /** What is over, of one box. Open while the person looks at its Alerts tab. */
  readonly 'alert-log': { readonly state: AlertLog; readonly delta: AlertLog };
  /** The load of every box over the last hour, a value a minute. */
  readonly sparks: { readonly state: SparksState; readonly delta: SparksDelta };
  /** What runs on a box, as the last patrol saw it, and which runs are gone. */
  readonly patrol: { readonly state: PatrolState; readonly delta: Partial<PatrolState> };
  /** What was launched on a box, as its run folders tell it. */
  readonly 'launched-runs': { readonly state: LaunchedRuns; readonly delta: LaunchedRuns };
  /** What was seen of these on their way, over restarts: checkpoints, and the first error. */
  readonly 'run-events': { readonly state: EventsByRun; readonly delta: EventsByRun };
  /** How far the pushes are that are under way. */
  readonly pulls: { readonly state: ByBox<PullProgress>; readonly delta: BoxChange<PullProgress> };
  /** How far the end of each box has come. */
  readonly teardowns: {
    readonly state: ByBox<TeardownView>;
    readonly delta: BoxChange<TeardownView>;
  };
  /** Runs whose new results come home by themselves. */
  readonly 'continuous-pulls': {
    readonly state: ByBox<readonly ContinuousPull[]>;
    readonly delta: BoxChange<readonly ContinuousPull[]>;
  };
  /** Folders of boxes that a person wants to have home, beside what launched runs leave. */
  readonly 'named-folders': {
    readonly state: ByBox<readonly NamedFolder[]>;
    readonly delta: BoxChange<readonly NamedFolder[]>;
  };
  /** How far this computer is behind each box: results there that were not proven to be here. */
  readonly behind: { readonly state: ByBox<BoxBehind>; readonly delta: BoxChange<BoxBehind> };
  /** How far files are that a person brings here or sends there. */
  readonly 'file-transfers': {
    readonly state: ByBox<FileTransfer>;
    readonly delta: BoxChange<FileTransfer>;
  };
  readonly pushes: { readonly state: ByBox<PushProgress>; readonly delta: BoxChange<PushProgress> };
  /** What a rehearsal prints that runs on this computer for a launch on that box. */
  readonly rehearsals: {
    readonly state: ByBox<RehearsalOutput>;
    readonly delta: BoxChange<RehearsalOutput>;
  };
  /** The end of one run's log; `key` is the box id, a space and the run's id. Read on while somebody looks. */
  readonly 'run-log': { readonly state: RunLog; readonly delta: RunLogDelta };
  /** The cells of the queue that a run goes through; the same key. Looked at while somebody looks. */
  readonly 'run-queue': { readonly state: QueueView; readonly delta: QueueDelta };
  /** The sweeps that this app knows, the newest first. */
  readonly sweeps: { readonly state: readonly SweepLine[]; readonly delta: readonly SweepLine[] };
  /** One sweep over all its boxes; `key` is its id. Looked at while somebody looks. */
  readonly sweep: { readonly state: SweepView; readonly delta: SweepDelta };
  /** What that log says of a training; the same key. Read on while somebody looks. */
  readonly 'run-metrics': { readonly state: RunMetrics; readonly delta: RunMetricsDelta };
  /** What is waited for on a box, what came of it, and when was looked. */
  readonly sentinels: { readonly state: SentinelsState; readonly delta: Partial<SentinelsState> };
  /** What each box costs and has cost. */
  readonly meter: { readonly state: ByBox<BoxMeter>; readonly delta: BoxChange<BoxMeter> };
  /** What will happen to each box, and when. */
  readonly clocks: { readonly state: ByBox<BoxClocks>; readonly delta: BoxChange<BoxClocks> };
  /** Where alarms are posted, and what came of it. */
  readonly webhook: { readonly state: WebhookState; readonly delta: WebhookState };
  /** That the facts of platforms have changed, which `profiles:list` then tells. */
  readonly profiles: { readonly state: ProfilesState; readonly delta: ProfilesState };
  readonly settings: { readonly state: Settings; readonly delta: Settings };
  /** What the window remembers for a person. */
  readonly remembered: { readonly state: RememberedView; readonly delta: RememberedView };
  readonly notices: { readonly state: readonly Notice[]; readonly delta: readonly Notice[] };
  readonly demo: { readonly state: DemoState; readonly delta: DemoState };
  /** The boxes that were logged in to with a password, and that may be offered a key. */
  readonly 'key-offers': { readonly state: readonly string[]; readonly delta: readonly string[] };
  readonly questions: { readonly state: readonly Question[]; readonly delta: QuestionsDelta };
  readonly tunnels: { readonly state: TunnelsState; readonly delta: TunnelsDelta };
  readonly 'ssh-config': { readonly state: ConfigState; readonly delta: ConfigState };
}
export type StreamName = keyof IpcStreams;
