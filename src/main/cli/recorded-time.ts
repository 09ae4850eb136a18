import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { JudgedBox, UnnamedBlind } from '../../shared/detectors/box-findings.ts';
import { boxDetectors, gpuDetectors } from '../../shared/detectors/catalog.ts';
import { subjectKeyOf, type Concluded, type DetectorId } from '../../shared/detectors/finding.ts';
import { DRIVER_UNANSWERED } from '../../shared/detectors/driver-broken.ts';
import { TOO_FEW_READINGS } from '../../shared/detectors/load.ts';
import { ENOUGH_MS, MAX_PAUSE_MS } from '../../shared/detectors/recent-readings.ts';
import { NOT_SETTLED, type SettleTimes } from '../../shared/detectors/settle.ts';
import { UNPATROLLED } from '../../shared/detectors/patrol-now.ts';
import { CARDS_UNTOLD } from '../../shared/detectors/u31-no-gpu.ts';
import { KERNEL_LOG_UNREAD } from '../../shared/detectors/u22-xid.ts';
import type { BoxDetector, GpuDetector } from '../../shared/detectors/view.ts';
import { durationWords } from '../../shared/duration-words.ts';
import type { DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { KERNEL_LOG_UNASKED } from '../../shared/probes/gpu-facts.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import type { GpuDetails } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import { problemOf } from '../telemetry/stream-end.ts';
import { passedMs } from './recorded-clock.ts';
import type { RecordedFacts } from './recorded-facts.ts';
import { SilentCards, tellsFigures, type SilentCard } from './silent-cards.ts';

export interface TimedReport extends JudgedBox {
  /** How long the recording is by its own clock, at one cycle a second where it tells none; 0: a moment. */
  readonly recordedS: number;
  /** What was so in its middle and was not seen at its end, the oldest first. */
  readonly past: readonly Concluded[];
  /** Cards of which there was nothing to judge for a time. */
  readonly silent: readonly SilentCard[];
  /** No figure in it, and nothing that a rule could judge otherwise. */
  readonly isUntold: boolean;
  /** All rules that were asked, whatever they answered. */
  readonly ruleCount: number;
  /** Those that cannot answer because they want more time than was recorded. */
  readonly tooShort: readonly DetectorId[];
}

const SECOND_MS = 1000;
/** Within the three minutes for which a look of the slow probe is taken for now. */
const LOOK_EVERY_MS = 120 * SECOND_MS;
/** So much of a recording is judged at each second; a longer one, from there on, at each fifth. */
const EACH_SECOND_UP_TO_MS = 3600 * SECOND_MS;
const EVERY_MS = 5 * SECOND_MS;
/** Of a faster loop so many samples are enough; a second that is printed a little early still counts. */
const SAMPLE_EVERY_MS = 450;
const MAX_PAST = 100;
/** So many steps without a cycle: nobody recorded meanwhile. A loop of one a minute has no pause in each minute. */
const PAUSE_STEPS = 3;

interface BlindPart extends Pick<UnnamedBlind, 'detector' | 'because'> {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lastedMs: number;
}

/** What one look shows is so, however long it has been: nothing more of it will come. */
const OF_A_LOOK: ReadonlySet<DetectorId> = new Set(['U11', 'GEN7', 'U31', 'driver']);
/** Of a single answer this, too: beside a stream the stream tells it. */
const OF_A_MOMENT: ReadonlySet<DetectorId> = new Set([...OF_A_LOOK, 'U10']);

/** What rows answer by being there, whatever they hold. */
const OF_ROWS_ALONE: ReadonlySet<DetectorId> = new Set(['U31', 'driver', 'straggler']);

/** Rules about what a job does over time; what they look at is a mean over a window. */
const OVER_TIME: ReadonlySet<DetectorId> = new Set([
  ...(['idle', 'U21', 'U23', 'U24', 'U38', 'straggler', 'pcie'] as const),
]);

/** Lets all rules see a recording once, in its own time: no second of it counts twice, and a gap is one. */
export class RecordedTime {
  readonly #isStream: boolean;
  readonly #asksFigures: boolean;
  readonly #detectors: BoxDetectors;
  readonly #open = new Map<string, Concluded>();
  readonly #past: Concluded[] = [];
  /** Why a rule could not judge a part of it, and which. */
  readonly #blind = new Map<string, BlindPart>();
  readonly #silent = new SilentCards();
  #facts: RecordedFacts | null = null;
  #factsAtMs = -Infinity;
  /** Of the cycle that came last; null: none has come. */
  #atMs: number | null = null;
  #toldMs: number | null = null;
  /** The shortest time between two cycles: so long the last one stands for. */
  #stepMs: number = Infinity;
  #lastStepMs: number = Infinity;
  #sampledAtMs = -Infinity;
  #judgedAtMs = -Infinity;
  #hasReadings = false;
  #hasFigures = false;

  /** `asksFigures`: each row has columns for them, so that one without any is a card's silence. */
  constructor(isStream: boolean, asksFigures: boolean) {
    this.#isStream = isStream;
    this.#asksFigures = asksFigures;
    const atOnce = isStream ? OF_A_LOOK : OF_A_MOMENT;
    this.#detectors = new BoxDetectors((detector) =>
      atOnce.has(detector.id) ? atOnceOf(detector) : detector,
    );
    this.#detectors.useTelemetry(LIVE);
  }

  /** `toldMs`: when the cycle was printed, by the recording's own clock; null: it does not say, and a second is taken. */
  push(cycle: DmonCycle, facts: RecordedFacts | null, toldMs: number | null): void {
    const atMs = this.#advance(toldMs);
    if (this.#asksFigures) this.#silent.push(atMs, cycle);
    this.#hasFigures ||= cycle.some(tellsFigures);
    if (facts !== null && (facts !== this.#facts || atMs - this.#factsAtMs >= LOOK_EVERY_MS)) {
      const isAgain = facts === this.#facts;
      this.#facts = facts;
      this.#factsAtMs = atMs;
      this.#detectors.useFacts({ facts: this.#lookOf(facts, atMs, isAgain), problem: null });
    }
    if (cycle.length > 0 && atMs - this.#sampledAtMs >= SAMPLE_EVERY_MS) {
      this.#sampledAtMs = atMs;
      this.#hasReadings = true;
      this.#detectors.useReadings(atMs, cycle);
    }
    const everyMs = atMs < EACH_SECOND_UP_TO_MS ? SAMPLE_EVERY_MS : EVERY_MS;
    const sinceMs = atMs - this.#judgedAtMs;
    if (sinceMs >= everyMs) {
      this.#judgedAtMs = atMs;
      this.#judge(atMs);
      if (Number.isFinite(sinceMs)) this.#noteBlind(atMs, sinceMs);
    }
  }

  /** The next cycle comes from another file. */
  beginFile(): void {
    if (this.#atMs !== null) this.#silent.beginAgain(this.#endMs);
  }

  end(failures: readonly GpuToolFailure[]): TimedReport {
    const atMs = this.#atMs ?? 0;
    this.#detectors.useTelemetry(telemetryOf(failures, this.#hasReadings));
    // Not the moment that was judged last: what was said at the end is seen at the end.
    this.#judge(atMs + 1);
    const { unknown, clear } = this.#detectors.findings;
    const findings = this.#seen();
    const recordedS = this.#isStream ? this.#lengthS() : 0;
    const isJudged =
      findings.length + this.#past.length > 0 ||
      clear.some(({ detectors }) => detectors.some((id) => !OF_ROWS_ALONE.has(id)));
    return {
      isUntold: !this.#hasFigures && !isJudged,
      ...{ atMs, findings, clear, recordedS },
      ruleCount: new Set([
        ...[...findings, ...this.#past, ...unknown].map(({ detector }) => detector),
        ...clear.flatMap(({ detectors }) => detectors),
      ]).size,
      tooShort: [
        ...new Set(unknown.flatMap((each) => (isTooShort(each, recordedS) ? [each.detector] : []))),
      ],
      silent: this.#silent.end(this.#endMs),
      past: this.#past.filter((each) => !findings.some((now) => isSame(now, each))),
      unknown: [
        ...unknown
          // Rows that came are an answer.
          .filter(({ because }) => !this.#hasReadings || because !== DRIVER_UNANSWERED)
          .map((each) => ({
            ...each,
            because: inTime(each.detector, inText(each.because), recordedS),
          })),
        ...this.#blindBefore(unknown),
      ],
    };
  }

  /** What a rule could not judge for as long as it wants, and could at the end: its end says nothing of that time. */
  #blindBefore(unknown: readonly UnnamedBlind[]): readonly UnnamedBlind[] {
    return [...this.#blind.values()]
      .filter(({ detector, lastedMs }) => {
        const wantedMs = RULES.get(detector)?.foundAfterMs ?? Infinity;
        return lastedMs >= wantedMs && !unknown.some((each) => each.detector === detector);
      })
      .map(({ detector, because, fromMs, toMs }) => ({
        ...{ detector, gpus: [] },
        because: `from about ${exactly(fromMs)} to about ${exactly(toMs)} of the recording: ${because}`,
      }));
  }

  #noteBlind(atMs: number, stepMs: number): void {
    for (const { detector, because } of this.#detectors.findings.unknown) {
      if (!OVER_TIME.has(detector) || isUnsettled(because)) continue;
      const key = `${detector} ${because}`;
      const before = this.#blind.get(key) ?? { detector, because, fromMs: atMs, lastedMs: 0 };
      this.#blind.set(key, { ...before, toMs: atMs, lastedMs: before.lastedMs + stepMs });
    }
  }

  /** The time of the next cycle, from the first one on. */
  #advance(toldMs: number | null): number {
    const beforeMs = this.#toldMs;
    this.#toldMs = toldMs;
    if (this.#atMs === null) return (this.#atMs = 0);
    const toldStepMs = beforeMs === null || toldMs === null ? null : passedMs(beforeMs, toldMs);
    const stepMs = toldStepMs ?? SECOND_MS;
    // Set back, or told only on one side of it: another run printed the rest.
    const isCut = toldStepMs === null && (beforeMs !== null || toldMs !== null);
    const isLong = stepMs > Math.max(MAX_PAUSE_MS, PAUSE_STEPS * this.#lastStepMs);
    if (isCut || isLong) this.#silent.beginAgain(this.#endMs);
    if (stepMs > 0) {
      this.#stepMs = Math.min(this.#stepMs, stepMs);
      this.#lastStepMs = stepMs;
    }
    return (this.#atMs += stepMs);
  }

  /** Of the time for which the last cycle stands. */
  get #endMs(): number {
    return (this.#atMs ?? 0) + (Number.isFinite(this.#stepMs) ? this.#stepMs : SECOND_MS);
  }

  #lengthS(): number {
    return this.#atMs === null ? 0 : Math.max(1, Math.round(this.#endMs / SECOND_MS));
  }

  /** One look that is shown again is no second look: only two of them prove that a clock is held. */
  #lookOf(facts: RecordedFacts, atMs: number, isAgain: boolean) {
    const gpus = isAgain ? facts.gpus.map(withoutHolds) : facts.gpus;
    return { ...facts, gpus, atMs };
  }

  /** What nothing has shown since is no finding of the end. */
  #seen(): readonly Concluded[] {
    return this.#detectors.findings.findings.filter(
      ({ notSeenBecause }) => notSeenBecause === null,
    );
  }

  #judge(atMs: number): void {
    if (!this.#detectors.judge(atMs)) return;
    const now = new Map(this.#seen().map((each) => [keyOf(each), each]));
    for (const [key, before] of this.#open) {
      const still = now.get(key);
      if (still?.sinceMs === before.sinceMs || this.#past.length >= MAX_PAST) continue;
      const lost = this.#detectors.findings.findings.find((each) => isSame(each, before));
      this.#past.push(lost === undefined ? before : { ...lost, notSeenBecause: null });
    }
    this.#open.clear();
    for (const [key, each] of now) this.#open.set(key, each);
  }
}

const keyOf = ({ detector, subject }: Concluded): string => `${detector} ${subjectKeyOf(subject)}`;

/** A finding that was lost for a while and seen again is one. */
const isSame = (a: Concluded, b: Concluded): boolean =>
  keyOf(a) === keyOf(b) && a.sinceMs === b.sinceMs;

const IDLE_BIT = 1;

function withoutHolds(gpu: GpuDetails): GpuDetails {
  const bits = gpu.throttleBits;
  return bits === null || (bits & ~IDLE_BIT) === 0 ? gpu : { ...gpu, throttleBits: null };
}

function atOnceOf({ maxGapMs }: SettleTimes): SettleTimes {
  return { foundAfterMs: 0, clearAfterMs: 0, maxGapMs };
}

const RULES = new Map<DetectorId, BoxDetector | GpuDetector>(
  [...boxDetectors, ...gpuDetectors].map((each) => [each.id, each]),
);

const isUnsettled = (because: string): boolean =>
  because === NOT_SETTLED || because.endsWith(TOO_FEW_READINGS);

/** Nothing more of a text will come, and nobody asked a box. */
const inText = (because: string): string => IN_A_TEXT[because] ?? because;
const IN_A_TEXT: Readonly<Record<string, string>> = {
  [KERNEL_LOG_UNREAD]: 'no kernel log was given',
  [KERNEL_LOG_UNASKED]: 'no kernel log was given',
  [CARDS_UNTOLD]: 'no list of the box’s GPUs was given',
  [UNPATROLLED]: 'only a check of the box can tell',
  [DRIVER_UNANSWERED]: 'no answer of nvidia-smi was given',
};

/** Null: a rule that is not one of a time. */
function wantedMsOf(id: DetectorId): number | null {
  const rule = RULES.get(id);
  return rule === undefined ? null : rule.foundAfterMs + (OVER_TIME.has(id) ? ENOUGH_MS : 0);
}

function isTooShort(
  { detector, because }: Pick<UnnamedBlind, 'detector' | 'because'>,
  recordedS: number,
): boolean {
  const wantedMs = wantedMsOf(detector);
  return wantedMs !== null && isUnsettled(because) && recordedS * SECOND_MS < wantedMs + SECOND_MS;
}

/** Why a rule had not enough of the recording, in the recording's own length. */
function inTime(id: DetectorId, because: string, recordedS: number): string {
  const wantedMs = wantedMsOf(id);
  if (wantedMs === null || !isUnsettled(because)) return because;
  const wanted = exactly(wantedMs);
  if (recordedS === 0) return `this text shows a moment, and the rule wants ${wanted} of readings`;
  if (isTooShort({ detector: id, because }, recordedS)) {
    return `the recording is ${exactly(recordedS * SECOND_MS)} long, and the rule wants ${wanted}`;
  }
  return because === NOT_SETTLED
    ? `in ${exactly(recordedS * SECOND_MS)} it was never clearly so, nor clearly not`
    : because;
}

/** With the seconds that minutes hide: "1 min" for 90 s would say less than what the rule wants. */
export function exactly(ms: number): string {
  return ms < 120 * SECOND_MS ? `${String(Math.round(ms / SECOND_MS))} s` : durationWords(ms);
}

const LIVE: TelemetryState & { readonly kind: 'live' } = {
  ...{ kind: 'live', sinceMs: 0, source: 'dmon', unreadableLines: 0 },
  ...{ unreadableSamples: [], refused: [], problem: null },
};

function telemetryOf(failures: readonly GpuToolFailure[], hasReadings: boolean): TelemetryState {
  const [failure] = failures;
  if (failure === undefined) return LIVE;
  if (hasReadings) return { ...LIVE, problem: problemOf(failure) };
  return { kind: 'failed', problem: problemOf(failure), sinceMs: 0, retryAtMs: null };
}
