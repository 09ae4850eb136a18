import { randomUUID } from 'node:crypto';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import {
  GatePass,
  isUnderWay,
  SHUT,
  stepGate,
  whyNotApproved,
  whyNotUnderWay,
  type Act,
  type GateEvent,
  type GateState,
} from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import type { OrderOnBox } from '../../shared/teardown/read-orders.ts';
import { DeletePass } from '../../shared/teardown/delete-pass.ts';
import type { KeptLoss } from '../../shared/teardown/inspection.ts';
import { approvedEnd, endedBox } from '../../shared/teardown/teardown-record.ts';
import {
  LOOK_BEGINS,
  teardownsStream,
  type TeardownDoing,
  type TeardownView,
} from '../../shared/teardown/teardown-view.ts';
import type { Topic } from '../streams/stream-hub.ts';
import { endsBox } from './archive.ts';
import { askGone } from './ask-gone.ts';
import { BoxInspector } from './box-inspector.ts';
import { tellLine, untouchedTeardown, type BoxTeardown } from './box-teardown.ts';
import { EndRounds } from './end-rounds.ts';
import {
  BUSY,
  NO_SUCH_VERB,
  NOT_GONE,
  NOT_LISTED,
  ORDERED,
  OTHER_LEASEHOLD,
  OTHER_MACHINE,
  OTHER_PICTURE,
  refused,
  STOPPED,
} from './refused.ts';
import { resumedBy, type KeptStep } from './teardown-records.ts';
import type { TeardownsOptions } from './teardowns-options.ts';

const ASK_FOR_MS = 20_000;
/** A timer may be a little early, and would not ring again. */
const LATE_MS = 50;

/**
 * SECURITY: ends boxes, and nothing else does. A verb is given what only an open gate gives out (`GatePass`); what the gate stands on is looked
 * at anew after the yes. An approval is kept in memory alone, so that no restart carries it over; an end that is under way is in the evidence.
 */
export class Teardowns {
  readonly #options: TeardownsOptions;
  readonly #topic: Topic<ByBox<TeardownView>, BoxChange<TeardownView>>;
  readonly #boxes = new Map<string, BoxTeardown>();
  readonly #rounds = new EndRounds((boxId) => void this.#askAgain(boxId));
  readonly #unfollow: () => void;
  #isClosed = false;

  constructor(options: TeardownsOptions) {
    this.#options = options;
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
        this.#rounds.end(boxId);
        this.#boxes.delete(boxId);
        this.#topic.publish({ boxId, value: null });
      },
    });
  }

  /** Looks at the box now; answers when that is over. */
  inspect(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, (teardown) => this.#look(boxId, teardown));
  }

  /** Something of it was brought home: whoever has looked at the box before sees what that settled. */
  cameHome(boxId: string): void {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return;
    const { gate, doing } = teardown;
    if (!('inspection' in gate) || gate.inspection === null) return;
    if (doing === null) void this.#byItself(teardown, this.inspect(boxId));
    else teardown.isOld = true;
  }

  /** A provider was linked to the box, or let go of: from now on that one is asked, and the window says so. */
  relinked(boxId: string): void {
    const teardown = this.#boxes.get(boxId);
    if (teardown !== undefined) this.#become(boxId, teardown, teardown.gate);
  }

  /** Reads the copies on this computer again, then looks at the box once more. */
  readCopies(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, async (teardown, signal) => {
      const read = await teardown.inspector.readCopies(signal, this.#does(boxId, teardown));
      return read.ok ? this.#look(boxId, teardown) : read;
    });
  }

  stop(boxId: string): void {
    this.#boxes.get(boxId)?.stopper?.abort();
  }

  /** A person gives up one thing, as it was shown. Kept as evidence before it counts. */
  accept(
    boxId: string,
    { id, loss, because }: Pick<KeptLoss, 'id' | 'loss' | 'because'>,
  ): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, async (teardown) => {
      const { gate } = teardown;
      const inspection = gate.kind === 'shut' || gate.kind === 'approved' ? gate.inspection : null;
      const blocker = inspection?.blockers.find((each) => each.id === id);
      if (blocker === undefined || blocker.loss === null || blocker.loss !== loss) {
        return err(refused('What you accepted is not what is there now. Look at it again.'));
      }
      const before = this.#options.records.losses(boxId);
      if (!before.ok) return before;
      const kept = this.#options.records.appendLosses(boxId, [
        ...before.value.filter((each) => each.id !== id),
        { id, loss, because, says: blocker.says, atMs: Date.now() },
      ]);
      return kept.ok ? this.#look(boxId, teardown) : kept;
    });
  }

  /** Does something for the box while nothing else is done about its end. */
  meanwhile(
    boxId: string,
    doing: TeardownDoing,
    act: () => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    return this.#alone(boxId, doing, act);
  }

  /** SECURITY: the verb “delete on the box”. Whoever deletes what a plan has shown is given the pass for it here, where the gate allows that. */
  deleteOnBox(
    boxId: string,
    shown: PlanRef,
    remove: (pass: DeletePass) => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'deleting' }, ({ gate }) => {
      const opened = DeletePass.open(gate, shown);
      return opened.ok ? remove(opened.value) : Promise.resolve(err(refused(opened.error)));
    });
  }

  /** A person says yes to what was shown, by typing the name of the box. */
  approve(
    boxId: string,
    {
      verb,
      digest,
      typed,
    }: { readonly verb: string; readonly digest: string; readonly typed: string },
  ): Result<null, Problem> {
    const box = this.#options.roster.boxOf(boxId);
    if (box === null) return err(refused(NOT_LISTED));
    const teardown = this.#boxes.get(boxId);
    if (teardown?.doing !== null) return err(refused(BUSY));
    const caughtUp = this.#catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const aim = this.#options.verbs.aimOf(boxId, verb);
    if (aim === null) return err(refused(NO_SUCH_VERB));
    return this.#step(boxId, {
      ...{ kind: 'approve', verb, aim, digest, typed, boxName: box.name },
      ...{ atMs: Date.now(), monoMs: this.#monoMs() },
    });
  }

  withdraw(boxId: string): Result<null, Problem> {
    return this.#step(boxId, { kind: 'withdraw' });
  }

  /** Ends the box. It is looked at once more first, and the yes is on the disk and noted on the box before anything is done. */
  begin(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, async (teardown, signal) => {
      if (teardown.gate.kind !== 'approved') {
        return err(refused(refusalWords[whyNotApproved(teardown.gate)]));
      }
      const linked = this.#linked(boxId, teardown.gate.approval.verb);
      const lookedFromMonoMs = this.#monoMs();
      const inspection = await teardown.inspector.inspect(this.#does(boxId, teardown));
      // While it was looked at, the person may have taken their yes back or forgotten the box, and another Leasehold may have begun.
      const caughtUp = this.#catchUp(boxId, teardown);
      if (!caughtUp.ok) return caughtUp;
      const box = this.#options.roster.boxOf(boxId);
      const { gate } = teardown;
      if (signal.aborted || box === null) return err(refused(STOPPED));
      const [monoMs, actId] = [this.#monoMs(), randomUUID()];
      const looked = { inspection, lookedFromMonoMs, boxName: box.name, actId, monoMs };
      const dry = stepGate(gate, { kind: 'begin', ...looked, evidence: 0 });
      if (!dry.ok || gate.kind !== 'approved') {
        if (gate.kind === 'approved') this.#become(boxId, teardown, { kind: 'shut', inspection });
        return err(refused(refusalWords[dry.ok ? 'not-approved' : dry.error]));
      }
      const { verbs, secrets } = this.#options;
      const isSame = this.#linked(boxId, gate.approval.verb) === linked;
      if (!isSame || verbs.aimOf(boxId, gate.approval.verb) !== gate.approval.aim) {
        this.#become(boxId, teardown, { kind: 'shut', inspection });
        return err(refused(isSame ? NO_SUCH_VERB : OTHER_MACHINE));
      }
      const approved = approvedEnd(actId, gate.approval, inspection, secrets.kept(boxId));
      const said = { step: 'approved', ...approved } as const;
      const kept = this.#options.records.append(boxId, said, teardown.known);
      if (!kept.ok) return kept;
      teardown.known = kept.value;
      const opened = GatePass.open(gate, { kind: 'begin', ...looked, evidence: kept.value });
      if (!opened.ok) return err(refused(refusalWords[opened.error]));
      const { state, pass } = opened.value;
      teardown.told.length = 0;
      this.#become(boxId, teardown, state);
      const noted = await this.#options.noteOrder(boxId, pass.act, false);
      // It may not be there any more to take it, and the evidence here has it already: an end does not hang on that.
      if (!noted.ok && !this.#isClosed) this.#options.onProblem(noted.error);
      const others = noted.ok ? noted.value : [];
      const why = this.#whyNotSent(boxId, teardown, { act: pass.act, linked, signal, others });
      if (why !== null) return this.#unsent(boxId, teardown, pass.act, why);
      const answer = await verbs.act(boxId, pass);
      if (answer.kind !== 'by-hand') tellLine(teardown, answer);
      return this.#step(boxId, { kind: 'answered', answer });
    });
  }

  /** Asks the provider and the address of the box whether it is gone. `saidTo`: the person says that it is done, to this picture of it. */
  confirm(boxId: string, saidTo: string | null): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'confirming' }, async (teardown, signal) => {
      const { gate } = teardown;
      if (!isUnderWay(gate)) return err(refused(refusalWords[whyNotUnderWay(gate)]));
      if (saidTo !== null && saidTo !== pictureOf(gate)) return err(refused(OTHER_PICTURE));
      const word = saidTo === null ? null : { atMs: Date.now(), to: saidTo };
      const { roster, isOnline, verbs, secrets, askForMs: forMs = ASK_FOR_MS } = this.#options;
      const asked = await askGone(boxId, gate.act, {
        ...{ roster, verbs, signal, forMs, word },
        ...(isOnline !== undefined && { isOnline }),
      });
      if (asked.said !== null) tellLine(teardown, asked.said);
      const next = stepGate(teardown.gate, { kind: 'confirm', ...asked });
      if (!next.ok) return err(refused(refusalWords[next.error]));
      if (next.value.kind === 'gone') {
        const { act, gone } = next.value;
        const ended = endedBox(act, gone, {
          ends: endsBox(act, this.#options.factsOf(boxId)),
          ...{ told: teardown.told, cost: this.#options.costOf(boxId) },
        });
        const said = { step: 'gone', ...ended } as const;
        const kept = this.#options.records.append(boxId, said, teardown.known);
        if (!kept.ok) return kept;
        teardown.receipt = kept.value;
        teardown.known = kept.value;
        const cleared = [this.#options.records.appendLosses(boxId, []), secrets.clear(boxId)];
        for (const each of cleared) if (!each.ok) this.#options.onProblem(each.error);
        this.#options.onGone(boxId, act);
        if (ended.ends === true) this.#archive(boxId, gone.atMs);
      }
      this.#become(boxId, teardown, next.value);
      return ok(null);
    });
  }

  /** The person did not end the box after all. */
  callOff(boxId: string): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused(refusalWords['not-under-way']));
    const caughtUp = this.#catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const { gate } = teardown;
    if (!isUnderWay(gate)) return err(refused(refusalWords[whyNotUnderWay(gate)]));
    // An order may be on its way. What is only asked may be asked in vain.
    const { doing } = teardown;
    if (doing !== null && doing.kind !== 'confirming') return err(refused(BUSY));
    const said = { step: 'called-off', approval: gate.act.evidence } as const;
    const kept = this.#options.records.append(boxId, said, teardown.known);
    if (!kept.ok) return kept;
    teardown.known = kept.value;
    this.#removeNote(boxId, gate.act);
    return this.#step(boxId, { kind: 'called-off' });
  }

  /** A machine is at this address again: it has everything before it. */
  beginAgain(boxId: string): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused(NOT_GONE));
    const caughtUp = this.#catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const { gate } = teardown;
    if (gate.kind !== 'gone') return err(refused(NOT_GONE));
    const { archive, records, roster, onAgain } = this.#options;
    const archivedAtMs = roster.boxOf(boxId)?.archivedAtMs ?? null;
    // Its row first, which says whether another has its address by now: a box that is gone by the evidence goes back at the next start.
    const listed = archive(boxId, null);
    if (!listed.ok) return listed;
    const said = { step: 'again', approval: gate.act.evidence } as const;
    const kept = records.append(boxId, said, teardown.known);
    if (!kept.ok) {
      if (archivedAtMs !== null) this.#archive(boxId, archivedAtMs);
      return kept;
    }
    teardown.known = kept.value;
    teardown.receipt = null;
    onAgain(boxId);
    return this.#step(boxId, { kind: 'begin-again' });
  }

  /** For quitting. */
  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    this.#rounds.close();
    for (const { stopper, timer } of this.#boxes.values()) {
      stopper?.abort();
      clearTimeout(timer);
    }
    this.#options.hub.removeTopic('teardowns', '');
  }

  /** SECURITY: what came while its end was noted on the box; null: nothing did. The order goes out in the same breath. */
  #whyNotSent(
    boxId: string,
    teardown: BoxTeardown,
    { act, linked, signal, others }: Noted,
  ): Problem | null {
    if (this.#isClosed) return refused(STOPPED);
    const caughtUp = this.#catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp.error;
    if (!isAt(act, teardown.gate)) return refused(OTHER_LEASEHOLD);
    if (signal.aborted || this.#options.roster.boxOf(boxId) === null) return refused(STOPPED);
    if (this.#linked(boxId, act.verb) !== linked) return refused(OTHER_MACHINE);
    if (this.#options.verbs.aimOf(boxId, act.verb) !== act.aim) return refused(NO_SUCH_VERB);
    return others.length > 0 ? refused(ORDERED) : null;
  }

  /** An end that was written down, and of which nobody was told. */
  #unsent(boxId: string, teardown: BoxTeardown, act: Act, why: Problem): Result<null, Problem> {
    // What is closed leaves it to the next start, which finds it unconfirmed.
    if (this.#isClosed) return err(why);
    this.#removeNote(boxId, act);
    if (!isAt(act, teardown.gate)) return err(why);
    const said = { step: 'called-off', approval: act.evidence } as const;
    const kept = this.#options.records.append(boxId, said, teardown.known);
    if (kept.ok) teardown.known = kept.value;
    else this.#options.onProblem(kept.error);
    const answer = { kind: 'refused', provider: 'Leasehold', says: why.message } as const;
    // The box may have been forgotten.
    this.#step(
      boxId,
      kept.ok
        ? { kind: 'called-off' }
        : { kind: 'answered', answer: { ...answer, atMs: Date.now() } },
    );
    return err(why);
  }

  /** Which machine an order would be about. */
  #linked(boxId: string, verb: string): string {
    const { instanceOf, verbs } = this.#options;
    return JSON.stringify([verbs.providerOf(boxId, verb), instanceOf(boxId)]);
  }

  #removeNote(boxId: string, order: Pick<Act, 'id' | 'verb'>): void {
    void this.#options.noteOrder(boxId, order, true).then((removed) => {
      // Quitting cuts the way to the box.
      if (!removed.ok && !this.#isClosed) this.#options.onProblem(removed.error);
    });
  }

  /** What the evidence has of a box that has come into the list. What was under way is still, and nobody has confirmed it. */
  #recall(boxId: string): void {
    const options = { ...this.#options, monoMs: () => this.#monoMs() };
    const teardown = untouchedTeardown(new BoxInspector(boxId, options));
    this.#boxes.set(boxId, teardown);
    const heard = this.#hear(boxId, teardown);
    if (!heard.ok) this.#options.onProblem(heard.error);
    this.#tell(boxId, teardown);
  }

  /** What a Leasehold that runs beside this one did: the list follows it too. */
  #catchUp(boxId: string, teardown: BoxTeardown): Result<null, Problem> {
    const heard = this.#hear(boxId, teardown);
    if (!heard.ok) return heard;
    if (heard.value === null) return ok(null);
    const { step, atMs } = heard.value;
    if (step.step !== 'gone') this.#archive(boxId, null);
    else if (step.ends === true) this.#archive(boxId, atMs);
    return ok(null);
  }

  #archive(boxId: string, atMs: number | null): void {
    const archived = this.#options.archive(boxId, atMs);
    if (!archived.ok) this.#options.onProblem(archived.error);
  }

  /** Takes over what the evidence has and this Leasehold did not do; null: it knows all of it. */
  #hear(boxId: string, teardown: BoxTeardown): Result<KeptStep | null, Problem> {
    const kept = this.#options.records.newest(boxId);
    if (!kept.ok) return kept;
    if (kept.value === null || kept.value.seq <= teardown.known) return ok(null);
    teardown.known = kept.value.seq;
    // From the beginning: what this Leasehold knew of is over, whichever step of the other one it missed.
    const next = stepGate(SHUT, resumedBy(kept.value));
    const gate = next.ok ? next.value : SHUT;
    teardown.receipt = gate.kind === 'gone' ? kept.value.seq : null;
    this.#become(boxId, teardown, gate);
    return kept;
  }

  async #look(boxId: string, teardown: BoxTeardown): Promise<Result<null, Problem>> {
    const inspection = await teardown.inspector.inspect(this.#does(boxId, teardown));
    return this.#step(boxId, { kind: 'inspected', inspection, monoMs: this.#monoMs() });
  }

  /** Shows how far it is. */
  #does(boxId: string, teardown: BoxTeardown): (doing: TeardownDoing) => void {
    return (doing) => {
      if (this.#boxes.get(boxId) !== teardown) return;
      teardown.doing = doing;
      this.#tell(boxId, teardown, false);
    };
  }

  /** One thing at a time for a box. */
  async #alone(
    boxId: string,
    doing: TeardownDoing,
    act: (teardown: BoxTeardown, signal: AbortSignal) => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined || this.#isClosed) {
      return err(refused(NOT_LISTED));
    }
    // What nobody asked for is in nobody's way: a person may ask in the very moment in which it begins.
    while (teardown.byItself !== null) await teardown.byItself;
    if (this.#boxes.get(boxId) !== teardown || this.#isClosed) return err(refused(NOT_LISTED));
    if (teardown.doing !== null) return err(refused(BUSY));
    const caughtUp = this.#catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const stopper = new AbortController();
    teardown.doing = doing;
    teardown.stopper = stopper;
    this.#tell(boxId, teardown);
    try {
      return await act(teardown, stopper.signal);
    } finally {
      teardown.doing = null;
      teardown.stopper = null;
      teardown.byItself = null;
      const { isOld } = teardown;
      teardown.isOld = false;
      if (isOld) this.cameHome(boxId);
      if (this.#boxes.get(boxId) === teardown) this.#tell(boxId, teardown);
    }
  }

  /** Leasehold does this of its own accord. */
  #byItself<T>(teardown: BoxTeardown, doing: Promise<T>): Promise<T> {
    teardown.byItself = doing;
    const end = (): void => {
      if (teardown.byItself === doing) teardown.byItself = null;
    };
    doing.then(end, end);
    return doing;
  }

  async #askAgain(boxId: string): Promise<void> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return;
    const asked = await this.#byItself(teardown, this.confirm(boxId, null));
    // Something else was being done for the box.
    if (!asked.ok && !this.#isClosed && this.#boxes.has(boxId)) this.#rounds.next(boxId);
  }

  #step(boxId: string, event: GateEvent): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused(NOT_LISTED));
    const next = stepGate(teardown.gate, event);
    if (!next.ok) return err(refused(refusalWords[next.error]));
    this.#become(boxId, teardown, next.value);
    return ok(null);
  }

  #become(boxId: string, teardown: BoxTeardown, gate: GateState): void {
    teardown.gate = gate;
    clearTimeout(teardown.timer);
    if (gate.kind === 'approved') {
      const inMs = gate.approval.untilMonoMs - this.#monoMs() + LATE_MS;
      const end = (): unknown => this.#step(boxId, { kind: 'time', monoMs: this.#monoMs() });
      teardown.timer = setTimeout(end, inMs);
      teardown.timer.unref();
    }
    if (isUnderWay(gate) && this.#options.verbs.providerOf(boxId, gate.act.verb) !== null)
      this.#rounds.next(boxId);
    else this.#rounds.end(boxId);
    this.#tell(boxId, teardown);
  }

  /** How far something is may come late; that it begins or ends may not, since buttons are off meanwhile. */
  #tell(boxId: string, { gate, doing, receipt, told }: BoxTeardown, isNow = true): void {
    if (this.#isClosed) return;
    const provider = this.#options.verbs.providerOf(boxId, verbOf(gate));
    const secrets = this.#options.secrets.viewOf(boxId);
    const value = { gate, doing, receipt, provider, told: [...told], secrets };
    this.#topic.publish({ boxId, value }, isNow);
  }

  #monoMs(): number {
    return (this.#options.monoMs ?? (() => performance.now()))();
  }
}

interface Noted {
  readonly act: Act;
  /** Which machine was looked at. */
  readonly linked: string;
  readonly signal: AbortSignal;
  /** What else is noted on the box. */
  readonly others: readonly OrderOnBox[];
}

const isAt = (act: Act, gate: GateState): boolean =>
  gate.kind === 'acting' && gate.act.id === act.id;

/** The verb that a yes is to, or that is under way; null: none is. */
function verbOf(gate: GateState): string | null {
  if (gate.kind === 'shut') return null;
  return gate.kind === 'approved' ? gate.approval.verb : gate.act.verb;
}

const LOOKING: TeardownDoing = { kind: 'inspecting', ...LOOK_BEGINS };
