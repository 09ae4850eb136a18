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

/** Gotcha U22: never a code bug, whatever else was logged beside it. */
const BROKEN_HARDWARE = new Set([48, 79]);

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
    const others = incidents.length - 1;
    return {
      kind: 'found',
      severity: worst.severity,
      headline: others === 0 ? worst.headline : `${worst.headline} ${moreSigns(others)}`,
      means: `${worst.means} ${CLASS_MEANS[action]}`.trim(),
      fix: worst.fix ?? CLASS_FIX[action],
      wastedShare: null,
      evidence: incidents.slice(0, MAX_LINES).map(({ evidence }) => evidence),
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

interface Incident {
  readonly class: XidClass;
  readonly severity: Severity;
  readonly headline: string;
  readonly means: string;
  /** It follows another one of the same seconds, which is to be shown first. */
  readonly isFollower: boolean;
  readonly evidence: Evidence;
  /** Where the class alone does not say it all. */
  readonly fix?: readonly string[];
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
  const current = withoutRecovered(events).filter((event) => !isOver(event, box));
  return [
    ...current.map((event) => fromKernel(event, current, sourceOf(event, box))),
    ...fromDriver(box),
    ...fromStream(box),
  ].filter((incident) => incident !== null);
}

/** In a plain container the log is the host's: other tenants' cards stand in it too (nvidia.md §5.3). */
function isOurs(
  { address }: { readonly address: string | null },
  { ownAddresses }: BoxView,
): boolean {
  return address === null || ownAddresses.size === 0 || ownAddresses.has(address);
}

/** An Xid 154 that changes to "None" is the recovery itself. */
function withoutRecovered(events: readonly KernelGpuEvent[]): readonly KernelGpuEvent[] {
  return events.filter(
    (event, place) =>
      !events
        .slice(place)
        .some(
          (later) =>
            later.kind === 'xid' && later.recoveryTo === 'none' && later.address === event.address,
        ),
  );
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
  all: readonly KernelGpuEvent[],
  source: LineSource,
): Incident {
  const evidence = line(event.line, source);
  const card = event.address === null ? 'A card' : `The card ${event.address}`;
  switch (event.kind) {
    case 'xid':
      return fromXid(event, all, evidence);
    case 'sxid':
      return {
        class: event.isFatal === true ? 're-rent' : 'contact',
        severity: event.isFatal === true ? 'critical' : 'info',
        headline: `${event.isFatal === true ? 'Fatal' : 'An'} NVSwitch error (SXid ${event.code}).`,
        means: 'NVSwitch connects the cards: a fatal error of it concerns the whole box.',
        isFollower: false,
        evidence,
      };
    case 'loss':
      return {
        class: 're-rent',
        severity: 'critical',
        headline: `${card} has fallen off the bus.`,
        means: 'The card is gone; it was told without an Xid.',
        isFollower: true, // where an Xid 79 stands beside it, that one comes first
        evidence,
      };
    case 'init-failed':
      return {
        class: 'reset',
        severity: 'critical',
        headline: `${card} did not start.`,
        means: 'The driver could not start the card.',
        isFollower: true,
        evidence,
      };
  }
}

function fromXid(event: XidEvent, all: readonly KernelGpuEvent[], evidence: Evidence): Incident {
  const { meaning, advice, followsCause } = xidEntry(event.code);
  const isContained = isContainedError(event, all);
  const action = isContained ? 'app' : event.class;
  const program = event.processName === null ? '' : `, in ${event.processName}`;
  return {
    class: action,
    severity: BROKEN_HARDWARE.has(event.code) ? 'critical' : CLASS_SEVERITY[action],
    headline: `Xid ${event.code} on card ${event.address}: ${meaning}${program}.`,
    means: `NVIDIA’s advice: ${advice}.`,
    isFollower: followsCause,
    evidence,
    ...(isContained && { fix: CONTAINED_FIX }),
  };
}

/** A double-bit error that was contained hit one program only (nvidia.md §3.2: 48 "with 94: app; with 95: reset"). */
function isContainedError({ code, address }: XidEvent, all: readonly KernelGpuEvent[]): boolean {
  if (code !== 48) return false;
  const beside = all.flatMap((other) =>
    other.kind === 'xid' && other.address === address ? [other.code] : [],
  );
  return beside.includes(94) && !beside.includes(95) && !beside.includes(64);
}

const CONTAINED_FIX = [
  'Restart the program that was hit',
  'Reset the GPU at leisure; on a rented container restart the box or rent another',
  'If it comes back, stop this instance and rent a different one',
];

function fromDriver({ facts }: BoxView): readonly Incident[] {
  return (facts?.gpus ?? []).flatMap(({ index, trouble, recoveryAction }) => {
    const incidents: Incident[] = [];
    if (trouble !== null) {
      const isLost = /lost/i.test(trouble);
      incidents.push({
        class: isLost ? 're-rent' : 'reset',
        severity: 'critical',
        headline: `nvidia-smi says of GPU ${index}: ${trouble}.`,
        means: 'The card does not answer as a healthy one does.',
        isFollower: true,
        evidence: line(trouble),
      });
    }
    const action = recoveryAction === null ? undefined : RECOVERY[recoveryAction];
    if (action !== undefined) {
      incidents.push({
        class: action,
        severity: CLASS_SEVERITY[action],
        headline: `The driver asks for a recovery of GPU ${index}: ${recoveryAction ?? ''}.`,
        means: 'The driver itself says what the card needs.',
        isFollower: true,
        evidence: line(`gpu_recovery_action: ${recoveryAction ?? ''}`),
      });
    }
    return incidents;
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

function fromStream({ telemetry, vanished }: BoxView): readonly Incident[] {
  const problem =
    telemetry.kind === 'live' || telemetry.kind === 'failed' ? telemetry.problem : null;
  const lost: Incident[] =
    problem?.code === 'gpu-lost'
      ? [
          {
            class: 're-rent',
            severity: 'critical',
            headline: problem.message,
            means: 'nvidia-smi cannot reach a card that was there.',
            isFollower: true,
            evidence: line(problem.detail ?? problem.message),
          },
        ]
      : [];
  return [
    ...lost,
    ...vanished.map(({ index, uuid, pciAddress }): Incident => ({
      class: 're-rent',
      severity: 'critical',
      headline: `GPU ${index} (${pciAddress ?? uuid}) is no longer listed.`,
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

function moreSigns(count: number): string {
  return count === 1
    ? 'One more sign is in the evidence.'
    : `${count} more signs are in the evidence.`;
}

const CLASS_ORDER: readonly XidClass[] = ['re-rent', 'reset', 'contact', 'app', 'unknown', 'info'];
const SEVERITY_ORDER: readonly Severity[] = ['critical', 'warn', 'info'];

/** Stable: of equals the earliest stays first. */
function worstFirst(a: Incident, b: Incident): number {
  return (
    SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity) ||
    Number(a.isFollower) - Number(b.isFollower) ||
    CLASS_ORDER.indexOf(a.class) - CLASS_ORDER.indexOf(b.class)
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
