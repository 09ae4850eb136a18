import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  APPROVAL_LASTS_MS,
  GatePass,
  SHUT,
  stepGate,
  type AddressAnswer,
  type GateState,
} from './gate.ts';
import { BLOCKER, inspectionOf, saidOf } from './gate.fixture.ts';
import { pictureOf } from './judge-gone.ts';
import type { Inspection } from './inspection.ts';
import type { OrderAnswer, ProviderSaid } from './provider-said.ts';

const SAID = ['running', 'stopping', 'stopped', 'gone', 'unheard', 'silent'] as const;
const ANSWERS = ['silent', 'silent', 'answers', 'unreachable', 'unknown'] as const;
const NAMES = ['train-a', 'train-b'] as const;

/** What is so, in words of its own: nothing of this is computed as the gate computes it. */
interface Model {
  /** What the box holds, which anybody may change at any time. */
  content: number;
  isInTheWay: boolean;
  name: string;
  /** The count that nobody sets, and the clock that anybody does. */
  monoMs: number;
  wallMs: number;
  /** What the person has seen last. */
  seen: { readonly content: number; readonly isInTheWay: boolean } | null;
  /** What they have said yes to. */
  yes: { readonly content: number; readonly name: string; readonly atMonoMs: number } | null;
  phase: 'before' | 'acting' | 'unconfirmed' | 'gone';
  acts: number;
  /** Of an end that is under way: what the provider and the address said last, and what of that the person has read. */
  told: string;
  read: string;
}

/** The gate, and what its service keeps beside it. */
interface Real {
  state: GateState;
  readonly passes: GatePass[];
  read: string;
}

type Story = fc.Command<Model, Real>;

/** `expect` would take most of the time of a hundred thousand steps. */
function isAsModelled<T extends string | number | boolean>(found: T, wanted: T): void {
  if (found !== wanted) throw new Error(`${String(found)}, and not ${String(wanted)}`);
}

const lookAt = ({ content, isInTheWay, wallMs }: Model): Inspection =>
  inspectionOf(`content ${String(content)}`, isInTheWay ? [BLOCKER] : [], wallMs);

/** A step of a story: what happens to the model, what is done to the gate, and whether it must take it. */
function step(name: string, run: (model: Model, real: Real) => void): Story {
  return {
    check: () => true,
    run: (model, real) => {
      run(model, real);
      const kind = model.phase === 'before' ? (model.yes === null ? 'shut' : 'approved') : null;
      isAsModelled(real.state.kind, kind ?? model.phase);
      isAsModelled(real.passes.length, model.acts);
    },
    toString: () => name,
  };
}

/** Only of the model: the gate must not notice. */
const happens = (name: string, change: (model: Model) => void): Story =>
  step(name, (model) => change(model));

function take(real: Real, event: Parameters<typeof stepGate>[1]): boolean {
  const next = stepGate(real.state, event);
  if (next.ok) real.state = next.value;
  return next.ok;
}

const isOver = ({ yes, monoMs }: Model): boolean =>
  yes !== null && monoMs - yes.atMonoMs >= APPROVAL_LASTS_MS;

const look = (): Story =>
  step('look', (model, real) => {
    const { monoMs, content, isInTheWay } = model;
    const taken = take(real, { kind: 'inspected', inspection: lookAt(model), monoMs });
    isAsModelled(taken, model.phase === 'before');
    if (!taken) return;
    if (isOver(model) || isInTheWay || model.yes?.content !== content) model.yes = null;
    model.seen = { content, isInTheWay };
  });

const approve = (typed: string, ofContent: number | 'seen'): Story =>
  step(`approve ${typed} ${String(ofContent)}`, (model, real) => {
    const { seen, name, monoMs, wallMs } = model;
    const content = ofContent === 'seen' ? (seen?.content ?? 0) : ofContent;
    const taken = take(real, {
      kind: 'approve',
      ...{ verb: 'Terminate', aim: 'gone', digest: `content ${String(content)}` },
      ...{ typed, boxName: name, atMs: wallMs, monoMs },
    });
    const isRight = seen !== null && !seen.isInTheWay && seen.content === content && typed === name;
    isAsModelled(taken, model.phase === 'before' && isRight);
    if (taken) model.yes = { content, name, atMonoMs: monoMs };
  });

/** As the service does it: it looks at the box, which takes its time, and asks for a pass. `isOld`: on a look that was made before. */
const begin = (tookMs: number, isOld: boolean): Story =>
  step(`begin ${isOld ? 'on an old look' : ''}`, (model, real) => {
    const lookedFromMonoMs = isOld ? model.monoMs - APPROVAL_LASTS_MS : model.monoMs;
    const inspection = lookAt(model);
    model.monoMs += tookMs;
    const opened = GatePass.open(real.state, {
      kind: 'begin',
      ...{ inspection, lookedFromMonoMs, boxName: model.name },
      ...{ actId: String(model.acts), evidence: model.acts, monoMs: model.monoMs },
    });
    const { yes, content, isInTheWay, name } = model;
    const mayBegin =
      model.phase === 'before' &&
      yes !== null &&
      !isOld &&
      !isInTheWay &&
      yes.content === content &&
      yes.name === name &&
      !isOver(model);
    isAsModelled(opened.ok, mayBegin);
    if (!opened.ok) return;
    real.state = opened.value.state;
    isAsModelled(opened.value.pass.take(), true);
    isAsModelled(opened.value.pass.take(), false);
    real.passes.push(opened.value.pass);
    model.acts += 1;
    model.yes = null;
    model.phase = 'acting';
    model.told = toldBy(model.acts, null, null);
  });

/** What came of the order: whatever that is, it ends nothing. */
const answered = (kind: OrderAnswer['kind']): Story =>
  step(`the order was ${kind}`, (model, real) => {
    const answer = { ...{ kind, provider: 'Acme', says: 'So it is.' }, atMs: model.wallMs };
    isAsModelled(take(real, { kind: 'answered', answer }), model.phase === 'acting');
    if (model.phase === 'acting' && kind !== 'accepted') model.phase = 'unconfirmed';
  });

/** The person reads the page: what they say from then on is to that. */
const read = (): Story =>
  step('read', (model, real) => {
    model.read = model.told;
    if ('said' in real.state) real.read = pictureOf(real.state);
  });

const confirm = (
  kind: AddressAnswer['kind'],
  said: ProviderSaid['kind'] | null,
  isSaid: boolean,
): Story =>
  step(`confirm ${kind}, ${String(said)}, ${String(isSaid)}`, (model, real) => {
    const { phase, wallMs, read: page, told } = model;
    const isUnderWay = phase === 'acting' || phase === 'unconfirmed';
    const answer = { kind, says: 'So it was.' } as const;
    const word = isSaid ? { atMs: wallMs, to: real.read } : null;
    const asked = { answer, word, said: said === null ? null : saidOf(said), atMs: wallMs };
    isAsModelled(take(real, { kind: 'confirm', ...asked }), isUnderWay);
    if (!isUnderWay) return;
    const tells = toldBy(model.acts, said, kind);
    const isHeard = isSaid && page === told;
    const isToThis = isHeard && told === tells;
    const isSilent = kind === 'silent';
    const isGone =
      (said === 'gone' && (isSilent || (kind !== 'answers' && isToThis))) ||
      (said === null && isSilent && isHeard) ||
      (said === 'unheard' && isSilent && isToThis);
    model.phase = isGone ? 'gone' : said === 'stopping' ? 'acting' : 'unconfirmed';
    model.told = tells;
  });

const toldBy = (act: number, ...told: readonly (string | null)[]): string =>
  JSON.stringify([act, ...told]);

const simple = (kind: 'withdraw' | 'called-off' | 'begin-again'): Story =>
  step(kind, (model, real) => {
    const { phase, yes } = model;
    const isUnderWay = phase === 'acting' || phase === 'unconfirmed';
    const isTaken = take(real, { kind });
    if (kind === 'withdraw') {
      isAsModelled(isTaken, yes !== null);
      model.yes = null;
      return;
    }
    isAsModelled(isTaken, kind === 'called-off' ? isUnderWay : phase === 'gone');
    if (!isTaken) return;
    model.phase = 'before';
    model.seen = null;
  });

const time = (): Story =>
  step('time', (model, real) => {
    isAsModelled(take(real, { kind: 'time', monoMs: model.monoMs }), true);
    if (isOver(model)) model.yes = null;
  });

/** Leasehold is killed and started: of a yes nothing is left, and what was under way is. The count begins anew. */
const restart = (): Story =>
  step('restart', (model, real) => {
    const { state } = real;
    real.state = SHUT;
    if (state.kind === 'acting' || state.kind === 'unconfirmed') {
      take(real, { kind: 'resumed', act: state.act, gone: null });
      model.phase = 'unconfirmed';
      model.told = toldBy(model.acts, null, null);
    } else if (state.kind === 'gone') {
      take(real, { kind: 'resumed', act: state.act, gone: state.gone });
    }
    model.yes = null;
    model.seen = null;
    model.monoMs = 0;
  });

const ms = fc.oneof(
  fc.nat({ max: APPROVAL_LASTS_MS / 3 }),
  fc.constantFrom(APPROVAL_LASTS_MS - 1, APPROVAL_LASTS_MS),
);
const commands: fc.Arbitrary<Story>[] = [
  ...[look(), look(), look(), ...[1, 2, 3].map(() => begin(1000, false))].map((each) =>
    fc.constant(each),
  ),
  ...[approve(NAMES[0], 'seen'), approve(NAMES[0], 'seen')].map((each) => fc.constant(each)),
  fc
    .tuple(fc.constantFrom(...NAMES, ''), fc.constantFrom<number | 'seen'>(0, 1, 2, 'seen'))
    .map((yes) => approve(...yes)),
  fc.tuple(fc.constantFrom(0, 0, 1000, APPROVAL_LASTS_MS), fc.boolean()).map((at) => begin(...at)),
  fc
    .tuple(
      fc.constantFrom(...ANSWERS),
      fc.constantFrom(null, 'gone' as const, ...SAID),
      fc.boolean(),
    )
    .map((said) => confirm(...said)),
  fc.constantFrom('accepted' as const, 'refused' as const, 'lost' as const).map(answered),
  fc.constantFrom(simple('withdraw'), simple('called-off'), simple('begin-again')),
  fc.constantFrom(time(), restart(), read(), read()),
  fc
    .constantFrom(0, 1, 2)
    .map((content) =>
      happens(`the box holds ${String(content)}`, (model) => (model.content = content)),
    ),
  fc
    .boolean()
    .map((isThere) =>
      happens(`in the way ${String(isThere)}`, (model) => (model.isInTheWay = isThere)),
    ),
  fc
    .constantFrom(...NAMES)
    .map((name) => happens(`the box is called ${name}`, (model) => (model.name = name))),
  ms.map((more) => happens(`${String(more)} ms pass`, (model) => (model.monoMs += more))),
  fc
    .integer({ min: -1e13, max: 1e13 })
    .map((wallMs) =>
      happens(`the clock is set to ${String(wallMs)}`, (model) => (model.wallMs = wallMs)),
    ),
];

it('gives out a pass only for a fresh yes to exactly what is there, over thousands of stories', () => {
  let acts = 0;
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 60, size: '+1' }), (story) => {
      const model: Model = {
        ...{ content: 0, isInTheWay: false, name: NAMES[0], monoMs: 0, wallMs: 0 },
        ...{ seen: null, yes: null, phase: 'before', acts: 0, told: '', read: '-' },
      };
      const real: Real = { state: SHUT, passes: [], read: '' };
      fc.modelRun(() => ({ model, real }), story);
      expect(real.passes.every((pass) => !pass.take())).toBe(true);
      acts += model.acts;
    }),
    { numRuns: 4000 },
  );
  // Stories that never come to an end would prove nothing.
  expect(acts).toBeGreaterThan(500);
});
