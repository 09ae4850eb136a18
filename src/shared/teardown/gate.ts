import { err, ok, type Result } from '../result.ts';
import type { FoundMachine } from './found-on-box.ts';
import { openBlockers, type Inspection } from './inspection.ts';
import { judgeGone, type GoneQuestion } from './judge-gone.ts';
import type { ActAnswer, ProviderSaid } from './provider-said.ts';

/** How a box is when its verb has done what it does. */
export type EndAim = 'stopped' | 'gone';

/** A person has said yes: to this verb, of this box, as it was inspected. */
export interface Approval {
  readonly verb: string;
  readonly aim: EndAim;
  readonly digest: string;
  /** What the person typed, which was the name of the box then. */
  readonly typed: string;
  readonly atMs: number;
  /** By the count that nobody sets, which alone decides what was before it and when it is over. */
  readonly fromMonoMs: number;
  readonly untilMonoMs: number;
}

/** What was set going and cannot be taken back by Leasehold. */
export interface Act {
  /** Who carries it out knows it by this, from before it began. */
  readonly id: string;
  readonly verb: string;
  readonly aim: EndAim;
  readonly approvedAtMs: number;
  /** The entry of the evidence that has the approval. */
  readonly evidence: number;
  /** The machine that it is meant for, and no other at its address or in its place at the provider; null: an older Leasehold did not write it. */
  readonly machine: FoundMachine | null;
}

/** What the address of a box answered when it was asked for a sign of life. */
export type AddressAnswer =
  /** Nobody answers there; as a sentence. */
  | { readonly kind: 'silent'; readonly says: string }
  | { readonly kind: 'answers'; readonly says: string }
  /** No way led there: a network, a router, a jump host or a proxy failed before it. That says nothing of the box. */
  | { readonly kind: 'unreachable'; readonly says: string }
  /** Nobody asked to the end, or what took the connection did not say who it is. */
  | { readonly kind: 'unknown'; readonly says: string };

/** How far the end of a box has come. */
export type GateState =
  | { readonly kind: 'shut'; readonly inspection: Inspection | null }
  | { readonly kind: 'approved'; readonly inspection: Inspection; readonly approval: Approval }
  /** `isAnswered`: the order is out, and whoever was to have it has said something. */
  | ({ readonly kind: 'acting'; readonly isAnswered: boolean } & UnderWay)
  /** Nobody has proven that it is gone: it goes on costing. */
  | ({ readonly kind: 'unconfirmed'; readonly because: string } & UnderWay)
  | { readonly kind: 'gone'; readonly act: Act; readonly gone: Gone };

export interface UnderWay {
  readonly act: Act;
  /** What the provider said last; null: nothing, or none is linked. */
  readonly said: ProviderSaid | null;
  /** What the address answered last; null: it was not asked. */
  readonly answer: AddressAnswer | null;
}

/** Two witnesses that only together say that a box is gone. */
export interface Gone {
  readonly atMs: number;
  /** How its address was silent; of one that could not be asked, why: then provider and person both say so. */
  readonly silence: string;
  readonly by:
    | { readonly kind: 'provider'; readonly said: ProviderSaid }
    /** `said`: of a provider that knows no such machine, or that says so too. */
    | { readonly kind: 'person'; readonly saidAtMs: number; readonly said: ProviderSaid | null };
}

export type GateEvent =
  | { readonly kind: 'inspected'; readonly inspection: Inspection; readonly monoMs: number }
  | {
      readonly kind: 'approve';
      readonly verb: string;
      readonly aim: EndAim;
      /** Of what the person saw. */
      readonly digest: string;
      readonly typed: string;
      readonly boxName: string;
      readonly atMs: number;
      readonly monoMs: number;
    }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'time'; readonly monoMs: number }
  | {
      readonly kind: 'begin';
      readonly inspection: Inspection;
      /** When that look began. */
      readonly lookedFromMonoMs: number;
      readonly boxName: string;
      readonly actId: string;
      readonly evidence: number;
      readonly monoMs: number;
    }
  /** What came of setting it going. */
  | { readonly kind: 'answered'; readonly answer: ActAnswer }
  /** The evidence has an end under way, or over, that this Leasehold did not begin: it was started anew, or another one runs beside it. */
  | { readonly kind: 'resumed'; readonly act: Act; readonly gone: Gone | null }
  | ({ readonly kind: 'confirm' } & GoneQuestion)
  /** The person did not end it after all. */
  | { readonly kind: 'called-off' }
  /** Leasehold itself has ended work on it, or deleted there. */
  | { readonly kind: 'changed' }
  /** The box is looked at again, though it was gone: its address may be another machine's now. */
  | { readonly kind: 'begin-again' };

export type GateEventKind = GateEvent['kind'];
export const gateStateKinds = ['shut', 'approved', 'acting', 'unconfirmed', 'gone'] as const;

export type GateRefusal =
  | 'not-inspected'
  | 'blocked'
  | 'changed'
  | 'wrong-name'
  | 'expired'
  | 'not-approved'
  | 'under-way'
  | 'not-under-way'
  | 'gone';

/** Long enough to read the steps once more. */
export const APPROVAL_LASTS_MS = 10 * 60_000;

/** SECURITY: the one place where it is decided whether a box may be ended. Any event that is not for a state is refused, and changes nothing. */
export function stepGate(state: GateState, event: GateEvent): Result<GateState, GateRefusal> {
  switch (event.kind) {
    case 'inspected':
      return inspected(state, event);
    case 'approve':
      return approve(state, event);
    case 'withdraw':
      return state.kind === 'approved'
        ? ok({ kind: 'shut', inspection: state.inspection })
        : err('not-approved');
    case 'time':
      return ok(afterTime(state, event.monoMs));
    case 'begin':
      return begin(state, event);
    case 'answered':
      return answered(state, event);
    case 'resumed':
      return resumed(state, event);
    case 'confirm':
      return confirm(state, event);
    case 'called-off':
      return isUnderWay(state) ? ok(SHUT) : err('not-under-way');
    case 'changed':
      return changed(state);
    case 'begin-again':
      return state.kind === 'gone' ? ok(SHUT) : err('not-under-way');
  }
}

export const SHUT: GateState = { kind: 'shut', inspection: null };

const RESUMED =
  'The evidence log says that its end was begun, and nothing has confirmed that it is gone.';

type Of<K extends GateEventKind> = Extract<GateEvent, { readonly kind: K }>;
type StateUnderWay = Extract<GateState, { readonly kind: 'acting' | 'unconfirmed' }>;

export const isUnderWay = (state: GateState): state is StateUnderWay =>
  state.kind === 'acting' || state.kind === 'unconfirmed';

/** An approval outlives a look only where nothing at all has changed. */
function inspected(
  state: GateState,
  { inspection, monoMs }: Of<'inspected'>,
): Result<GateState, GateRefusal> {
  if (isUnderWay(state)) return err('under-way');
  if (state.kind === 'gone') return err('gone');
  const now = afterTime(state, monoMs);
  return now.kind === 'approved' && mayBegin(inspection, now.approval)
    ? ok({ ...now, inspection })
    : ok({ kind: 'shut', inspection });
}

function approve(
  state: GateState,
  { verb, aim, digest, typed, boxName, atMs, monoMs }: Of<'approve'>,
): Result<GateState, GateRefusal> {
  if (isUnderWay(state)) return err('under-way');
  if (state.kind === 'gone') return err('gone');
  const { inspection } = state;
  if (inspection === null) return err('not-inspected');
  if (openBlockers(inspection, verb).length > 0) return err('blocked');
  if (inspection.digest !== digest) return err('changed');
  if (typed !== boxName || boxName === '') return err('wrong-name');
  const approval = {
    ...{ verb, aim, digest, typed, atMs },
    ...{ fromMonoMs: monoMs, untilMonoMs: monoMs + APPROVAL_LASTS_MS },
  };
  return ok({ kind: 'approved', inspection, approval });
}

function afterTime(state: GateState, monoMs: number): GateState {
  if (state.kind !== 'approved' || monoMs < state.approval.untilMonoMs) return state;
  return { kind: 'shut', inspection: state.inspection };
}

const mayBegin = (inspection: Inspection, { digest, verb }: Approval): boolean =>
  openBlockers(inspection, verb).length === 0 && inspection.digest === digest;

/** What is said to who would begin. */
export function whyNotApproved({
  kind,
}: Exclude<GateState, { readonly kind: 'approved' }>): GateRefusal {
  if (kind === 'shut') return 'not-approved';
  return kind === 'gone' ? 'gone' : 'under-way';
}

function begin(
  state: GateState,
  { inspection, lookedFromMonoMs, boxName, actId, evidence, monoMs }: Of<'begin'>,
): Result<GateState, GateRefusal> {
  if (state.kind !== 'approved') return err(whyNotApproved(state));
  if (afterTime(state, monoMs).kind !== 'approved') return err('expired');
  if (lookedFromMonoMs < state.approval.fromMonoMs) return err('not-inspected');
  if (boxName !== state.approval.typed) return err('wrong-name');
  if (openBlockers(inspection, state.approval.verb).length > 0) return err('blocked');
  if (!mayBegin(inspection, state.approval)) return err('changed');
  const { verb, aim, atMs } = state.approval;
  const { machine } = inspection;
  const act = { id: actId, verb, aim, approvedAtMs: atMs, evidence, machine };
  return ok({ kind: 'acting', act, isAnswered: false, said: null, answer: null });
}

/** What was seen of it before counts no more, and a yes to that neither. */
function changed(state: GateState): Result<GateState, GateRefusal> {
  if (isUnderWay(state)) return err('under-way');
  if (state.kind === 'gone') return err('gone');
  return ok(SHUT);
}

/** An order that was taken says nothing of its end, and one that was not may have been carried out all the same. */
function answered(state: GateState, { answer }: Of<'answered'>): Result<GateState, GateRefusal> {
  if (state.kind !== 'acting') return err(whyNotUnderWay(state));
  switch (answer.kind) {
    case 'by-hand':
    case 'accepted':
      return ok({ ...state, isAnswered: true });
    case 'refused':
      return ok({
        ...state,
        kind: 'unconfirmed',
        because: `${answer.provider} refused: ${answer.says}`,
      });
    case 'lost':
      return ok({
        ...state,
        kind: 'unconfirmed',
        because: `Whether ${answer.provider} received the request is not known, and it is not sent again: ${answer.says}`,
      });
  }
}

/** What is said to who would confirm or call off. */
export const whyNotUnderWay = ({ kind }: GateState): GateRefusal =>
  kind === 'gone' ? 'gone' : kind === 'unconfirmed' ? 'under-way' : 'not-under-way';

function resumed(state: GateState, { act, gone }: Of<'resumed'>): Result<GateState, GateRefusal> {
  if (state.kind === 'gone') return err('gone');
  if (gone === null && isUnderWay(state)) return err('under-way');
  return ok(
    gone === null
      ? { kind: 'unconfirmed', act, said: null, answer: null, because: RESUMED }
      : { kind: 'gone', act, gone },
  );
}

function confirm(state: GateState, asked: Of<'confirm'>): Result<GateState, GateRefusal> {
  if (!isUnderWay(state)) return err(whyNotUnderWay(state));
  const { act } = state;
  const { said, answer } = asked;
  const verdict = judgeGone(state, asked);
  switch (verdict.kind) {
    case 'gone':
      return ok({ kind: 'gone', act: { ...act, aim: verdict.aim }, gone: verdict.gone });
    case 'going':
      return ok({ kind: 'acting', act, isAnswered: true, said, answer });
    case 'unconfirmed':
      return ok({ kind: 'unconfirmed', act, said, answer, because: verdict.because });
  }
}

/**
 * What every call that ends a box or stops its meter asks for. Only an open gate gives one out, and each is good for one call, so that no
 * way around the gate compiles.
 */
export class GatePass {
  readonly act: Act;
  #isUsed = false;

  private constructor(act: Act) {
    this.act = act;
  }

  /** The state that follows, and the pass for it; a refusal changes nothing. */
  static open(
    state: GateState,
    event: Of<'begin'>,
  ): Result<{ readonly state: GateState; readonly pass: GatePass }, GateRefusal> {
    const next = stepGate(state, event);
    if (!next.ok) return next;
    if (next.value.kind !== 'acting') return err('not-approved');
    return ok({ state: next.value, pass: new GatePass(next.value.act) });
  }

  /** True once. */
  take(): boolean {
    if (this.#isUsed) return false;
    this.#isUsed = true;
    return true;
  }
}
