import { createRandom } from '../../src/main/demo/random.ts';
import { onboxScripts } from '../../src/main/onbox/onbox-scripts.fixture.ts';
import { tick } from '../../src/main/patrol/tick.ts';
import type { SshConnection } from '../../src/main/ssh/ssh-connection.ts';
import { shippedWatched } from '../../src/main/profiles/profiles.fixture.ts';
import { BoxDetectors } from '../../src/shared/detectors/box-detectors.ts';
import { LIVE } from '../../src/shared/detectors/cases.fixture.ts';
import { DmonReader } from '../../src/shared/probes/dmon.ts';
import { DmonCycles } from '../../src/shared/probes/dmon-cycles.ts';
import { parseGpuFacts } from '../../src/shared/probes/gpu-facts.ts';
import { ok } from '../../src/shared/result.ts';
import { compareCpu, type CpuCounters } from '../../src/shared/telemetry/cpu-look.ts';
import { rememberLook, type PatrolMemory } from '../../src/shared/patrol/patrol-memory.ts';
import { dmonHeader } from '../gpu/dmon-text.ts';
import { cyclesOf, healthyWeek, type Phase, type Span } from './healthy-week.ts';
import { factsText, MARK, patrolText, pidOf } from './healthy-answers.ts';

const FACTS_EVERY_S = 30;
const LOOK_EVERY_S = 300;
/** From then on it is no false alarm that the box does nothing: the person went home and left it on. */
const IDLE_AFTER_S = 600;
const IDLE_PHASES: ReadonlySet<Phase> = new Set(['idle', 'pause']);

export interface WeekResult {
  readonly seconds: number;
  readonly rows: number;
  readonly factsLooks: number;
  readonly patrolLooks: number;
  /** Runs that the person stopped, and how many the patrol told so. */
  readonly stopped: number;
  readonly toldStopped: number;
  /** By id, how often it was said of a box that is well; with the second of the first time. */
  readonly falseAlarms: ReadonlyMap<string, { readonly count: number; readonly firstS: number }>;
}

/** Replays a healthy week through the app's readers and rules, second by second. */
export async function replayWeek(seed: number, seconds: number): Promise<WeekResult> {
  const week = new Week(seed);
  for (const span of healthyWeek(seed, seconds)) await week.pass(span);
  return week.result;
}

class Week {
  readonly #cycles: ReturnType<typeof cyclesOf>;
  readonly #random: () => number;
  readonly #box = new BoxDetectors();
  #reader = new DmonReader();
  #grouping = new DmonCycles();
  #cpu: CpuCounters | null = null;
  #usedS = 0;
  #memory: PatrolMemory | null = null;
  #said: ReadonlySet<string> = new Set();
  #isCut = true;
  #restingSinceS = Infinity;
  #rows = 0;
  #seconds = 0;
  #factsLooks = 0;
  #patrolLooks = 0;
  #stopped = 0;
  #toldStopped = 0;
  readonly #falseAlarms = new Map<string, { count: number; firstS: number }>();

  constructor(seed: number) {
    this.#cycles = cyclesOf(seed);
    this.#random = createRandom(seed + 1);
  }

  get result(): WeekResult {
    return {
      seconds: this.#seconds,
      rows: this.#rows,
      factsLooks: this.#factsLooks,
      patrolLooks: this.#patrolLooks,
      stopped: this.#stopped,
      toldStopped: this.#toldStopped,
      falseAlarms: this.#falseAlarms,
    };
  }

  async pass(span: Span): Promise<void> {
    if (span.phase === 'pause') this.#stopped += 1;
    for (let second = span.fromS; second < span.fromS + span.seconds; second += 1) {
      this.#seconds += 1;
      if (span.phase === 'cut') this.#cut(second);
      else await this.#second(span, span.phase, second);
      this.#note(span, second);
    }
  }

  #cut(second: number): void {
    if (!this.#isCut) this.#box.useTelemetry({ kind: 'off' });
    this.#isCut = true;
    this.#box.judge(second * 1000);
  }

  async #second(span: Span, phase: Exclude<Phase, 'cut'>, second: number): Promise<void> {
    if (this.#isCut) {
      this.#box.useTelemetry(LIVE);
      this.#reader = new DmonReader();
      this.#grouping = new DmonCycles();
    }
    if (this.#isCut || second % FACTS_EVERY_S === 0) this.#look(phase, second);
    if (second % LOOK_EVERY_S === 0) await this.#patrol(span, phase, second);
    const texts = this.#cycles.get(phase) ?? [];
    const rows = texts[Math.floor(this.#random() * texts.length)] ?? '';
    const isHeaderDue = this.#isCut || second % 30 === 0;
    const { readings, unreadableCount } = this.#reader.push(
      isHeaderDue ? dmonHeader() + rows : rows,
    );
    if (unreadableCount > 0) this.#blame('unreadable rows', second);
    this.#rows += readings.length;
    for (const cycle of this.#grouping.push(readings)) this.#box.useReadings(second * 1000, cycle);
    this.#box.judge(second * 1000);
    this.#isCut = false;
    this.#usedS += CPUS_USED[phase];
  }

  #look(phase: Exclude<Phase, 'cut'>, second: number): void {
    this.#factsLooks += 1;
    const atMs = second * 1000;
    const look = parseGpuFacts(factsText(phase, second, this.#usedS), MARK, {
      askedAtMs: atMs,
      answeredAtMs: atMs,
    });
    if (!look.isWhole || look.unreadable.length > 0) this.#blame('unreadable facts', second);
    const cpu = compareCpu(this.#cpu, look.cpu, atMs);
    this.#cpu = look.cpu;
    this.#box.useFacts({ facts: { ...look.facts, cpu, atMs }, problem: null });
    this.#box.useCpu(cpu);
  }

  /** The patrol itself; only the box is played. */
  async #patrol({ run }: Span, phase: Exclude<Phase, 'cut'>, second: number): Promise<void> {
    this.#patrolLooks += 1;
    const box = answering((mark, logs) =>
      patrolText({ phase, run, second, usedS: this.#usedS, logs, mark }),
    );
    const ticked = await tick(box, onboxScripts, this.#memory, {
      ...shippedWatched(null),
      isGpuWorking: phase === 'train' || phase === 'validate',
    });
    if (!ticked.ok) throw new Error(ticked.error.message);
    const { look, missing, judged } = ticked.value;
    if (!look.isWhole || look.unreadable.length > 0) this.#blame('unreadable patrol', second);
    for (const { run: lost, judgement } of missing) {
      const isStopped = lost.pid !== pidOf(run) || IDLE_PHASES.has(phase);
      // The person pressed Ctrl+C; where the next run has its log by now, nothing can be proven.
      const isRight =
        judgement.kind === 'gone' && (judgement.cause === 'killed' || judgement.cause === null);
      if (isStopped && isRight) this.#toldStopped += 1;
      else this.#blame('U3', second);
    }
    for (const { detector, answer } of judged) {
      // A run that is gone is judged above, by what the person did.
      if (answer.kind === 'found' && detector !== 'U3') this.#blame(detector, second);
    }
    this.#memory = rememberLook(ticked.value, this.#memory);
  }

  /** What is said now and was not said the second before. */
  #note({ phase }: Span, second: number): void {
    if (!IDLE_PHASES.has(phase)) this.#restingSinceS = Infinity;
    else this.#restingSinceS = Math.min(this.#restingSinceS, second);
    const { findings } = this.#box.findings;
    if (findings.length === 0) {
      if (this.#said.size > 0) this.#said = new Set();
      return;
    }
    const said = new Set(findings.map(({ detector }) => detector));
    for (const id of said) {
      if (this.#said.has(id)) continue;
      if (id === 'idle' && second - this.#restingSinceS >= IDLE_AFTER_S) continue;
      this.#blame(id, second);
    }
    this.#said = said;
  }

  #blame(id: string, second: number): void {
    const known = this.#falseAlarms.get(id);
    if (known === undefined) this.#falseAlarms.set(id, { count: 1, firstS: second });
    else known.count += 1;
  }
}

/** CPUs' worth of time. */
const CPUS_USED: Readonly<Record<Exclude<Phase, 'cut'>, number>> = {
  idle: 0.02,
  pause: 0.1,
  load: 3,
  train: 9,
  save: 2,
  validate: 6,
  stall: 12,
};

/** A box that answers one question in these words, behind the mark that it was asked with. */
function answering(text: (mark: string, logs: readonly string[]) => string): SshConnection {
  const run: SshConnection['run'] = (_command, options) => {
    const lines = (options?.input ?? '').split('\n');
    const markAt = lines.findIndex((line) => /^leasehold-[0-9a-f]+$/.test(line));
    // The values stand by their names, and LOGS goes before MARK.
    const logs = (lines[markAt - 1] ?? '').split('\t').filter((path) => path !== '');
    return Promise.resolve(
      ok({ end: { kind: 'exited', code: 0 }, stdout: text(lines[markAt] ?? '', logs), stderr: '' }),
    );
  };
  return { run } as SshConnection;
}
