import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isUnderWay, stepGate, whyNotUnderWay, type Act } from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import { ChangePass, type Change, type PassGround } from '../../shared/teardown/change-pass.ts';
import type { KeptLoss } from '../../shared/teardown/inspection.ts';
import { endedBox } from '../../shared/teardown/teardown-record.ts';
import { LOOK_BEGINS, type TeardownDoing } from '../../shared/teardown/teardown-view.ts';
import { endsBox } from './archive.ts';
import { untilAborted } from '../streams/until-aborted.ts';
import { askGone } from './ask-gone.ts';
import { BoxGates } from './box-gates.ts';
import { tellLine, type BoxTeardown, type OwnTurn } from './box-teardown.ts';
import { OrderSender } from './order-sender.ts';
import {
  BUSY,
  busyWith,
  NO_SUCH_VERB,
  NOT_GONE,
  NOT_LISTED,
  OTHER_PICTURE,
  refused,
  STOPPED,
} from './refused.ts';
import type { TeardownsOptions } from './teardowns-options.ts';

const ASK_FOR_MS = 20_000;
/** Of many changes in a row only the last is looked at. */
export const QUIET_MS = 3000;

/**
 * SECURITY: ends boxes, and nothing else does. A verb is given what only an open gate gives out (`GatePass`); what the gate stands on is looked
 * at anew after the yes.
 */
export class Teardowns {
  readonly #options: TeardownsOptions;
  readonly #gates: BoxGates;
  readonly #sender: OrderSender;

  constructor(options: TeardownsOptions) {
    this.#options = options;
    this.#gates = new BoxGates(options, (boxId) => void this.#askAgain(boxId));
    this.#sender = new OrderSender(options, this.#gates);
  }

  /** Looks at the box now; answers when that is over. */
  inspect(boxId: string): Promise<Result<null, Problem>> {
    const teardown = this.#gates.of(boxId);
    // One under way sees all that there is to see, unless something came home since it began.
    return (
      (teardown?.isOld === false ? this.#joined(boxId, teardown, 'look') : null) ??
      this.#alone(boxId, LOOKING, (of, signal) => this.#look(boxId, of, signal))
    );
  }

  /** Something of it was brought home: whoever has looked at the box before sees what that settled. */
  cameHome(boxId: string): void {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return;
    if (hasLooked(teardown)) this.#lookAgain(boxId, teardown);
  }

  /** A provider was linked to the box, or let go of: from now on that one is asked, and the window says so. */
  relinked(boxId: string): void {
    const teardown = this.#gates.of(boxId);
    if (teardown !== undefined) this.#gates.become(boxId, teardown, teardown.gate);
  }

  /** Reads the copies on this computer again, then looks at the box once more. */
  readCopies(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, async (teardown, signal) => {
      const read = await teardown.inspector.readCopies(signal, this.#gates.does(boxId, teardown));
      return read.ok ? this.#look(boxId, teardown, signal) : read;
    });
  }

  /** What is under way with the box; null: nothing is. */
  underWay(boxId: string): Act | null {
    const gate = this.#gates.of(boxId)?.gate;
    return gate !== undefined && isUnderWay(gate) ? gate.act : null;
  }

  stop(boxId: string): void {
    this.#gates.of(boxId)?.stopper?.abort();
  }

  /** A person gives up one thing, as it was shown. Kept as evidence before it counts. */
  accept(
    boxId: string,
    { id, loss, because }: Pick<KeptLoss, 'id' | 'loss' | 'because'>,
  ): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, async (teardown, signal) => {
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
      return kept.ok ? this.#look(boxId, teardown, signal) : kept;
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

  /**
   * SECURITY: the verbs that end work on a box or delete there. Whoever does one is given the pass for it here, where the gate allows that. No yes is
   * given meanwhile, and nothing that was seen before counts after it. `waits`: not while something else is done for the box; then a person can stop it.
   */
  async change<T>(
    boxId: string,
    change: Change,
    act: (pass: ChangePass, signal?: AbortSignal) => Promise<Result<T, Problem>>,
    // A run that must end does not wait for an hour of reading; who deletes does.
    waits = change.does === 'delete',
  ): Promise<Result<T, Problem>> {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return err(refused(NOT_LISTED));
    return waits
      ? this.#alone(boxId, { kind: 'deleting' }, (of, signal) =>
          this.#change(boxId, of, change, (pass) => act(pass, signal)),
        )
      : this.#change(boxId, teardown, change, act);
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
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return err(refused(NOT_LISTED));
    // What Leasehold looks at by itself meanwhile ends the yes where anything has changed.
    if (isHeldUp(teardown) || teardown.changing > 0) return err(refused(BUSY));
    const caughtUp = this.#gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const aim = this.#options.verbs.aimOf(boxId, verb);
    if (aim === null) return err(refused(NO_SUCH_VERB));
    return this.#gates.step(boxId, {
      ...{ kind: 'approve', verb, aim, digest, typed, boxName: box.name },
      ...{ atMs: Date.now(), monoMs: this.#gates.monoMs() },
    });
  }

  withdraw(boxId: string): Result<null, Problem> {
    return this.#gates.step(boxId, { kind: 'withdraw' });
  }

  /** Ends the box. */
  begin(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, LOOKING, (teardown, signal) =>
      this.#sender.send(boxId, teardown, signal),
    );
  }

  /** Asks the provider and the address of the box whether it is gone. `saidTo`: the person says that it is done, to this picture of it. */
  confirm(boxId: string, saidTo: string | null): Promise<Result<null, Problem>> {
    const teardown = this.#gates.of(boxId);
    const joined =
      saidTo === null && teardown !== undefined ? this.#joined(boxId, teardown, 'question') : null;
    return (
      joined ??
      this.#alone(boxId, CONFIRMING, (of, signal) => this.#ask(boxId, of, { saidTo, signal }))
    );
  }

  /** The person did not end the box after all. */
  callOff(boxId: string): Result<null, Problem> {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return err(refused(refusalWords['not-under-way']));
    const caughtUp = this.#gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const { gate } = teardown;
    if (!isUnderWay(gate)) return err(refused(refusalWords[whyNotUnderWay(gate)]));
    // An order may be on its way. What is only asked may be asked in vain.
    if (isHeldUp(teardown) && teardown.doing?.kind !== 'confirming') return err(refused(BUSY));
    const said = { step: 'called-off', approval: gate.act.evidence } as const;
    const kept = this.#options.records.append(boxId, said, teardown.known);
    if (!kept.ok) return kept;
    teardown.known = kept.value;
    this.#sender.removeNote(boxId, gate.act);
    return this.#gates.step(boxId, { kind: 'called-off' });
  }

  /** A machine is at this address again: it has everything before it. */
  beginAgain(boxId: string): Result<null, Problem> {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return err(refused(NOT_GONE));
    const caughtUp = this.#gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const { gate } = teardown;
    if (gate.kind !== 'gone') return err(refused(NOT_GONE));
    const { archive, records, roster, onAgain } = this.#options;
    const ended = records.newest(boxId);
    if (!ended.ok) return ended;
    const archivedAtMs = roster.boxOf(boxId)?.archivedAtMs ?? null;
    // Its row first, which says whether another has its address by now: a box that is gone by the evidence goes back at the next start.
    const listed = archive(boxId, null);
    if (!listed.ok) return listed;
    const said = { step: 'again', approval: gate.act.evidence } as const;
    const kept = records.append(boxId, said, teardown.known);
    if (!kept.ok) {
      if (archivedAtMs !== null) this.#gates.archive(boxId, archivedAtMs);
      return kept;
    }
    teardown.known = kept.value;
    teardown.receipt = null;
    onAgain(boxId, ended.value?.step.step === 'gone' && ended.value.step.ends === true);
    return this.#gates.step(boxId, { kind: 'begin-again' });
  }

  /** For quitting. */
  close(): void {
    this.#gates.close();
  }

  async #look(
    boxId: string,
    teardown: BoxTeardown,
    signal: AbortSignal,
  ): Promise<Result<null, Problem>> {
    const wasOld = teardown.isOld;
    // What comes home or is changed from here on it may miss.
    teardown.isOld = false;
    clearTimeout(teardown.quiet ?? undefined);
    teardown.quiet = null;
    const { changed } = teardown;
    const does = this.#gates.does(boxId, teardown);
    const inspection = await teardown.inspector.inspectUntil(signal, does);
    if (inspection === null) {
      teardown.isOld ||= wasOld;
      return err(refused(STOPPED));
    }
    const monoMs = this.#gates.monoMs();
    const seen = this.#gates.step(boxId, { kind: 'inspected', inspection, monoMs });
    if (teardown.changed !== changed) this.#seenBefore(boxId, teardown);
    return seen;
  }

  async #change<T>(
    boxId: string,
    teardown: BoxTeardown,
    change: Change,
    act: (pass: ChangePass) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    const { onProblem: onUnread } = this.#options;
    const ground = () => this.#ground(boxId, teardown);
    const opened = ChangePass.open({ ground, onUnread }, change);
    if (!opened.ok) return opened;
    teardown.changing += 1;
    this.#gates.tell(boxId, teardown);
    try {
      return await act(opened.value);
    } finally {
      teardown.changing -= 1;
      if (opened.value.isTaken) {
        teardown.changed += 1;
        this.#seenBefore(boxId, teardown);
      }
      if (this.#gates.of(boxId) === teardown) this.#gates.tell(boxId, teardown);
    }
  }

  #ground(boxId: string, teardown: BoxTeardown): Result<PassGround, Problem> {
    if (this.#gates.of(boxId) !== teardown) return err(refused(NOT_LISTED));
    const caughtUp = this.#gates.catchUp(boxId, teardown);
    const { gate } = teardown;
    const isLeft = gate.kind === 'gone' && !endsBox(gate.act, this.#options.factsOf(boxId));
    return ok({ gate, isLeft, unread: caughtUp.ok ? null : caughtUp.error });
  }

  /** What was seen of it was so before it was changed: whoever has looked at it sees what came of that. */
  #seenBefore(boxId: string, teardown: BoxTeardown): void {
    if (this.#gates.of(boxId) !== teardown || this.#gates.isClosed) return;
    if (!hasLooked(teardown) && teardown.quiet === null) return;
    this.#gates.step(boxId, { kind: 'changed' });
    clearTimeout(teardown.quiet ?? undefined);
    teardown.quiet = setTimeout(() => {
      teardown.quiet = null;
      this.#lookAgain(boxId, teardown);
    }, QUIET_MS);
    teardown.quiet.unref();
  }

  #lookAgain(boxId: string, teardown: BoxTeardown): void {
    if (!('inspection' in teardown.gate)) return;
    if (teardown.doing !== null) teardown.isOld = true;
    else {
      void this.#byItself(boxId, teardown, 'look', (signal) => this.#look(boxId, teardown, signal));
    }
  }

  async #ask(
    boxId: string,
    teardown: BoxTeardown,
    { saidTo, signal }: { readonly saidTo: string | null; readonly signal: AbortSignal },
  ): Promise<Result<null, Problem>> {
    const { gate } = teardown;
    if (!isUnderWay(gate)) return err(refused(refusalWords[whyNotUnderWay(gate)]));
    if (saidTo !== null && saidTo !== pictureOf(gate)) return err(refused(OTHER_PICTURE));
    const word = saidTo === null ? null : { atMs: Date.now(), to: saidTo };
    const { roster, isOnline, verbs, secrets, askForMs: forMs = ASK_FOR_MS } = this.#options;
    const asking = askGone(boxId, gate.act, {
      ...{ roster, verbs, signal, forMs, word },
      ...(isOnline !== undefined && { isOnline }),
    });
    const asked = await untilAborted(asking, signal);
    // What was broken off is no answer of anybody.
    if (asked === null || signal.aborted) return err(refused(STOPPED));
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
      if (ended.ends === true) this.#gates.archive(boxId, gone.atMs);
    }
    this.#gates.become(boxId, teardown, next.value);
    return ok(null);
  }

  /** One thing at a time for a box. What nobody asked for is stopped, and made up for once the person has what they asked for. */
  async #alone<T>(boxId: string, doing: TeardownDoing, act: Turn<T>): Promise<Result<T, Problem>> {
    const gates = this.#gates;
    const teardown = gates.of(boxId);
    if (teardown === undefined) return err(refused(NOT_LISTED));
    while (teardown.byItself !== null) {
      const own = teardown.byItself;
      own.isStopped = true;
      teardown.isOld ||= own.kind === 'look';
      teardown.stopper?.abort();
      await own.done;
    }
    if (gates.of(boxId) !== teardown || gates.isClosed) return err(refused(NOT_LISTED));
    if (teardown.doing !== null) return err(busyWith(teardown.doing));
    return this.#turn(boxId, teardown, doing, act);
  }

  async #turn<T>(
    boxId: string,
    teardown: BoxTeardown,
    doing: TeardownDoing,
    act: Turn<T>,
  ): Promise<Result<T, Problem>> {
    const stopper = new AbortController();
    teardown.doing = doing;
    teardown.stopper = stopper;
    this.#gates.tell(boxId, teardown);
    try {
      const caughtUp = this.#gates.catchUp(boxId, teardown);
      return caughtUp.ok ? await act(teardown, stopper.signal) : caughtUp;
    } finally {
      const hasGivenWay = teardown.byItself?.isStopped === true;
      teardown.doing = null;
      teardown.stopper = null;
      teardown.byItself = null;
      // Who has stopped it is next.
      if (teardown.isOld && !hasGivenWay) {
        teardown.isOld = false;
        if (teardown.quiet === null) this.#lookAgain(boxId, teardown);
      }
      if (this.#gates.of(boxId) === teardown) this.#gates.tell(boxId, teardown);
    }
  }

  /** Leasehold does this of its own accord, while nothing else is done for the box. */
  #byItself(
    boxId: string,
    teardown: BoxTeardown,
    kind: OwnTurn['kind'],
    act: (signal: AbortSignal) => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    if (this.#gates.isClosed || teardown.doing !== null) {
      return Promise.resolve(err(refused(BUSY)));
    }
    const own: OwnTurn = { kind, isStopped: false, done: Promise.resolve(ok(null)) };
    teardown.byItself = own;
    const doing = kind === 'look' ? LOOKING : CONFIRMING;
    own.done = this.#turn(boxId, teardown, doing, (_teardown, signal) => act(signal));
    return own.done;
  }

  /** What Leasehold does by itself is from now on what a person asked for; null: it does no such thing. */
  #joined(
    boxId: string,
    teardown: BoxTeardown,
    kind: OwnTurn['kind'],
  ): Promise<Result<null, Problem>> | null {
    const own = teardown.byItself;
    if (own === null || own.kind !== kind || own.isStopped) return null;
    teardown.byItself = null;
    this.#gates.tell(boxId, teardown);
    return own.done;
  }

  async #askAgain(boxId: string): Promise<void> {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return;
    const asked = await this.#byItself(boxId, teardown, 'question', (signal) =>
      this.#ask(boxId, teardown, { saidTo: null, signal }),
    );
    if (asked.ok || this.#gates.isClosed || this.#gates.of(boxId) !== teardown) return;
    // Something else was being done for the box, which may have ended what is asked about.
    if (isUnderWay(teardown.gate)) this.#gates.nextRound(boxId);
  }
}

type Turn<T> = (teardown: BoxTeardown, signal: AbortSignal) => Promise<Result<T, Problem>>;

const hasLooked = ({ gate }: BoxTeardown): boolean =>
  'inspection' in gate && gate.inspection !== null;

/** By what a person asked for. */
const isHeldUp = ({ doing, byItself }: BoxTeardown): boolean => doing !== null && byItself === null;

const LOOKING: TeardownDoing = { kind: 'inspecting', ...LOOK_BEGINS };
const CONFIRMING: TeardownDoing = { kind: 'confirming' };
