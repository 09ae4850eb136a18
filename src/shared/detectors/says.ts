import type { DetectorId } from './finding.ts';

/** What stands in a sentence's place for a name: words as they are (hostile), a phrase of the entry, or several of them. */
export type Value = string | number | Phrase | readonly (string | Phrase)[];
export type Values = Readonly<Record<string, Value>>;

/** A part of a sentence or a caveat, by its name in the entry. */
export interface Phrase {
  readonly phrase: string;
  readonly values: Values;
}

/** Which of an entry's sentences is true, and with what. */
export interface Says {
  readonly variant: string;
  readonly values: Values;
  /** Another entry that tells of exactly this: what it says to do comes first. */
  readonly also?: DetectorId;
}

/** An id of the rules, or GEN8: a look that failed is no finding, and is told on the command line all the same. */
export type AlertId = DetectorId | 'GEN8';

type Names = Readonly<Record<string, readonly string[]>>;

/** The values that the sentences of each entry may name, by the names of what the rules see. A test holds it against the catalog. */
export const variants = {
  U3: {
    finished: [],
    reboot: [],
    'container-restart': [],
    walltime: [],
    preempted: [],
    'out-of-memory': [],
    'gpu-fault': [],
    'disk-full': [],
    'own-error': [],
    'own-failure': ['failure'],
    failure: ['failure', 'answer'],
    'hang-up': [],
    killed: [],
    'not-proven': [],
  },
  U2: { changed: [] },
  U6: { full: ['mount'], 'no-room': ['mount', 'count'], 'run-failed': [] },
  U7: {
    inodes: ['mount', 'used'],
    cache: ['mount', 'used'],
    fills: ['mount', 'left'],
    'runs-out': ['mount', 'left'],
  },
  U9: {
    killed: ['processes'],
    'file-killed': ['processes'],
    'file-full': [],
    near: ['used'],
    'near-workers': ['used', 'fit', 'workers'],
  },
  U10: { tight: ['memory', 'free', 'total', 'share'], 'run-ended': [] },
  U11: { hidden: ['hidden', 'gpu'], 'in-container': ['hidden', 'gpu'] },
  U16: { pile: ['count'] },
  U21: { underfed: ['gpu', 'busy', 'clock', 'power'] },
  U22: {
    're-rent': ['sign', 'beside', 'about'],
    reset: ['sign', 'beside', 'about'],
    contact: ['sign', 'beside', 'about'],
    app: ['sign', 'beside', 'about'],
    contained: ['sign', 'beside', 'about'],
    unknown: ['sign', 'beside', 'about'],
    info: ['sign', 'beside', 'about'],
  },
  U23: {
    brake: ['gpu', 'clock', 'why'],
    heat: ['gpu', 'clock', 'why'],
    'power-limit': ['gpu', 'clock', 'why'],
    setting: ['gpu', 'clock', 'why'],
  },
  U24: { starved: ['gpu', 'busy'] },
  U26: { run: [] },
  U28: { 'run-ended': [] },
  U31: { box: ['problem'], 'run-ended': [], 'goes-on': [] },
  U33: { failed: [] },
  U34: { shown: [] },
  U35: { disabled: [], 'not-begun': [] },
  U37: { 'too-large': [] },
  U38: { 'cpu-bound': ['gpu'] },
  U40: { storm: ['threads', 'quota', 'host'], 'run-says': [] },
  U41: { neighbours: [] },
  U43: { silent: ['time'] },
  GEN1: { idle: ['hours'] },
  GEN2: { attached: [] },
  GEN6: { reboot: ['runs'], container: ['runs'] },
  GEN7: { shared: ['count', 'gpu'] },
  GEN8: { 'not-seen': ['before'] },
  AD1: { 'run-ended': [] },
  AD2: { failed: [] },
  AD4: { inodes: ['used'] },
  AD5: { full: ['used'] },
  AD6: { asked: [] },
  AD8: { rose: ['from', 'to'] },
  AD9: { 'run-ended': [] },
  FZ3: { near: ['used', 'quota'], 'run-failed': [] },
  GS2: { left: [] },
  GS3: { missing: ['mount'] },
  MP1: { full: [] },
  RP1: { 'no-card': [] },
  RP5: { cut: [] },
  RP9: { 'run-ended': [] },
  RP11: { full: [] },
  RP12: { lacks: ['names'] },
  VAST5: { 'run-ended': [] },
  VAST10: { full: [] },
  PS11: { 'run-ended': [] },
  PS13: { off: ['checks'] },
  LAM7: { 'for-this-user': [] },
  LAM8: { 'import-failed': [], borrows: [] },
  LAM11: { missing: [] },
  CN1: { lost: [] },
  NB4: { lost: [] },
  SLURM5: { lost: [] },
  NB3: { 'run-ended': [] },
  MN1: { 'run-ended': [] },
  MN3: { waited: [] },
  MN5: { rewound: ['unit'] },
  MN6: { waits: [] },
  SLURM4: { 'out-of-memory': [] },
  driver: { broken: ['problem', 'nextStep'] },
  ecc: {
    'remap-failed': ['gpu'],
    sram: ['gpu'],
    uncorrected: ['gpu'],
    'remap-pending': ['gpu'],
    'page-pending': ['gpu'],
  },
  idle: { idle: ['cards'], held: ['cards'] },
  pcie: { slow: ['gpu', 'share', 'generation', 'maxGeneration', 'lanes', 'maxLanes'] },
  'power-cap': { capped: ['gpu', 'limit', 'usual', 'share'] },
  straggler: { load: ['gpu', 'busy', 'others'], clock: ['gpu', 'share'] },
} as const satisfies Readonly<Record<AlertId, Names>>;

/** The same for the phrases. */
export const phrases = {
  U3: {
    'not-ruled-out': ['causes'],
    'failure-hardware': [],
    'failure-disk-full': [],
    'failure-host-memory': [],
    'failure-gpu-memory': [],
    'failure-environment': [],
    'failure-time-limit': [],
    'failure-hang-up': [],
    'failure-ended-by-signal': [],
    'failure-code-or-config': [],
    'failure-numbers': [],
    'failure-collective-timeout': [],
    'failure-network': [],
    'failure-transport': [],
    'answer-hardware': [],
    'answer-disk-full': [],
    'answer-host-memory': [],
    'answer-gpu-memory': [],
    'answer-environment': [],
    'answer-time-limit': [],
    'answer-hang-up': [],
    'answer-ended-by-signal': [],
    'answer-code-or-config': [],
    'answer-numbers': [],
    'answer-collective-timeout': [],
    'answer-network': [],
    'answer-transport': [],
    'shows-finished': [],
    'shows-reboot': [],
    'shows-container-restart': [],
    'shows-walltime': [],
    'shows-preempted': [],
    'shows-out-of-memory': [],
    'shows-gpu-fault': [],
    'shows-disk-full': [],
    'shows-own-error': [],
    'shows-hang-up': [],
    'shows-killed': [],
    'answer-finished': [],
    'answer-reboot': [],
    'answer-container-restart': [],
  },
  U2: { 'only-added': [] },
  U7: {
    'share-used': ['share'],
    'none-left': [],
    'under-an-hour': [],
    hours: ['count'],
    estimate: [],
  },
  U9: {
    'one-process': [],
    'some-processes': ['count'],
    'no-workers': [],
    'at-most': ['count'],
    'process-untold': [],
    shared: [],
  },
  U10: {
    card: ['gpu'],
    part: ['gpu'],
    'part-profile': ['profile', 'gpu'],
    'part-number': ['part', 'gpu'],
    'part-number-profile': ['part', 'profile', 'gpu'],
    'holders-unknown': [],
    'holders-of-card': [],
  },
  U11: { displays: [] },
  U21: { 'hold-unknown': [] },
  U22: {
    xid: ['code', 'address', 'meaning'],
    'xid-in': ['code', 'address', 'meaning', 'program'],
    advice: ['advice'],
    'sxid-fatal': ['code'],
    sxid: ['code'],
    'sxid-about': [],
    'a-card': [],
    'the-card': ['address'],
    lost: ['card'],
    'lost-about': [],
    'not-started': ['card'],
    'not-started-about': [],
    trouble: ['gpu', 'trouble'],
    'trouble-about': [],
    recovery: ['gpu', 'action'],
    'recovery-about': [],
    unreachable: ['problem'],
    'unreachable-about': [],
    unlisted: ['gpu', 'card'],
    'unlisted-about': [],
    times: ['count'],
    also: ['others'],
    'times-also': ['count', 'others'],
    on: ['code', 'card'],
    'on-a-card': ['code'],
    'other-code': [],
    'other-codes': ['count'],
    'other-sign': [],
    'other-signs': ['count'],
    'log-unknown': [],
    'not-ruled-out': ['because'],
    'whose-card': [],
  },
  U23: {
    'below-full': [],
    'at-share': ['share'],
    'power-brake': [],
    'too-hot': [],
    'at-power-limit': [],
    'hot-and-low': [],
    'no-clock': [],
  },
  U24: { 'job-unknown': [], 'steps-unknown': [] },
  U31: { 'unread-files': [] },
  U34: { shape: [] },
  U35: { elsewhere: [] },
  U38: { 'whole-container': [] },
  U40: { 'whole-container': [] },
  U43: { 'buffer-unknown': [] },
  GEN1: { 'cards-unknown': [] },
  GEN2: { 'still-there': [] },
  GEN6: { 'one-run': [], 'some-runs': ['count'] },
  GEN7: { 'one-program': [] },
  GEN8: { never: [], 'with-one-run': ['time'], 'with-runs': ['time', 'count'] },
  AD4: { 'share-used': ['share'], 'none-left': [] },
  AD5: { 'sizes-unknown': [] },
  FZ3: { 'half-read': [] },
  GS3: { 'not-kept': [] },
  RP1: { 'by-the-driver': [] },
  PS13: { 'costs-elsewhere': [] },
  LAM8: { 'copies-unseen': [] },
  LAM11: { 'history-unread': ['history'], 'no-upgrade': [] },
  CN1: { 'copy-unknown': [] },
  NB4: { 'copy-unknown': [] },
  SLURM5: { 'copy-unknown': [] },
  idle: { one: [], many: ['count'], 'cpu-unknown': [] },
  straggler: { 'hold-unknown': [] },
} as const satisfies Readonly<Partial<Record<AlertId, Names>>>;

type Given<Names extends readonly string[]> = Names extends readonly []
  ? []
  : [values: Readonly<Record<Names[number], Value>>];

/** The sentences that an entry has under this name; the rule gives exactly the values that are named there. */
export function says<
  Id extends keyof typeof variants,
  Name extends keyof (typeof variants)[Id] & string,
>(
  _id: Id,
  variant: Name,
  ...[values]: Given<(typeof variants)[Id][Name] & readonly string[]>
): Says {
  return { variant, values: values ?? {} };
}

/** The same of a phrase. */
export function phrase<
  Id extends keyof typeof phrases,
  Name extends keyof (typeof phrases)[Id] & string,
>(_id: Id, name: Name, ...[values]: Given<(typeof phrases)[Id][Name] & readonly string[]>): Phrase {
  return { phrase: name, values: values ?? {} };
}

/** The same values with each text in them made into another. */
export function mapTexts(values: Values, change: (text: string) => string): Values {
  const changed = (value: Value): Value => {
    if (typeof value === 'string') return change(value);
    if (typeof value === 'number') return value;
    if (isList(value)) return value.map((each) => changed(each) as string | Phrase);
    return { ...value, values: mapTexts(value.values, change) };
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, changed(value)]));
}

export function isList(value: Value): value is readonly (string | Phrase)[] {
  return Array.isArray(value);
}
