import { randomUUID } from 'node:crypto';
import type { Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import {
  GatePass,
  stepGate,
  whyNotApproved,
  type Act,
  type GateState,
} from '../../shared/teardown/gate.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import { endFacts } from '../../shared/teardown/found-on-box.ts';
import { isOrderAccepted } from '../../shared/teardown/blockers/order-blockers.ts';
import type { OrderOnBox } from '../../shared/teardown/read-orders.ts';
import { approvedEnd } from '../../shared/teardown/teardown-record.ts';
import type { SeenRun } from '../runs/seen-runs.ts';
import type { BoxGates } from './box-gates.ts';
import { tellLine, type BoxTeardown } from './box-teardown.ts';
import {
  NO_SUCH_VERB,
  ORDERED,
  OTHER_FACTS,
  OTHER_LEASEHOLD,
  OTHER_MACHINE,
  OTHER_NAME,
  OTHER_RUNS,
  refused,
  STOPPED,
} from './refused.ts';
import type { TeardownsOptions } from './teardowns-options.ts';
import { whoApproves } from './who-approves.ts';

/**
 * SECURITY: sends the order that ends a box, and nothing else does. The box is looked at anew after the yes; the yes is in the evidence, and noted
 * on the box, before anything is sent; and all is checked again between that and the call.
 */
export class OrderSender {
  readonly #options: TeardownsOptions;
  readonly #gates: BoxGates;

  constructor(options: TeardownsOptions, gates: BoxGates) {
    this.#options = options;
    this.#gates = gates;
  }

  async send(
    boxId: string,
    teardown: BoxTeardown,
    signal: AbortSignal,
  ): Promise<Result<null, Problem>> {
    const gates = this.#gates;
    if (teardown.gate.kind !== 'approved') {
      return err(refused(refusalWords[whyNotApproved(teardown.gate)]));
    }
    const linked = this.#linked(boxId, teardown.gate.approval.verb);
    const facts = this.#facts(boxId);
    const seen = this.#options.everSeenOn(boxId);
    if (!seen.ok) return seen;
    const runs = new Set(seen.value.map(asKept));
    const lookedFromMonoMs = gates.monoMs();
    const does = gates.does(boxId, teardown);
    const inspection = await teardown.inspector.inspectUntil(signal, does);
    // While it was looked at, the person may have taken their yes back or forgotten the box, and another Leasehold may have begun.
    const caughtUp = gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp;
    const box = this.#options.roster.boxOf(boxId);
    const { gate } = teardown;
    if (inspection === null || box === null) return err(refused(STOPPED));
    const [monoMs, actId] = [gates.monoMs(), randomUUID()];
    const looked = { inspection, lookedFromMonoMs, boxName: box.name, actId, monoMs };
    const dry = stepGate(gate, { kind: 'begin', ...looked, evidence: 0 });
    if (!dry.ok || gate.kind !== 'approved') {
      if (gate.kind === 'approved') gates.become(boxId, teardown, { kind: 'shut', inspection });
      return err(refused(refusalWords[dry.ok ? 'not-approved' : dry.error]));
    }
    const { verbs, secrets } = this.#options;
    const isSame = this.#linked(boxId, gate.approval.verb) === linked;
    if (!isSame || verbs.aimOf(boxId, gate.approval.verb) !== gate.approval.aim) {
      gates.become(boxId, teardown, { kind: 'shut', inspection });
      return err(refused(isSame ? NO_SUCH_VERB : OTHER_MACHINE));
    }
    const beside = { secrets: secrets.kept(boxId), who: whoApproves() };
    const approved = approvedEnd(actId, gate.approval, inspection, beside);
    const said = { step: 'approved', ...approved } as const;
    const kept = this.#options.records.append(boxId, said, teardown.known);
    if (!kept.ok) return kept;
    teardown.known = kept.value;
    const opened = GatePass.open(gate, { kind: 'begin', ...looked, evidence: kept.value });
    if (!opened.ok) return err(refused(refusalWords[opened.error]));
    const { state, pass } = opened.value;
    teardown.told.length = 0;
    gates.become(boxId, teardown, state);
    const noted = await this.#options.noteOrder(boxId, pass.act, false);
    // It may not be there any more to take it, and the evidence here has it already: an end does not hang on that.
    const unnoted = noted.ok ? noted.value.unnoted : noted.error;
    if (unnoted !== null && !gates.isClosed) this.#options.onProblem(unnoted);
    // Where the evidence does not tell, there may be others.
    if (!noted.ok) return this.#unsent(boxId, teardown, pass.act, noted.error);
    const others = noted.value.others.filter((order) => !isOrderAccepted(inspection, order));
    const boxName = box.name;
    const noting = { act: pass.act, linked, facts, runs, boxName, signal, others };
    const why = this.#whyNotSent(boxId, teardown, noting);
    if (why !== null) return this.#unsent(boxId, teardown, pass.act, why);
    const answer = await verbs.act(boxId, pass);
    if (answer.kind !== 'by-hand') tellLine(teardown, answer);
    return gates.step(boxId, { kind: 'answered', answer });
  }

  /** Of an end that is called off, or was never sent. */
  removeNote(boxId: string, order: Act): void {
    void this.#options.noteOrder(boxId, order, true).then((removed) => {
      const fault = removed.ok ? removed.value.unnoted : removed.error;
      // Quitting cuts the way to the box.
      if (fault !== null && !this.#gates.isClosed) this.#options.onProblem(fault);
    });
  }

  /** SECURITY: what came while its end was noted on the box; null: nothing did. The order goes out in the same breath. */
  #whyNotSent(
    boxId: string,
    teardown: BoxTeardown,
    { act, linked, facts, runs, boxName, signal, others }: Noted,
  ): Problem | null {
    const box = this.#options.roster.boxOf(boxId);
    // Quitting, and forgetting the box, stop it as well.
    if (signal.aborted || box === null) return refused(STOPPED);
    const caughtUp = this.#gates.catchUp(boxId, teardown);
    if (!caughtUp.ok) return caughtUp.error;
    if (!isAt(act, teardown.gate)) return refused(OTHER_LEASEHOLD);
    if (box.name !== boxName) return refused(OTHER_NAME);
    if (this.#linked(boxId, act.verb) !== linked) return refused(OTHER_MACHINE);
    if (this.#options.verbs.aimOf(boxId, act.verb) !== act.aim) return refused(NO_SUCH_VERB);
    if (this.#facts(boxId) !== facts) return refused(OTHER_FACTS);
    const seen = this.#options.everSeenOn(boxId);
    if (!seen.ok) return seen.error;
    // Each launch is kept before the box is asked for it, by whichever Leasehold on this data folder.
    if (seen.value.some((run) => !runs.has(asKept(run)))) return refused(OTHER_RUNS);
    if (others.length > 0) return refused(ORDERED);
    return null;
  }

  /** An end that was written down, and of which nobody was told. */
  #unsent(boxId: string, teardown: BoxTeardown, act: Act, why: Problem): Result<null, Problem> {
    // What is closed leaves it to the next start, which finds it unconfirmed.
    if (this.#gates.isClosed) return err(why);
    this.removeNote(boxId, act);
    if (!isAt(act, teardown.gate)) return err(why);
    const said = { step: 'called-off', approval: act.evidence } as const;
    const kept = this.#options.records.append(boxId, said, teardown.known);
    if (kept.ok) teardown.known = kept.value;
    else this.#options.onProblem(kept.error);
    const answer = { kind: 'refused', provider: 'Leasehold', says: why.message } as const;
    // The box may have been forgotten.
    this.#gates.step(
      boxId,
      kept.ok
        ? { kind: 'called-off' }
        : { kind: 'answered', answer: { ...answer, atMs: Date.now() } },
    );
    return err(why);
  }

  /** Which machine an order would be about, and at which address its silence would be heard. */
  #linked(boxId: string, verb: string): string {
    const { instanceOf, verbs, roster } = this.#options;
    const { address, route } = roster.boxOf(boxId) ?? {};
    return JSON.stringify([verbs.providerOf(boxId, verb), instanceOf(boxId), address, route]);
  }

  /** What its verbs do, as the person was shown. */
  #facts(boxId: string): string {
    return JSON.stringify(endFacts(this.#options.factsOf(boxId)));
  }
}

interface Noted {
  readonly act: Act;
  /** Which machine was looked at. */
  readonly linked: string;
  /** What was known of its platform. */
  readonly facts: string;
  /** All that had ever been seen on it or asked for when it was about to be looked at. */
  readonly runs: ReadonlySet<string>;
  readonly boxName: string;
  readonly signal: AbortSignal;
  /** What else is noted on the box, and nobody has accepted. */
  readonly others: readonly OrderOnBox[];
}

/** Of one that is asked for again nothing else changes. */
const asKept = (run: SeenRun): string => JSON.stringify(run);

const isAt = (act: Act, gate: GateState): boolean =>
  gate.kind === 'acting' && gate.act.id === act.id;
