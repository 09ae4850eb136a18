import type { KernelGpuEvent, XidEvent } from '../probes/xid.ts';
import { xidEntry, type XidClass } from '../probes/xid-classes.ts';
import {
  CLEAR,
  line,
  unknown,
  type Clue,
  type Found,
  type LineSource,
  type Severity,
} from './finding.ts';
import { fromKernelLog } from '../patrol/line-source.ts';
import { whyNoJudgement } from './patrol-now.ts';
import { phrase, says, type Phrase } from './says.ts';
import { SLOW_GAP_MS, type BoxDetector, type BoxView } from './view.ts';

/** A program's fault is over when the program is; after this it is history. Faults of the card last until the reboot. */
const PROGRAM_FAULT_LASTS_S = 3600;
const MAX_LINES = 12;
/** "Of the same seconds" (nvidia.md §3.2): a longer pause in the log is another incident. */
const SAME_INCIDENT_S = 10;
/** As many codes as a headline has room for. */
const MAX_NAMED = 3;

/** Of the card’s memory, although its first advice is for the program. */
const CONTAINED = 94;

/** Gotcha U22: never a code bug, whatever else was logged beside it. */
const BROKEN_HARDWARE: ReadonlySet<string | null> = new Set(['Xid 48', 'Xid 79']);

export const KERNEL_LOG_UNREAD = 'the kernel log has not been read';

/** U22 */
export const xid: BoxDetector = {
  id: 'U22',
  scope: 'box',
  // Lines of a log, not measurements: they stay until the box boots anew.
  foundAfterMs: 0,
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge(box) {
    const incidents = incidentsOf(box).sort(worstFirst);
    const [worst] = incidents;
    if (worst === undefined) return fromPatrol(box) ?? judgeSilence(box);
    return {
      kind: 'found',
      severity: worst.severity,
      says: says('U22', worst.isContained === true ? 'contained' : worst.class, {
        sign: worst.sign,
        about: worst.about,
        beside: besideWords(worst, incidents),
      }),
      wastedShare: null,
      clues: eachKindFirst(incidents)
        .slice(0, MAX_LINES)
        .map(({ clue }) => clue),
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
  /** What it says, and what that means. */
  readonly sign: Phrase;
  readonly about: Phrase;
  /** `Xid 79`; null: it has no number. */
  readonly code: string | null;
  /** Null: none is named. */
  readonly address: string | null;
  /** It follows another one of the same seconds, which is to be shown first. */
  readonly isFollower: boolean;
  readonly clue: Clue;
  /** It hit one program only. */
  readonly isContained?: boolean;
}

interface Incident extends Sign {
  /** The higher, the later; signs of the same seconds have the same. */
  readonly time: number;
}

function judgeSilence({ facts, telemetry }: BoxView): ReturnType<BoxDetector['judge']> {
  if (facts === null) {
    return unknown(telemetry.kind === 'off' ? 'the box is not connected' : KERNEL_LOG_UNREAD);
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
  if (event.kind !== 'xid' || event.code === CONTAINED) return false;
  if (event.class !== 'app' && event.class !== 'info') return false;
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
  const clue = line(event.line, source);
  const { address } = event;
  const card = address === null ? phrase('U22', 'a-card') : phrase('U22', 'the-card', { address });
  switch (event.kind) {
    case 'xid':
      return fromXid(event, group, clue);
    case 'sxid':
      return {
        class: event.isFatal === true ? 're-rent' : 'contact',
        severity: event.isFatal === true ? 'critical' : 'info',
        sign: phrase('U22', event.isFatal === true ? 'sxid-fatal' : 'sxid', { code: event.code }),
        about: phrase('U22', 'sxid-about'),
        code: `SXid ${event.code}`,
        address,
        isFollower: false,
        clue,
      };
    case 'loss':
      return {
        class: 're-rent',
        severity: 'critical',
        sign: phrase('U22', 'lost', { card }),
        about: phrase('U22', 'lost-about'),
        code: null,
        address,
        isFollower: true, // where an Xid 79 stands beside it, that one comes first
        clue,
      };
    case 'init-failed':
      return {
        class: 'reset',
        severity: 'critical',
        sign: phrase('U22', 'not-started', { card }),
        about: phrase('U22', 'not-started-about'),
        code: null,
        address,
        isFollower: true,
        clue,
      };
  }
}

function fromXid(event: XidEvent, group: readonly KernelGpuEvent[], clue: Clue): Sign {
  const { meaning, advice, followsCause } = xidEntry(event.code);
  const code = `Xid ${event.code}`;
  const isContained = isContainedError(event, group);
  const action = isContained ? 'app' : event.class;
  const { address, processName: program } = event;
  const told = { code, address, meaning };
  return {
    class: action,
    severity: BROKEN_HARDWARE.has(code) ? 'critical' : CLASS_SEVERITY[action],
    sign:
      program === null ? phrase('U22', 'xid', told) : phrase('U22', 'xid-in', { ...told, program }),
    about: phrase('U22', 'advice', { advice }),
    code,
    address,
    isFollower: followsCause,
    clue,
    isContained,
  };
}

/** A memory error that was contained hit one program only (nvidia.md §3.2: 48 "with 94: app; with 95: reset"). */
function isContainedError({ code, address }: XidEvent, group: readonly KernelGpuEvent[]): boolean {
  if (code !== 48 && code !== CONTAINED) return false;
  const beside = group.flatMap((other) =>
    other.kind === 'xid' && other.address === address ? [other.code] : [],
  );
  return beside.includes(CONTAINED) && !beside.includes(95) && !beside.includes(64);
}

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
        sign: phrase('U22', 'trouble', { gpu: index, trouble }),
        about: phrase('U22', 'trouble-about'),
        clue: line(trouble),
      });
    }
    const action = recoveryAction === null ? undefined : recoveryClassOf(recoveryAction);
    if (action !== undefined) {
      signs.push({
        ...told,
        class: action,
        severity: CLASS_SEVERITY[action],
        sign: phrase('U22', 'recovery', { gpu: index, action: recoveryAction ?? '' }),
        about: phrase('U22', 'recovery-about'),
        clue: line(`gpu_recovery_action: ${recoveryAction ?? ''}`),
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

/** What a newer driver asks for in other words is asked for all the same. */
function recoveryClassOf(action: string): XidClass | undefined {
  if (Object.hasOwn(RECOVERY, action)) return RECOVERY[action];
  return /^none$/i.test(action) ? undefined : 'unknown';
}

function fromStream({ telemetry, vanished }: BoxView): readonly Sign[] {
  const problem =
    telemetry.kind === 'live' || telemetry.kind === 'failed' ? telemetry.problem : null;
  const lost: Sign[] =
    problem?.code === 'gpu-lost'
      ? [
          {
            class: 're-rent',
            severity: 'critical',
            sign: phrase('U22', 'unreachable', { problem: problem.message }),
            about: phrase('U22', 'unreachable-about'),
            code: null,
            address: null,
            isFollower: true,
            clue: line(problem.detail ?? problem.message),
          },
        ]
      : [];
  return [
    ...lost,
    ...vanished.map(({ index, uuid, pciAddress }): Sign => ({
      class: 're-rent',
      severity: 'critical',
      sign: phrase('U22', 'unlisted', { gpu: index, card: pciAddress ?? uuid }),
      about: phrase('U22', 'unlisted-about'),
      code: null,
      address: pciAddress,
      isFollower: true,
      clue: line(`missing: ${uuid}`),
    })),
  ];
}

function caveatOf({ facts, ownAddresses }: BoxView): Phrase | null {
  if (facts === null) return phrase('U22', 'log-unknown');
  const { outcome } = facts.kernelLog;
  if (outcome.kind === 'cannot-rule-out')
    return phrase('U22', 'not-ruled-out', { because: outcome.because });
  return ownAddresses.size === 0 ? phrase('U22', 'whose-card') : null;
}

/** What else the box told, so that a later and different sign is seen beside a worse one. */
function besideWords(worst: Incident, all: readonly Incident[]): Phrase | string {
  const count = all.filter((each) => isSameKind(each, worst)).length;
  const isRepeated = count > 1 && worst.code !== null;
  const others = othersThan(worst, all);
  if (others.length === 0) return isRepeated ? phrase('U22', 'times', { count }) : '';
  return isRepeated
    ? phrase('U22', 'times-also', { count, others })
    : phrase('U22', 'also', { others });
}

function othersThan(worst: Incident, all: readonly Incident[]): readonly (Phrase | string)[] {
  const others = [...byKind(all).values()].filter((each) => !isSameKind(each, worst));
  const coded = others.flatMap(({ code, address }) => (code === null ? [] : [{ code, address }]));
  const named = coded.slice(0, MAX_NAMED).map(({ code, address }) => {
    if (address === worst.address || worst.address === null) return code;
    return address === null
      ? phrase('U22', 'on-a-card', { code })
      : phrase('U22', 'on', { code, card: address });
  });
  // Signs without a code on the same card say what the headline says.
  const elsewhere = others.filter(
    ({ code, address }) => code === null && address !== null && address !== worst.address,
  );
  return [
    ...named,
    ...counted(coded.length - named.length, 'other-code', 'other-codes'),
    ...counted(elsewhere.length, 'other-sign', 'other-signs'),
  ];
}

function counted(
  count: number,
  one: 'other-code' | 'other-sign',
  many: 'other-codes' | 'other-signs',
): readonly Phrase[] {
  if (count === 0) return [];
  return [count === 1 ? phrase('U22', one) : phrase('U22', many, { count })];
}

/** One code on one card; a sign without a code is of its own kind. */
function kindOf({ code, address, sign }: Incident): string {
  return `${code ?? JSON.stringify(sign)} ${address ?? ''}`;
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
