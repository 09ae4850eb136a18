import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isUnderWay, stepGate, whyNotUnderWay } from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { DeletePass } from '../../shared/teardown/delete-pass.ts';
import type { KeptLoss } from '../../shared/teardown/inspection.ts';
import { endedBox } from '../../shared/teardown/teardown-record.ts';
import { LOOK_BEGINS, type TeardownDoing } from '../../shared/teardown/teardown-view.ts';
import { endsBox } from './archive.ts';
import { askGone } from './ask-gone.ts';
import { BoxGates } from './box-gates.ts';
import { tellLine, type BoxTeardown } from './box-teardown.ts';
import { OrderSender } from './order-sender.ts';
import { BUSY, NO_SUCH_VERB, NOT_GONE, NOT_LISTED, OTHER_PICTURE, refused } from './refused.ts';
import type { TeardownsOptions } from './teardowns-options.ts';

const ASK_FOR_MS = 20_000;

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
    return this.#alone(boxId, LOOKING, (teardown) => this.#look(boxId, teardown));
  }

  /** Something of it was brought home: whoever has looked at the box before sees what that settled. */
  cameHome(boxId: string): void {
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return;
    const { gate, doing } = teardown;
    if (!('inspection' in gate) || gate.inspection === null) return;
    if (doing === null) void this.#byItself(teardown, this.inspect(boxId));
    else teardown.isOld = true;
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
      return read.ok ? this.#look(boxId, teardown) : read;
    });
  }

  stop(boxId: string): void {
    this.#gates.of(boxId)?.stopper?.abort();
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
    const teardown = this.#gates.of(boxId);
    if (teardown?.doing !== null) return err(refused(BUSY));
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
        if (ended.ends === true) this.#gates.archive(boxId, gone.atMs);
      }
      this.#gates.become(boxId, teardown, next.value);
      return ok(null);
    });
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
    const { doing } = teardown;
    if (doing !== null && doing.kind !== 'confirming') return err(refused(BUSY));
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
    onAgain(boxId);
    return this.#gates.step(boxId, { kind: 'begin-again' });
  }

  /** For quitting. */
  close(): void {
    this.#gates.close();
  }

  async #look(boxId: string, teardown: BoxTeardown): Promise<Result<null, Problem>> {
    const inspection = await teardown.inspector.inspect(this.#gates.does(boxId, teardown));
    return this.#gates.step(boxId, {
      ...{ kind: 'inspected', inspection },
      monoMs: this.#gates.monoMs(),
    });
  }

  /** One thing at a time for a box. */
  async #alone(
    boxId: string,
    doing: TeardownDoing,
    act: (teardown: BoxTeardown, signal: AbortSignal) => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    const gates = this.#gates;
    const teardown = gates.of(boxId);
    if (teardown === undefined || gates.isClosed) {
      return err(refused(NOT_LISTED));
    }
    // What nobody asked for is in nobody's way: a person may ask in the very moment in which it begins.
    while (teardown.byItself !== null) await teardown.byItself;
    if (gates.of(boxId) !== teardown || gates.isClosed) return err(refused(NOT_LISTED));
    if (teardown.doing !== null) return err(refused(BUSY));
    const caughtUp = gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const stopper = new AbortController();
    teardown.doing = doing;
    teardown.stopper = stopper;
    gates.tell(boxId, teardown);
    try {
      return await act(teardown, stopper.signal);
    } finally {
      teardown.doing = null;
      teardown.stopper = null;
      teardown.byItself = null;
      const { isOld } = teardown;
      teardown.isOld = false;
      if (isOld) this.cameHome(boxId);
      if (gates.of(boxId) === teardown) gates.tell(boxId, teardown);
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
    const teardown = this.#gates.of(boxId);
    if (teardown === undefined) return;
    const asked = await this.#byItself(teardown, this.confirm(boxId, null));
    // Something else was being done for the box.
    if (!asked.ok && !this.#gates.isClosed && this.#gates.of(boxId) !== undefined)
      this.#gates.nextRound(boxId);
  }
}

const LOOKING: TeardownDoing = { kind: 'inspecting', ...LOOK_BEGINS };
