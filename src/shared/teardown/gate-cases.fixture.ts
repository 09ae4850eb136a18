import {
  APPROVAL_LASTS_MS,
  SHUT,
  type AddressAnswer,
  type Approval,
  type GateEvent,
  type GateState,
} from './gate.ts';
import { ACT, BLOCKER, inspectionOf, saidOf } from './gate.fixture.ts';
import { pictureOf } from './judge-gone.ts';
import type { OrderAnswer, ProviderSaid } from './provider-said.ts';

const NOW = 1_000_000;
const SEEN = inspectionOf('seen');
const BLOCKED = inspectionOf('seen', [BLOCKER]);

const approval: Approval = {
  ...{ verb: 'Terminate', aim: 'gone', digest: 'seen', typed: 'train-a', atMs: 5 },
  ...{ fromMonoMs: NOW, untilMonoMs: NOW + APPROVAL_LASTS_MS },
};

/** One of each kind, and those of a gate that is shut. */
export const states = {
  'never looked': SHUT,
  blocked: { kind: 'shut', inspection: BLOCKED },
  clear: { kind: 'shut', inspection: SEEN },
  approved: { kind: 'approved', inspection: SEEN, approval },
  acting: { kind: 'acting', act: ACT, isAnswered: false, said: null, answer: null },
  unconfirmed: {
    kind: 'unconfirmed',
    act: ACT,
    said: null,
    answer: null,
    because: 'It still answers.',
  },
  gone: {
    ...{ kind: 'gone', act: ACT },
    gone: {
      ...{ atMs: 9, silence: 'Nobody answers.' },
      by: { kind: 'person', saidAtMs: 8, said: null },
    },
  },
} as const satisfies Record<string, GateState>;

export const yes = {
  kind: 'approve',
  aim: 'gone',
  ...{ verb: 'Terminate', digest: 'seen', typed: 'train-a', boxName: 'train-a' },
  ...{ atMs: 5, monoMs: NOW },
} as const;
export const begin = {
  kind: 'begin',
  ...{ inspection: SEEN, lookedFromMonoMs: NOW, boxName: 'train-a' },
  ...{ actId: 'act-1', evidence: 7 },
  ...{ monoMs: NOW + APPROVAL_LASTS_MS - 1 },
} as const;
const look = { kind: 'inspected', inspection: SEEN, monoMs: NOW } as const;
export const confirm = (
  kind: AddressAnswer['kind'] | null,
  saidAtMs: number | null,
  said: ProviderSaid['kind'] | null = null,
  to = pictureOf(states.acting),
): GateEvent => ({
  kind: 'confirm',
  answer: kind === null ? null : { kind, says: 'So it was.' },
  word: saidAtMs === null ? null : { atMs: saidAtMs, to },
  ...{ said: said === null ? null : saidOf(said), atMs: 9 },
});
const answered = (kind: OrderAnswer['kind']): GateEvent => ({
  ...{ kind: 'answered', answer: { kind, provider: 'Acme', says: 'So it is.', atMs: 6 } },
});

const isUnderWay = '- under-way';
const isGone = '- gone';

/** What follows in each state, in the order of `states`; "- " is before the word of a refusal. */
export const table: readonly (readonly [string, GateEvent, readonly string[]])[] = [
  [
    'a look that finds the same',
    look,
    [
      'shut, open to a yes',
      'shut, open to a yes',
      'shut, open to a yes',
      'approved',
      ...[isUnderWay, isUnderWay, isGone],
    ],
  ],
  [
    'a look that finds something else',
    { ...look, inspection: inspectionOf('else') },
    [...Array<string>(4).fill('shut, open to a yes'), ...[isUnderWay, isUnderWay, isGone]],
  ],
  [
    'a look that finds something in the way',
    { ...look, inspection: BLOCKED },
    [...Array<string>(4).fill('shut, blocked'), isUnderWay, isUnderWay, isGone],
  ],
  [
    'the same look after the yes is over',
    { ...look, monoMs: NOW + APPROVAL_LASTS_MS },
    [...Array<string>(4).fill('shut, open to a yes'), ...[isUnderWay, isUnderWay, isGone]],
  ],
  [
    'a yes',
    yes,
    ['- not-inspected', '- blocked', 'approved', 'approved', isUnderWay, isUnderWay, isGone],
  ],
  [
    'a yes with another name',
    { ...yes, typed: 'train-A' },
    [
      ...['- not-inspected', '- blocked', '- wrong-name', '- wrong-name'],
      ...[isUnderWay, isUnderWay, isGone],
    ],
  ],
  [
    'a yes to a box without a name',
    { ...yes, typed: '', boxName: '' },
    [
      ...['- not-inspected', '- blocked', '- wrong-name', '- wrong-name'],
      ...[isUnderWay, isUnderWay, isGone],
    ],
  ],
  [
    'a yes to what was there before',
    { ...yes, digest: 'before' },
    [
      ...['- not-inspected', '- blocked', '- changed', '- changed'],
      ...[isUnderWay, isUnderWay, isGone],
    ],
  ],
  [
    'a withdrawal',
    { kind: 'withdraw' },
    [
      ...['- not-approved', '- not-approved', '- not-approved', 'shut, open to a yes'],
      ...['- not-approved', '- not-approved', '- not-approved'],
    ],
  ],
  [
    'time, before the yes is over',
    { kind: 'time', monoMs: NOW + APPROVAL_LASTS_MS - 1 },
    ['shut', 'shut, blocked', 'shut, open to a yes', 'approved', 'acting', 'unconfirmed', 'gone'],
  ],
  [
    'time, when the yes is over',
    { kind: 'time', monoMs: NOW + APPROVAL_LASTS_MS },
    [
      ...['shut', 'shut, blocked', 'shut, open to a yes', 'shut, open to a yes'],
      ...['acting', 'unconfirmed', 'gone'],
    ],
  ],
  [
    'a beginning',
    begin,
    [...Array<string>(3).fill('- not-approved'), 'acting', isUnderWay, isUnderWay, isGone],
  ],
  [
    'a beginning after the yes is over',
    { ...begin, monoMs: NOW + APPROVAL_LASTS_MS },
    [...Array<string>(3).fill('- not-approved'), '- expired', isUnderWay, isUnderWay, isGone],
  ],
  [
    'a beginning on a look from before the yes',
    { ...begin, lookedFromMonoMs: NOW - 1 },
    [
      ...Array<string>(3).fill('- not-approved'),
      ...['- not-inspected', isUnderWay, isUnderWay, isGone],
    ],
  ],
  [
    'a beginning with something in the way',
    { ...begin, inspection: BLOCKED },
    [...Array<string>(3).fill('- not-approved'), '- blocked', isUnderWay, isUnderWay, isGone],
  ],
  [
    'a beginning with something changed',
    { ...begin, inspection: inspectionOf('else') },
    [...Array<string>(3).fill('- not-approved'), '- changed', isUnderWay, isUnderWay, isGone],
  ],
  [
    'a beginning of a box that has another name now',
    { ...begin, boxName: 'train-b' },
    [...Array<string>(3).fill('- not-approved'), '- wrong-name', isUnderWay, isUnderWay, isGone],
  ],
  [
    'an end that was under way when Leasehold was closed',
    { kind: 'resumed', act: ACT, gone: null },
    [...Array<string>(4).fill('unconfirmed'), isUnderWay, isUnderWay, isGone],
  ],
  [
    'an end that the evidence has over',
    { kind: 'resumed', act: ACT, gone: states.gone.gone },
    [...Array<string>(6).fill('gone'), isGone],
  ],
  [
    'silence and the person’s word',
    confirm('silent', 8),
    [...Array<string>(4).fill('- not-under-way'), 'gone', 'gone', isGone],
  ],
  [
    'silence alone',
    confirm('silent', null),
    [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', 'unconfirmed', isGone],
  ],
  [
    'the word alone',
    confirm('answers', 8),
    [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', 'unconfirmed', isGone],
  ],
  [
    'the word, where nobody could ask',
    confirm('unknown', 8),
    [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', 'unconfirmed', isGone],
  ],
  [
    'an order that was taken',
    answered('accepted'),
    [...Array<string>(4).fill('- not-under-way'), 'acting', isUnderWay, isGone],
  ],
  [
    'the person’s own hand',
    { kind: 'answered', answer: { kind: 'by-hand' } },
    [...Array<string>(4).fill('- not-under-way'), 'acting', isUnderWay, isGone],
  ],
  [
    'an order that was refused',
    answered('refused'),
    [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', isUnderWay, isGone],
  ],
  [
    'an order whose answer was lost',
    answered('lost'),
    [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', isUnderWay, isGone],
  ],
  [
    'silence, and a provider that says gone',
    confirm('silent', null, 'gone'),
    [...Array<string>(4).fill('- not-under-way'), 'gone', 'gone', isGone],
  ],
  [
    'a provider that is at it',
    confirm(null, 8, 'stopping'),
    [...Array<string>(4).fill('- not-under-way'), 'acting', 'acting', isGone],
  ],
  ...(
    [
      ['a provider that says gone, while the box answers', confirm('answers', 8, 'gone')],
      ['a provider that says gone, where nobody could ask', confirm('unknown', null, 'gone')],
      ['the same, and a word to what was before', confirm('unknown', 8, 'gone')],
      ['a provider that says gone, where nobody asked', confirm(null, 8, 'gone')],
      ['a provider that says running, and silence', confirm('silent', 8, 'running')],
      ['a provider that says stopped, and silence', confirm('silent', 8, 'stopped')],
      ['a provider that is silent, as the box is', confirm('silent', 8, 'silent')],
      ['a provider that knows no such box, which answers', confirm('answers', 8, 'unheard')],
      ['a provider that knows no such box, and silence', confirm('silent', null, 'unheard')],
      ['the same, where nobody could ask', confirm('unknown', 8, 'unheard')],
      ['such a provider, silence, and a word to what was before', confirm('silent', 8, 'unheard')],
      ['an address to which no way leads, and the person’s word', confirm('unreachable', 8)],
      ['no way, and a provider that says gone', confirm('unreachable', null, 'gone')],
      ['such a provider, no way, and a word to what was before', confirm('unreachable', 8, 'gone')],
      [
        'no way, the word, and a provider that knows no such box',
        confirm('unreachable', 8, 'unheard'),
      ],
      ['silence, and a word to another picture', confirm('silent', 8, null, 'act-1 gone silent')],
    ] as const
  ).map(
    ([name, event]) =>
      [
        ...[name, event],
        [...Array<string>(4).fill('- not-under-way'), 'unconfirmed', 'unconfirmed', isGone],
      ] as const,
  ),
  [
    'a calling off',
    { kind: 'called-off' },
    [...Array<string>(4).fill('- not-under-way'), 'shut', 'shut', '- not-under-way'],
  ],
  [
    'work that is ended on it, or something deleted',
    { kind: 'changed' },
    [...Array<string>(4).fill('shut'), isUnderWay, isUnderWay, isGone],
  ],
  [
    'another beginning of a box that was gone',
    { kind: 'begin-again' },
    [...Array<string>(6).fill('- not-under-way'), 'shut'],
  ],
];
