import type { LinkState } from '../../shared/boxes/box.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { gpuFactsStream, gpuMarksStream } from '../../shared/streams/gpu-facts-stream.ts';
import {
  emptyReadings,
  readingsStream,
  readingsToWire,
  type ReadingsCycle,
  type ReadingsDelta,
  type ReadingsState,
} from '../../shared/streams/readings-stream.ts';
import {
  NO_GPU_FACTS,
  type BoxGpuFacts,
  type GpuDetails,
  type GpuFacts,
  type GpuFactsState,
} from '../../shared/telemetry/gpu-facts.ts';
import { compareCpu, type CpuCounters } from '../../shared/telemetry/cpu-look.ts';
import { compareLooks, judgeRestart, withoutCards } from '../../shared/telemetry/machine-marks.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Log } from '../log/log.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { BoxHistory, KnownCard } from './box-history.ts';
import { watchGpus, type FactsLook } from './gpu-watch.ts';
import { isSameMark, KernelMarks } from './kernel-marks.ts';
import { LocalClock } from './local-clock.ts';
import type { RefusalMemory } from './refusal-memory.ts';

export interface BoxTelemetryOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly history: BoxHistory;
  readonly scripts: OnboxScripts;
  readonly refusals: RefusalMemory;
  readonly log: Log;
  readonly onReadings: (cycle: ReadingsCycle) => void;
  readonly onFacts: (state: GpuFactsState) => void;
  readonly onChange: (part: Partial<Pick<FleetEntry, 'telemetry' | 'gpus'>>) => void;
}

const NO_CARD: KnownCard = { uuid: null, name: null };

/** What is known of one box's GPUs over time, across its links. */
export class BoxTelemetry {
  readonly #options: BoxTelemetryOptions;
  readonly #readings: Topic<ReadingsState, ReadingsDelta>;
  readonly #facts: Topic<GpuFactsState, GpuFactsState>;
  readonly #marks: Topic<readonly TelemetryMark[], readonly TelemetryMark[]>;
  readonly #kernelMarks: KernelMarks;
  readonly #clock = new LocalClock({ now: Date.now, monotonic: () => performance.now() });
  /** Of the last look that named cards, whichever link it came over. */
  #look: BoxGpuFacts | null = null;
  /** Its cards by their index, which each reading is looked up by. */
  #cards: ReadonlyMap<number, KnownCard> = new Map();
  #cpu: CpuCounters | null = null;
  #wasClockSet = false;
  /** The cards that told at the last look what holds them, and have been there since. */
  #holding: ReadonlySet<string> = new Set();
  /** What the fleet shows of the cards, as text to compare. */
  #shown: string | null = null;
  #isConnected = false;
  #wasReading = false;
  #stopWatching: () => void = () => undefined;

  constructor(options: BoxTelemetryOptions) {
    this.#options = options;
    const { hub, boxId, history } = options;
    this.#readings = hub.addTopic('readings', boxId, {
      kind: readingsStream,
      initial: emptyReadings(),
      toWire: readingsToWire,
    });
    this.#facts = hub.addTopic('gpu-facts', boxId, {
      kind: gpuFactsStream,
      initial: NO_GPU_FACTS,
    });
    this.#marks = hub.addTopic('gpu-marks', boxId, { kind: gpuMarksStream, initial: [] });
    this.#kernelMarks = new KernelMarks((mark) => {
      const near = history.marks({ fromMs: mark.atMs - 60_000, toMs: mark.atMs + 60_000 });
      return near.ok && near.value.some((noted) => isSameMark(noted, mark));
    });
  }

  get history(): BoxHistory {
    return this.#options.history;
  }

  /** What the slow probe said last. */
  get facts(): GpuFactsState {
    return this.#facts.state;
  }

  get readings(): ReadingsState {
    return this.#readings.state;
  }

  /** `connection` null: the link is not up, and `link` says how it stands. */
  useConnection(connection: SshConnection | null, link: LinkState['kind']): void {
    const { log, history, scripts, refusals, onChange } = this.#options;
    this.#stopWatching();
    this.#stopWatching = () => undefined;
    if (connection === null) {
      const isWanted = link !== 'idle';
      history.explainSilence(isWanted ? 'link-down' : 'not-connected', Date.now());
      if (this.#isConnected && isWanted) this.#mark('link-lost', 'Connection lost.');
      this.#isConnected = false;
      onChange({ telemetry: { kind: 'off' } });
      return;
    }
    if (!this.#isConnected && this.#wasReading) this.#mark('link-back', 'Reconnected.');
    this.#isConnected = true;
    this.#stopWatching = watchGpus({
      connection,
      scripts,
      log,
      refusals: () => refusals.current,
      onRefused: (refused) => refusals.keep(refused),
      onLook: (look) => this.#takeLook(look),
      onLookFailed: (failed) => this.#takeFailure(failed),
      onState: (state) => this.#takeState(state),
      onReadings: (cycle) => this.#takeCycle(cycle),
    });
  }

  /** What happened to the box, whoever noticed it. */
  addMarks(marks: readonly TelemetryMark[]): void {
    if (marks.length === 0) return;
    this.#marks.publish(marks);
    this.#options.history.addMarks(marks);
  }

  close(): void {
    this.#stopWatching();
    const { hub, boxId } = this.#options;
    hub.removeTopic('readings', boxId);
    hub.removeTopic('gpu-facts', boxId);
    hub.removeTopic('gpu-marks', boxId);
  }

  #takeCycle(cycle: ReadingsCycle): void {
    const { history, onReadings } = this.#options;
    this.#wasReading = true;
    this.#noticeClockJump();
    this.#readings.publish({ kind: 'cycle', ...cycle });
    history.add(cycle, (index) => this.#cardAt(index));
    onReadings(cycle);
  }

  #takeState(telemetry: TelemetryState): void {
    const { history, onChange } = this.#options;
    const wasFailed = this.#failedAs;
    if (telemetry.kind === 'failed') {
      history.explainSilence('stream-failed', Date.now());
      this.#failedAs = telemetry.problem.code;
      if (wasFailed !== telemetry.problem.code && this.#wasReading) {
        this.#mark('stream-failed', telemetry.problem.message);
      }
    } else if (telemetry.kind === 'live') {
      this.#failedAs = null;
      if (wasFailed !== null && this.#wasReading) this.#mark('stream-back', 'Readings come again.');
    }
    onChange({ telemetry });
  }

  #failedAs: Problem['code'] | null = null;

  #takeFailure(failed: Problem): void {
    const { facts } = this.#facts.state;
    this.#publishFacts({ facts, problem: { atMs: Date.now(), problem: failed } });
  }

  #takeLook(look: FactsLook): void {
    const { refusals } = this.#options;
    this.#noticeClockJump();
    const { atMs } = look;
    const cpu = compareCpu(this.#cpu, look.cpu, atMs);
    this.#cpu = look.cpu;
    const facts: BoxGpuFacts = { ...this.#withWhatStays(look.facts), cpu, atMs };
    this.#publishFacts({ facts, problem: null });
    this.#compare(facts);
    refusals.isFor(facts.gpus);
    this.addMarks(this.#kernelMarks.next(facts));
    if (facts.gpus.length === 0) {
      this.#holding = new Set();
      if (this.#look !== null) this.#remember(withoutCards(this.#look, facts));
      return;
    }
    this.#remember(facts);
    this.#wasClockSet = false;
    this.#showCards(facts.gpus);
    this.#followThrottle(facts);
  }

  #remember(look: BoxGpuFacts): void {
    this.#look = look;
    this.#cards = new Map(look.gpus.map((card) => [card.index, card]));
  }

  #publishFacts(state: GpuFactsState): void {
    this.#facts.publish(state);
    this.#options.onFacts(state);
  }

  /** Asked for only once: the temperatures at which a card slows down do not change. */
  #withWhatStays(facts: FactsLook['facts']): FactsLook['facts'] {
    const before = this.#look;
    if (before === null || judgeRestart(before.machine, facts.machine) !== null) return facts;
    const gpus = facts.gpus.map((gpu): GpuDetails => {
      const earlier = before.gpus.find(({ uuid }) => uuid === gpu.uuid);
      return {
        ...gpu,
        slowdownTemperatureC: gpu.slowdownTemperatureC ?? earlier?.slowdownTemperatureC ?? null,
        maxOperatingTemperatureC:
          gpu.maxOperatingTemperatureC ?? earlier?.maxOperatingTemperatureC ?? null,
      };
    });
    const cudaMaxVersion = facts.machine.cudaMaxVersion ?? before.machine.cudaMaxVersion;
    return { ...facts, gpus, machine: { ...facts.machine, cudaMaxVersion } };
  }

  #compare(facts: BoxGpuFacts): void {
    if (this.#look === null) return;
    if (judgeRestart(this.#look.machine, facts.machine) !== null) {
      this.#options.history.explainSilence('box-restarted', Date.now());
      this.#holding = new Set();
    }
    this.addMarks(compareLooks(this.#look, facts, !this.#wasClockSet));
  }

  #showCards(gpus: readonly GpuDetails[]): void {
    this.#readings.publish({
      kind: 'cards',
      cards: gpus.map(({ index, uuid }) => ({ index, uuid })),
    });
    const shown = gpus.map(basicsOf);
    const text = JSON.stringify(shown);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#options.onChange({ gpus: shown });
  }

  #followThrottle({ atMs, gpus }: BoxGpuFacts): void {
    const { history } = this.#options;
    const samples = gpus.flatMap(({ index, uuid, throttleBits: bits }) =>
      bits === null ? [] : [{ index, bits, isAnew: !this.#holding.has(uuid) }],
    );
    this.#holding = new Set(gpus.flatMap((gpu) => (gpu.throttleBits === null ? [] : gpu.uuid)));
    if (samples.length === 0) return;
    this.#readings.publish({ kind: 'throttle', atMs, samples });
    for (const { index, bits, isAnew } of samples) {
      history.addThrottle(history.slotOf(index, this.#cardAt(index)), atMs, bits, isAnew);
    }
  }

  #cardAt(index: number): KnownCard {
    return this.#cards.get(index) ?? NO_CARD;
  }

  #noticeClockJump(): void {
    const jumpMs = this.#clock.jumpMs();
    if (jumpMs === 0) return;
    this.#wasClockSet = true;
    this.#options.history.explainSilence('clock-jump', Date.now(), Math.abs(jumpMs));
    const seconds = String(Math.round(Math.abs(jumpMs) / 1000));
    const how =
      jumpMs > 0
        ? `slept or its clock was set forward, ${seconds} s`
        : `set its clock back by ${seconds} s`;
    this.#mark('local-clock-jump', `This machine ${how}.`);
  }

  #mark(kind: TelemetryMark['kind'], text: string): void {
    this.addMarks([{ atMs: Date.now(), kind, gpu: null, text, code: null, clue: null }]);
  }
}

function basicsOf(gpu: GpuDetails): GpuFacts {
  const { index, uuid, name, driverVersion, memoryTotalMiB, powerLimitW, maxSmClockMHz } = gpu;
  return { index, uuid, name, driverVersion, memoryTotalMiB, powerLimitW, maxSmClockMHz };
}
