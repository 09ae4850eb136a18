import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import {
  isUnderWay,
  SHUT,
  stepGate,
  type GateEvent,
  type GateState,
} from '../../shared/teardown/gate.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import {
  holdsUp,
  teardownsStream,
  type TeardownDoing,
  type TeardownView,
} from '../../shared/teardown/teardown-view.ts';
import type { Topic } from '../streams/stream-hub.ts';
import { BoxInspector } from './box-inspector.ts';
import { untouchedTeardown, type BoxTeardown } from './box-teardown.ts';
import { EndRounds } from './end-rounds.ts';
import { NOT_LISTED, refused } from './refused.ts';
import { resumedBy, type KeptStep } from './teardown-records.ts';
import type { TeardownsOptions } from './teardowns-options.ts';

/** A timer may be a little early, and would not ring again. */
const LATE_MS = 50;

/**
 * How far the end of each box in the list has come: kept here, taken over from the evidence, and told to the windows. A yes is kept in memory alone, so
 * that no restart carries it over; an end that is under way is in the evidence.
 */
export class BoxGates {
  readonly #options: TeardownsOptions;
  readonly #topic: Topic<ByBox<TeardownView>, BoxChange<TeardownView>>;
  readonly #boxes = new Map<string, BoxTeardown>();
  readonly #rounds: EndRounds;
  readonly #unfollow: () => void;
  #isClosed = false;

  /** `askAgain`: what becomes of an end that a provider carries out. */
  constructor(options: TeardownsOptions, askAgain: (boxId: string) => void) {
    this.#options = options;
    this.#rounds = new EndRounds(askAgain);
    this.#topic = options.hub.addTopic('teardowns', '', {
      kind: teardownsStream,
      initial: { boxes: {} },
    });
    this.#unfollow = options.roster.follow({
      added: ({ box }) => this.#recall(box.id),
      removed: (boxId) => {
        const teardown = this.#boxes.get(boxId);
        teardown?.stopper?.abort();
        clearTimeout(teardown?.timer);
        clearTimeout(teardown?.quiet ?? undefined);
        this.#rounds.end(boxId);
        this.#boxes.delete(boxId);
        this.#topic.publish({ boxId, value: null });
      },
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  of(boxId: string): BoxTeardown | undefined {
    return this.#boxes.get(boxId);
  }

  /** What a Leasehold that runs beside this one did: the list follows it too. */
  catchUp(boxId: string, teardown: BoxTeardown): Result<null, Problem> {
    const heard = this.#hear(boxId, teardown);
    if (!heard.ok) return heard;
    if (heard.value === null) return ok(null);
    const { step, atMs } = heard.value;
    if (step.step !== 'gone') this.archive(boxId, null);
    else if (step.ends === true) this.archive(boxId, atMs);
    return ok(null);
  }

  archive(boxId: string, atMs: number | null): void {
    const archived = this.#options.archive(boxId, atMs);
    if (!archived.ok) this.#options.onProblem(archived.error);
  }

  step(boxId: string, event: GateEvent): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused(NOT_LISTED));
    const next = stepGate(teardown.gate, event);
    if (!next.ok) return err(refused(refusalWords[next.error]));
    this.become(boxId, teardown, next.value);
    return ok(null);
  }

  become(boxId: string, teardown: BoxTeardown, gate: GateState): void {
    teardown.gate = gate;
    clearTimeout(teardown.timer);
    if (gate.kind === 'approved') {
      const inMs = gate.approval.untilMonoMs - this.monoMs() + LATE_MS;
      const end = (): unknown => this.step(boxId, { kind: 'time', monoMs: this.monoMs() });
      teardown.timer = setTimeout(end, inMs);
      teardown.timer.unref();
    }
    if (isUnderWay(gate) && this.#options.verbs.providerOf(boxId, gate.act.verb) !== null)
      this.#rounds.next(boxId);
    else this.#rounds.end(boxId);
    this.tell(boxId, teardown);
  }

  /** The provider is asked once more, later than the last time. */
  nextRound(boxId: string): void {
    this.#rounds.next(boxId);
  }

  /** Shows how far it is. */
  does(boxId: string, teardown: BoxTeardown): (doing: TeardownDoing) => void {
    return (doing) => {
      if (this.#boxes.get(boxId) !== teardown) return;
      teardown.doing = doing;
      this.tell(boxId, teardown, false);
    };
  }

  /** How far something is may come late; that it begins or ends may not, since buttons are off meanwhile. */
  tell(
    boxId: string,
    { gate, doing: does, byItself, changing, receipt, told }: BoxTeardown,
    isNow = true,
  ): void {
    if (this.#isClosed) return;
    const own = does === null || byItself === null ? does : { ...does, isByItself: true as const };
    // No yes is given meanwhile.
    const doing = changing > 0 && !holdsUp(own) ? ({ kind: 'ending-work' } as const) : own;
    const provider = this.#options.verbs.providerOf(boxId, verbOf(gate));
    const secrets = this.#options.secrets.viewOf(boxId);
    const value = { gate, doing, receipt, provider, told: [...told], secrets };
    this.#topic.publish({ boxId, value }, isNow);
  }

  monoMs(): number {
    return (this.#options.monoMs ?? (() => performance.now()))();
  }

  /** For quitting. */
  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    this.#rounds.close();
    for (const { stopper, timer, quiet } of this.#boxes.values()) {
      stopper?.abort();
      clearTimeout(timer);
      clearTimeout(quiet ?? undefined);
    }
    this.#options.hub.removeTopic('teardowns', '');
  }

  /** What the evidence has of a box that has come into the list. What was under way is still, and nobody has confirmed it. */
  #recall(boxId: string): void {
    const options = { ...this.#options, monoMs: () => this.monoMs() };
    const teardown = untouchedTeardown(new BoxInspector(boxId, options));
    this.#boxes.set(boxId, teardown);
    const heard = this.#hear(boxId, teardown);
    if (!heard.ok) this.#options.onProblem(heard.error);
    this.tell(boxId, teardown);
  }

  /** Takes over what the evidence has and this Leasehold did not do; null: it knows all of it. */
  #hear(boxId: string, teardown: BoxTeardown): Result<KeptStep | null, Problem> {
    const kept = this.#options.records.newest(boxId);
    if (!kept.ok) return kept;
    if (kept.value === null || kept.value.seq <= teardown.known) return ok(null);
    teardown.known = kept.value.seq;
    teardown.told.length = 0;
    // From the beginning: what this Leasehold knew of is over, whichever step of the other one it missed.
    const next = stepGate(SHUT, resumedBy(kept.value));
    const gate = next.ok ? next.value : SHUT;
    teardown.receipt = gate.kind === 'gone' ? kept.value.seq : null;
    this.become(boxId, teardown, gate);
    return kept;
  }
}

/** The verb that a yes is to, or that is under way; null: none is. */
function verbOf(gate: GateState): string | null {
  if (gate.kind === 'shut') return null;
  return gate.kind === 'approved' ? gate.approval.verb : gate.act.verb;
}
