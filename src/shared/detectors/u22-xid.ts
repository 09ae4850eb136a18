import type { KernelGpuEvent, XidEvent } from '../probes/xid.ts';
import { xidEntry, type XidClass } from '../probes/xid-classes.ts';
import {
  CLEAR,
  line,
  unknown,
  type Evidence,
  type Found,
  type LineSource,
  type Severity,
} from './finding.ts';
import { fromKernelLog } from '../patrol/line-source.ts';
import { whyNoJudgement } from './patrol-now.ts';
import { SLOW_GAP_MS, type BoxDetector, type BoxView } from './view.ts';

/** A program's fault is over when the program is; after this it is history. Faults of the card last until the reboot. */
const PROGRAM_FAULT_LASTS_S = 3600;
const MAX_LINES = 12;
/** "Of the same seconds" (nvidia.md §3.2): a longer pause in the log is another incident. */
const SAME_INCIDENT_S = 10;
/** As many codes as a headline has room for. */
const MAX_NAMED = 3;

/** Gotcha U22: never a code bug, whatever else was logged beside it. */
const BROKEN_HARDWARE: ReadonlySet<string | null> = new Set(['Xid 48', 'Xid 79']);

/** U22 */
export const xid: BoxDetector = {
  id: 'U22',
  title: 'Xid 48 or 79 means broken hardware: rent another box',
  scope: 'box',
  // Lines of a log, not measurements: they stay until the box boots anew.
  foundAfterMs: 0,
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge(box) {
    const incidents = incidentsOf(box).sort(worstFirst);
    const [worst] = incidents;
    if (worst === undefined) return fromPatrol(box) ?? judgeSilence(box);
    const { class: action } = worst;
    return {
      kind: 'found',
      severity: worst.severity,
      headline: [worst.headline, ...besideWords(worst, incidents)].join(' '),
      means: `${worst.means} ${CLASS_MEANS[action]}`.trim(),
      fix: worst.fix ?? CLASS_FIX[action],
      wastedShare: null,
      evidence: eachKindFirst(incidents)
        .slice(0, MAX_LINES)
        .map(({ evidence }) => evidence),
      caveat: caveatOf(box),
    };
  },
};

/**
 * A patrol reads the same log without asking nvidia-smi, which may hang on the very card that failed. Where the log was read
 * here it is not asked: it does not know which cards are this box's.
 */
function fromPatrol({ facts, patrol, atMs }: BoxView): Found | null {
  if (facts !== null && facts.kernelLog.outcome.kind !== 'cannot-rule-out') return null;
  if (whyNoJudgement(patrol, atMs) !== null) return null;
  const told = patrol?.judged?.found.find(({ detector }) => detector === 'U22');
  if (told === undefined) return null;
  // The line stays in the log for whoever can read it again: then that look decides.
  const { isEvent: _told, ...found } = told.found;
  return found;
}

interface Sign {
  readonly class: XidClass;
  readonly severity: Severity;
  readonly headline: string;
  /** `Xid 79`; null: it has no number. */
  readonly code: string | null;
  /** Null: none is named. */
  readonly address: string | null;
  readonly means: string;
  /** It follows another one of the same seconds, which is to be shown first. */
  readonly isFollower: boolean;
  readonly evidence: Evidence;
  /** Where the class alone does not say it all. */
  readonly fix?: readonly string[];
}

interface Incident extends Sign {
  /** The higher, the later; signs of the same seconds have the same. */
  readonly time: number;
}

function judgeSilence({ facts, telemetry }: BoxView): ReturnType<BoxDetector['judge']> {
  if (facts === null) {
    return unknown(
      telemetry.kind === 'off'
        ? 'the box is not connected'
        : 'the kernel log has not been read yet',
    );
  }
  const { outcome } = facts.kernelLog;
  return outcome.kind === 'cannot-rule-out' ? unknown(outcome.because) : CLEAR;
}

function incidentsOf(box: BoxView): Incident[] {
  const events = (box.facts?.kernelLog.events ?? []).filter((event) => isOurs(event, box));
  const groups = inGroups(withoutRecovered(events));
  const logged = groups.flatMap((group, time) =>
    group
      .filter((event) => !isOver(event, box))
      .map((event): Incident => ({ ...fromKernel(event, group, sourceOf(event, box)), time })),
  );
  const now = [...fromDriver(box), ...fromStream(box)];
  return [...logged, ...now.map((sign): Incident => ({ ...sign, time: groups.length }))];
}

/** The lines of the same seconds together, the oldest first. A log without such times is one group. */
function inGroups(events: readonly KernelGpuEvent[]): readonly (readonly KernelGpuEvent[])[] {
  const groups: KernelGpuEvent[][] = [];
  let lastS: number | null = null;
  for (const event of events) {
    const isLater =
      lastS !== null && event.uptimeS !== null && event.uptimeS - lastS > SAME_INCIDENT_S;
    const open = groups.at(-1);
    if (open === undefined || isLater) groups.push([event]);
    else open.push(event);
    lastS = event.uptimeS ?? lastS;
  }
  return groups;
}

/** In a plain container the log is the host's: other tenants' cards stand in it too (nvidia.md §5.3). */
function isOurs(
  { address }: { readonly address: string | null },
  { ownAddresses }: BoxView,
): boolean {
  return address === null || ownAddresses.size === 0 || ownAddresses.has(address);
}

/** An Xid 154 that changes to "None" is the recovery itself: it ends what the log told of that card before. */
function withoutRecovered(events: readonly KernelGpuEvent[]): readonly KernelGpuEvent[] {
  const recoveredAt = new Map<string | null, number>();
  for (const [place, event] of events.entries()) {
    if (event.kind === 'xid' && event.recoveryTo === 'none') recoveredAt.set(event.address, place);
  }
  return events.filter(({ address }, place) => place > (recoveredAt.get(address) ?? -1));
}

function isOver(event: KernelGpuEvent, { facts }: BoxView): boolean {
  if (event.kind !== 'xid' || (event.class !== 'app' && event.class !== 'info')) return false;
  const uptimeS = facts?.machine.uptimeS ?? null;
  if (uptimeS === null || event.uptimeS === null) return false;
  return uptimeS - event.uptimeS > PROGRAM_FAULT_LASTS_S;
}

function sourceOf(event: KernelGpuEvent, { facts }: BoxView): LineSource {
  return facts === null ? {} : fromKernelLog(event, facts);
}

function fromKernel(
  event: KernelGpuEvent,
  group: readonly KernelGpuEvent[],
  source: LineSource,
): Sign {
  const evidence = line(event.line, source);
  const { address } = event;
  const card = address === null ? 'A card' : `The card ${address}`;
  switch (event.kind) {
    case 'xid':
      return fromXid(event, group, evidence);
    case 'sxid':
      return {
        class: event.isFatal === true ? 're-rent' : 'contact',
        severity: event.isFatal === true ? 'critical' : 'info',
        headline: `${event.isFatal === true ? 'Fatal' : 'An'} NVSwitch error (SXid ${event.code}).`,
        code: `SXid ${event.code}`,
        address,
        means: 'NVSwitch connects the cards: a fatal error of it concerns the whole box.',
        isFollower: false,
        evidence,
      };
    case 'loss':
      return {
        class: 're-rent',
        severity: 'critical',
        headline: `${card} has fallen off the bus.`,
        code: null,
        address,
        means: 'The card is gone; it was told without an Xid.',
        isFollower: true, // where an Xid 79 stands beside it, that one comes first
        evidence,
      };
    case 'init-failed':
      return {
        class: 'reset',
        severity: 'critical',
        headline: `${card} did not start.`,
        code: null,
        address,
        means: 'The driver could not start the card.',
        isFollower: true,
        evidence,
      };
  }
}

function fromXid(event: XidEvent, group: readonly KernelGpuEvent[], evidence: Evidence): Sign {
  const { meaning, advice, followsCause } = xidEntry(event.code);
  const code = `Xid ${event.code}`;
  const isContained = isContainedError(event, group);
  const action = isContained ? 'app' : event.class;
  const program = event.processName === null ? '' : `, in ${event.processName}`;
  return {
    class: action,
    severity: BROKEN_HARDWARE.has(code) ? 'critical' : CLASS_SEVERITY[action],
    headline: `${code} on card ${event.address}: ${meaning}${program}.`,
    code,
    address: event.address,
    means: `NVIDIA’s advice: ${advice}.`,
    isFollower: followsCause,
    evidence,
    ...(isContained && { fix: CONTAINED_FIX }),
  };
}

/** A double-bit error that was contained hit one program only (nvidia.md §3.2: 48 "with 94: app; with 95: reset"). */
function isContainedError({ code, address }: XidEvent, group: readonly KernelGpuEvent[]): boolean {
  if (code !== 48) return false;
  const beside = group.flatMap((other) =>
    other.kind === 'xid' && other.address === address ? [other.code] : [],
  );
  return beside.includes(94) && !beside.includes(95) && !beside.includes(64);
}

const CONTAINED_FIX = [
  'Restart the program that was hit',
  'Reset the GPU at leisure; on a rented container restart the box or rent another',
  'If it comes back, stop this instance and rent a different one',
];

function fromDriver({ facts }: BoxView): readonly Sign[] {
  return (facts?.gpus ?? []).flatMap(({ index, pciAddress, trouble, recoveryAction }) => {
    const signs: Sign[] = [];
    const told = { code: null, address: pciAddress, isFollower: true };
    if (trouble !== null) {
      const isLost = /lost/i.test(trouble);
      signs.push({
        ...told,
        class: isLost ? 're-rent' : 'reset',
        severity: 'critical',
        headline: `nvidia-smi says of GPU ${index}: ${trouble}.`,
        means: 'The card does not answer as a healthy one does.',
        evidence: line(trouble),
      });
    }
    const action = recoveryAction === null ? undefined : RECOVERY[recoveryAction];
    if (action !== undefined) {
      signs.push({
        ...told,
        class: action,
        severity: CLASS_SEVERITY[action],
        headline: `The driver asks for a recovery of GPU ${index}: ${recoveryAction ?? ''}.`,
        means: 'The driver itself says what the card needs.',
        evidence: line(`gpu_recovery_action: ${recoveryAction ?? ''}`),
      });
    }
    return signs;
  });
}

/** `gpu_recovery_action` in words; "None" asks for nothing. */
const RECOVERY: Readonly<Record<string, XidClass>> = {
  'GPU Reset': 'reset',
  'Node Reboot': 're-rent',
  'Drain P2P': 'contact',
  'Drain and Reset': 'reset',
  'Recover IMEX': 'contact',
};

function fromStream({ telemetry, vanished }: BoxView): readonly Sign[] {
  const problem =
    telemetry.kind === 'live' || telemetry.kind === 'failed' ? telemetry.problem : null;
  const lost: Sign[] =
    problem?.code === 'gpu-lost'
      ? [
          {
            class: 're-rent',
            severity: 'critical',
            headline: problem.message,
            code: null,
            address: null,
            means: 'nvidia-smi cannot reach a card that was there.',
            isFollower: true,
            evidence: line(problem.detail ?? problem.message),
          },
        ]
      : [];
  return [
    ...lost,
    ...vanished.map(({ index, uuid, pciAddress }): Sign => ({
      class: 're-rent',
      severity: 'critical',
      headline: `GPU ${index} (${pciAddress ?? uuid}) is no longer listed.`,
      code: null,
      address: pciAddress,
      means: 'The box has fewer GPUs than it had since its boot.',
      isFollower: true,
      evidence: line(`missing: ${uuid}`),
    })),
  ];
}

function caveatOf({ facts, ownAddresses }: BoxView): string | null {
  if (facts === null) return 'The kernel log is not known: an Xid may tell more.';
  const { outcome } = facts.kernelLog;
  if (outcome.kind === 'cannot-rule-out')
    return `Further Xids cannot be ruled out: ${outcome.because}.`;
  return ownAddresses.size === 0
    ? 'The addresses of this box’s cards are not known: the log may speak of another tenant’s card.'
    : null;
}

/** What else the box told, so that a later and different sign is seen beside a worse one. */
function besideWords(worst: Incident, all: readonly Incident[]): readonly string[] {
  const times = all.filter((each) => isSameKind(each, worst)).length;
  const others = [...byKind(all).values()].filter((each) => !isSameKind(each, worst));
  const coded = others.filter(({ code }) => code !== null);
  const named = coded.slice(0, MAX_NAMED).map(({ code, address }) => {
    const isElsewhere = address !== worst.address && worst.address !== null;
    return isElsewhere ? `${code} on ${address ?? 'a card'}` : `${code}`;
  });
  const more = counted(coded.length - named.length, 'other code');
  // Signs without a code on the same card say what the headline says.
  const elsewhere = others.filter(
    ({ code, address }) => code === null && address !== null && address !== worst.address,
  );
  const signs = counted(elsewhere.length, 'sign').map((words) => `${words} of another card`);
  const list = [...named, ...more, ...signs];
  return [
    ...(times > 1 && worst.code !== null ? [`Logged ${times} times.`] : []),
    ...(list.length > 0 ? [`Also ${inWords(list)}.`] : []),
  ];
}

function counted(count: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [count === 1 ? `one ${what}` : `${count} ${what}s`];
}

function inWords(list: readonly string[]): string {
  const last = list.at(-1) ?? '';
  return list.length < 2 ? last : `${list.slice(0, -1).join(', ')} and ${last}`;
}

/** One code on one card; a sign without a code is of its own kind. */
function kindOf({ code, address, headline }: Incident): string {
  return `${code ?? headline} ${address ?? ''}`;
}

function isSameKind(a: Incident, b: Incident): boolean {
  return kindOf(a) === kindOf(b);
}

/** The first of each kind. */
function byKind(incidents: readonly Incident[]): ReadonlyMap<string, Incident> {
  const first = new Map<string, Incident>();
  for (const incident of incidents) {
    const kind = kindOf(incident);
    if (!first.has(kind)) first.set(kind, incident);
  }
  return first;
}

/** A storm of one code must not push the others out. */
function eachKindFirst(incidents: readonly Incident[]): readonly Incident[] {
  const first = new Set(byKind(incidents).values());
  return [...first, ...incidents.filter((incident) => !first.has(incident))];
}

const CLASS_ORDER: readonly XidClass[] = ['re-rent', 'reset', 'contact', 'app', 'unknown', 'info'];
const SEVERITY_ORDER: readonly Severity[] = ['critical', 'warn', 'info'];

/** Of equals the newest, and of those of the same seconds the first line: it names the cause. */
function worstFirst(a: Incident, b: Incident): number {
  return (
    SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity) ||
    Number(a.isFollower) - Number(b.isFollower) ||
    CLASS_ORDER.indexOf(a.class) - CLASS_ORDER.indexOf(b.class) ||
    Number(BROKEN_HARDWARE.has(b.code)) - Number(BROKEN_HARDWARE.has(a.code)) ||
    b.time - a.time
  );
}

const CLASS_SEVERITY: Readonly<Record<XidClass, Severity>> = {
  're-rent': 'critical',
  reset: 'critical',
  contact: 'warn',
  app: 'warn',
  unknown: 'warn',
  info: 'info',
};

const CLASS_MEANS: Readonly<Record<XidClass, string>> = {
  're-rent': 'This is broken hardware, not a code bug.',
  reset: 'The card needs a reset, which a rented container cannot do.',
  contact: 'It is for the provider to look at.',
  app: 'It is a fault of the program, not of the card.',
  unknown: 'This code is not in the catalog.',
  info: 'By itself it asks for nothing.',
};

const CLASS_FIX: Readonly<Record<XidClass, readonly string[]>> = {
  're-rent': [
    'Stop debugging code',
    'Save what can be saved',
    'Stop this instance and rent a different one',
  ],
  reset: [
    'Save what can be saved',
    'Reset the GPU; on a rented container you cannot: restart the box or rent another',
  ],
  contact: ['Tell the provider, with the lines below', 'Save what can be saved'],
  app: ['Restart the program', 'If other programs get it too, treat it as a fault of the card'],
  unknown: ['Tell the provider, with the lines below'],
  info: ['Watch whether it comes back; look for another code of the same seconds first'],
};
