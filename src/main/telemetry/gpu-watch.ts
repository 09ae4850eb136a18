import { backoffMs } from '../../shared/boxes/backoff.ts';
import { isNoCommands } from '../../shared/boxes/flavour/no-commands.ts';
import { DMON_LETTERS } from '../../shared/probes/dmon.ts';
import { namesDmonColumns } from '../../shared/probes/dmon-columns.ts';
import type { GpuFactsLook } from '../../shared/probes/gpu-facts.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import { planSource, type Refusals, type SourcePlan } from '../../shared/telemetry/source-plan.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { Log } from '../log/log.ts';
import type { ExitStatus } from '../ssh/exit-status.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { lookAtFacts } from './facts-probe.ts';
import { pause } from './pause.ts';
import { explainEnd, problemOf, unexplainedEnd } from './stream-end.ts';
import { SILENT_AFTER_MS, StreamRun, type ShortQuestion } from './stream-run.ts';

/** The slow facts; an event of the stream brings the next look forward. */
const LOOK_EVERY_MS = 30_000;
const LOOK_AT_LEAST_APART_MS = 5000;

/** A stream that lived this long was healthy: its restart begins with the shortest wait again. */
const HEALTHY_AFTER_MS = 60_000;

/** After so long every card that the driver shows has had its rows. */
const SETTLED_MS = 2500;

/** More than gpu-facts.sh asks for: these are kept, and each look sends them along. */
const MAX_FACTS_REFUSED = 200;

/** One letter of dmon, asked for alone. */
const TRY_TIMEOUT_MS = 20_000;

export type FactsLook = GpuFactsLook & { readonly atMs: number };

export interface GpuWatchOptions {
  readonly connection: SshConnection;
  readonly scripts: OnboxScripts;
  readonly log: Log;
  /** What this box refused so far; it may be asked anew at any time. */
  readonly refusals: () => Refusals;
  readonly onRefused: (refusals: Refusals) => void;
  readonly onLook: (look: FactsLook) => void;
  readonly onLookFailed: (problem: Problem) => void;
  readonly onState: (state: TelemetryState) => void;
  readonly onReadings: (cycle: ReadingsCycle) => void;
}

/** Reads the box's GPUs for as long as the connection lives; returns how to stop. */
export function watchGpus(options: GpuWatchOptions): () => void {
  const watch = new GpuWatch(options);
  void options.connection.closed.then(() => watch.stop());
  watch.start();
  return () => watch.stop();
}

/** SECURITY: a box that made up one name after the other would be asked again at once, without end. */
const asksFor = ({ command }: SourcePlan, field: string | null): field is string =>
  field !== null && command.split(/[ =,]/).includes(field);

/** How a stream ended, and whether the next one should be tried at once in another way. */
type StreamEnd =
  | { readonly kind: 'again'; readonly plan: 'changed' }
  | { readonly kind: 'failed'; readonly problem: Problem };

class GpuWatch {
  readonly #options: GpuWatchOptions;
  readonly #stopper = new AbortController();
  #look: FactsLook | null = null;
  #lookedOnce: () => void = () => undefined;
  readonly #firstLook = new Promise<void>((resolve) => (this.#lookedOnce = resolve));
  /** Ends the pause before the next look. */
  #hurry: AbortController | null = null;
  #isSuspect = false;
  /** dmon answered nothing whatever was asked. */
  #isDmonDoubted = false;
  /** The run before did not show all cards. */
  #wasShort = false;
  #state: TelemetryState | null = null;

  constructor(options: GpuWatchOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#keepLooking();
    void this.#keepReading();
  }

  stop(): void {
    this.#stopper.abort();
  }

  get #signal(): AbortSignal {
    return this.#stopper.signal;
  }

  async #keepLooking(): Promise<void> {
    const { connection, scripts, refusals, log } = this.#options;
    for (let isFirst = true; !this.#signal.aborted;) {
      const looked = await lookAtFacts(connection, scripts, {
        refused: refusals().facts,
        isFirst,
        isSuspect: this.#isSuspect,
        signal: this.#signal,
      });
      if (this.#signal.aborted) return;
      if (looked.ok) this.#take(looked.value);
      else {
        log.warn('no GPU facts', { code: looked.error.code, detail: looked.error.detail ?? '' });
        this.#isSuspect = looked.error.code === 'gpu-tool-hangs';
        this.#options.onLookFailed(looked.error);
      }
      this.#lookedOnce();
      if (!looked.ok && isNoCommands(looked.error)) return;
      isFirst = !looked.ok || looked.value.facts.gpus.length === 0;
      await this.#pauseBetweenLooks();
    }
  }

  async #pauseBetweenLooks(): Promise<void> {
    await pause(LOOK_AT_LEAST_APART_MS, this.#signal);
    this.#hurry ??= new AbortController();
    const { hurry, release } = this.#child(this.#hurry);
    await pause(LOOK_EVERY_MS - LOOK_AT_LEAST_APART_MS, hurry.signal);
    release();
    this.#hurry = null;
  }

  /** Ends with the watch too. The oldest runtime has no AbortSignal.any. */
  #child(hurry: AbortController): {
    readonly hurry: AbortController;
    readonly release: () => void;
  } {
    const stop = (): void => hurry.abort();
    this.#signal.addEventListener('abort', stop, { once: true });
    if (this.#signal.aborted) stop();
    return { hurry, release: () => this.#signal.removeEventListener('abort', stop) };
  }

  /** Something happened that the next look may explain. */
  #lookSoon(): void {
    this.#hurry ??= new AbortController();
    this.#hurry.abort();
  }

  #take(look: FactsLook): void {
    const { refusals, onRefused, onLook } = this.#options;
    this.#look = look;
    this.#isSuspect = false;
    const known = refusals();
    const facts = [...new Set([...known.facts, ...look.refused])].slice(0, MAX_FACTS_REFUSED);
    if (facts.length > known.facts.length) onRefused({ ...known, facts });
    onLook(look);
    if (this.#state?.kind !== 'live') return;
    const trouble = this.#trouble();
    if (trouble?.code !== this.#state.problem?.code)
      this.#enter({ ...this.#state, problem: trouble });
  }

  /** What is wrong with some cards while others answer. */
  #trouble(): Problem | null {
    const lost = this.#look?.failures.find(({ kind }) => kind === 'gpu-lost');
    if (lost !== undefined) return problemOf(lost);
    const card = this.#look?.facts.gpus.find(({ trouble }) => trouble !== null);
    if (card === undefined) return null;
    return problem('gpu-lost', `GPU ${String(card.index)} says “${card.trouble ?? ''}”.`);
  }

  async #keepReading(): Promise<void> {
    for (let attempt = 1; !this.#signal.aborted; attempt += 1) {
      const startedAtMs = Date.now();
      // A failure stands until readings come: a page that forgot it with each try would flicker.
      if (this.#state?.kind !== 'failed') this.#enter({ kind: 'starting', sinceMs: startedAtMs });
      const end = await this.#readOnce();
      if (this.#signal.aborted) return;
      this.#lookSoon();
      if (end.kind === 'again') {
        attempt -= 1;
        continue;
      }
      const { code, detail } = end.problem;
      this.#options.log.warn('GPU stream ended', { code, detail: detail ?? '' });
      const nowMs = Date.now();
      const isHopeless = isNoCommands(end.problem);
      if (nowMs - startedAtMs > HEALTHY_AFTER_MS) attempt = 1;
      const waitMs = backoffMs(attempt, Math.random());
      this.#enter({
        kind: 'failed',
        problem: this.#better(end.problem),
        sinceMs: nowMs,
        retryAtMs: isHopeless ? null : nowMs + waitMs,
      });
      if (isHopeless) return;
      await pause(waitMs, this.#signal);
      // Another copy would hang too; the looks go on and notice when the driver answers again.
      while (this.#isSuspect && !this.#signal.aborted) await this.#waitForLook();
    }
  }

  async #waitForLook(): Promise<void> {
    this.#lookSoon();
    const now = Date.now();
    this.#enter({
      kind: 'failed',
      problem: problem('gpu-tool-hangs', 'nvidia-smi does not answer on this box.'),
      sinceMs: now,
      retryAtMs: now + LOOK_EVERY_MS,
    });
    await pause(LOOK_AT_LEAST_APART_MS, this.#signal);
  }

  /** In a container the same words have a nearer cause. */
  #better(found: Problem): Problem {
    const isContainer = this.#look?.facts.machine.isContainer === true;
    if (!isContainer || (found.code !== 'no-gpu' && found.code !== 'no-gpu-tool')) return found;
    return problem(found.code, 'This container was given no GPU.', {
      nextStep: 'Start it with a GPU (docker: --gpus all), or choose an offer that has one.',
      ...(found.detail === undefined ? {} : { detail: found.detail }),
    });
  }

  #enter(state: TelemetryState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  async #readOnce(): Promise<StreamEnd> {
    const { refusals } = this.#options;
    const known = refusals();
    const isDmonUseless = known.isDmonUseless || this.#isDmonDoubted;
    this.#isDmonDoubted = false;
    const plan = planSource({ ...known, isDmonUseless }, this.#look?.tools ?? null);
    if (plan === null) {
      const reason = 'This driver refuses everything that could be asked.';
      return { kind: 'failed', problem: problem('gpu-tool-failed', reason) };
    }
    const stream = this.#child(new AbortController());
    try {
      return await this.#readFrom(plan, stream.hurry);
    } finally {
      stream.release();
    }
  }

  async #readFrom(plan: SourcePlan, stream: AbortController): Promise<StreamEnd> {
    // shell-text: made of dmon's letters and nvidia-smi's fields, which are our own lists
    const started = await this.#options.connection.start(plan.command, stream.signal);
    if (!started.ok) return { kind: 'failed', problem: started.error };
    const run = new StreamRun(plan, {
      log: this.#options.log,
      onReadings: this.#options.onReadings,
      onLive: (unreadable, sinceMs) => {
        this.#enter({
          kind: 'live',
          sinceMs,
          source: plan.source,
          unreadableLines: unreadable.count,
          unreadableSamples: unreadable.samples,
          refused: plan.refused,
          problem: this.#trouble(),
        });
      },
      onSilent: () => stream.abort(),
      onChange: () => this.#lookSoon(),
      isShort: (question) => this.#isShort(plan, question),
      onShort: () => stream.abort(),
    });
    const exit = await run.follow(started.value);
    if (this.#signal.aborted) return { kind: 'again', plan: 'changed' };
    return this.#judge(plan, run, exit, started.value.stderr);
  }

  async #judge(
    plan: SourcePlan,
    run: StreamRun,
    exit: ExitStatus,
    stderr: string,
  ): Promise<StreamEnd> {
    const { refusals, onRefused } = this.#options;
    const again: StreamEnd = { kind: 'again', plan: 'changed' };
    if (run.stopped === 'short') {
      // A card that came back while dmon ran is seen by the next one; a driver that shows only some is not cured by it.
      if (this.#wasShort) onRefused({ ...refusals(), isDmonUseless: true });
      this.#wasShort = !this.#wasShort;
      return again;
    }
    if (run.stopped === 'silent') {
      this.#isSuspect = true;
      const seconds = String(SILENT_AFTER_MS / 1000);
      return {
        kind: 'failed',
        problem: problem('gpu-stream-silent', `The GPU stream said nothing for ${seconds} s.`),
      };
    }
    const failure = explainEnd(run.failure, stderr, exit);
    if (failure?.kind === 'field-refused' && asksFor(plan, failure.field)) {
      const known = refusals();
      if (!known.fields.includes(failure.field)) {
        onRefused({ ...known, fields: [...known.fields, failure.field] });
        return again;
      }
    }
    if (plan.source === 'dmon' && failure?.kind === 'not-supported') {
      onRefused({ ...refusals(), isDmonUseless: true });
      return again;
    }
    if (failure?.kind === 'tool-missing') {
      // Whether another tool is there is known only after a look.
      await Promise.race([this.#firstLook, pause(TRY_TIMEOUT_MS, this.#signal)]);
      const other = planSource(refusals(), this.#look?.tools ?? null);
      if (other !== null && other.source !== plan.source) return again;
    }
    if (failure !== null) return { kind: 'failed', problem: problemOf(failure) };
    if (plan.source === 'dmon' && !run.hasBegun && (await this.#findRefusedLetters())) return again;
    return { kind: 'failed', problem: unexplainedEnd(stderr, exit) };
  }

  /** Asks for each of dmon's letters alone. True: there is another way to ask now. */
  async #findRefusedLetters(): Promise<boolean> {
    const { connection, refusals, onRefused } = this.#options;
    const known = refusals();
    const letters = DMON_LETTERS.filter((letter) => !known.letters.includes(letter));
    const refused: string[] = [];
    for (const letter of letters) {
      const tried = await connection.run(`nvidia-smi dmon -s ${letter} -c 1`, {
        timeoutMs: TRY_TIMEOUT_MS,
        signal: this.#signal,
      });
      if (!tried.ok) return false;
      if (!namesDmonColumns(tried.value.stdout)) refused.push(letter);
    }
    if (refused.length === 0) return false;
    // None at all says more of the moment than of the driver: the loop is tried, and dmon the next time.
    if (refused.length === letters.length) this.#isDmonDoubted = true;
    else onRefused({ ...known, letters: [...known.letters, ...refused] });
    return true;
  }

  /** Old drivers show the first cards only; a look that is newer than the stream tells whether the others answer. */
  #isShort({ source }: SourcePlan, { seen, sinceMs }: ShortQuestion): boolean {
    if (source !== 'dmon' || this.#look === null) return false;
    const isMissing = this.#look.facts.gpus.some(
      ({ index, trouble }) => !seen.has(index) && trouble === null,
    );
    if (!isMissing) {
      this.#wasShort = false;
      return false;
    }
    if (this.#look.atMs > sinceMs + SETTLED_MS) return true;
    this.#lookSoon();
    return false;
  }
}
