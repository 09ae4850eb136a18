import { subjectKeyOf, type Finding } from '../../../shared/detectors/finding.ts';
import { gpuKeyOf, type GpuKey } from '../../../shared/telemetry/gpu-facts.ts';
import type { HistoryGap } from '../../../shared/telemetry/history.ts';
import { markWords, type MarkKind, type TelemetryMark } from '../../../shared/telemetry/mark.ts';
import type { TimeAxis } from './time-axis.ts';

/** Something that happened, on the axis of the charts. Parts of the text may come from the box. */
export interface EventMark {
  readonly key: string;
  readonly atMs: number;
  /** Two or three words that stand beside its line. */
  readonly label: string;
  readonly text: string;
  readonly tone: 'danger' | 'warn' | 'info';
  /** The line of the box that says so. Hostile. */
  readonly clue: string | null;
}

const DANGEROUS: readonly MarkKind[] = ['xid', 'sxid', 'gpu-lost'];
const HARMLESS: readonly MarkKind[] = [
  'gpu-back',
  'link-back',
  'stream-back',
  'driver-change',
  'alert-over',
  'told',
];

interface MarkSources {
  readonly stored: readonly TelemetryMark[];
  readonly live: readonly TelemetryMark[];
  readonly gaps: readonly HistoryGap[];
  readonly findings: readonly Finding[];
  /** What became of the runs that were launched on the box. */
  readonly runs: readonly EventMark[];
}

/** Oldest first. `gpus` null: of all GPUs; what concerns the whole box is always there. */
export function eventMarksOf(
  axis: TimeAxis,
  { stored, live, gaps, findings, runs }: MarkSources,
  gpus: readonly GpuKey[] | null,
): readonly EventMark[] {
  const marks = new Map<string, EventMark>();
  const add = (mark: EventMark): void => void marks.set(mark.key, mark);
  for (const mark of [...stored, ...live]) {
    if (mark.gpu === null || gpus === null || gpus.includes(mark.gpu)) add(ofTelemetry(mark));
  }
  for (const mark of runs) add(mark);
  for (const gap of gaps) if (gap.reason === 'app-closed') add(ofClosing(gap));
  for (const finding of findings) {
    if (isAbout(finding, gpus)) add(ofFinding(finding));
  }
  return [...marks.values()]
    .filter(({ atMs }) => atMs >= axis.fromMs && atMs <= axis.toMs)
    .sort((a, b) => a.atMs - b.atMs);
}

function ofTelemetry({ atMs, kind, gpu, text, code, clue }: TelemetryMark): EventMark {
  return {
    key: `${kind} ${String(atMs)} ${gpu ?? ''} ${String(code)} ${text}`,
    atMs,
    label: code === null ? markWords[kind] : `${markWords[kind]} ${String(code)}`,
    text,
    tone: DANGEROUS.includes(kind) ? 'danger' : HARMLESS.includes(kind) ? 'info' : 'warn',
    clue,
  };
}

function ofClosing({ fromMs }: HistoryGap): EventMark {
  return {
    key: `closed ${String(fromMs)}`,
    atMs: fromMs,
    label: 'closed',
    text: 'Leasehold was closed here, so nothing was read from the box.',
    tone: 'info',
    clue: null,
  };
}

function ofFinding({ detector, sinceMs, severity, headline, subject }: Finding): EventMark {
  const of = subject.kind === 'gpu' ? String(subject.index) : subjectKeyOf(subject);
  return {
    key: `finding ${detector} ${of} ${String(sinceMs)}`,
    atMs: sinceMs,
    label: 'alert',
    text: headline,
    tone: severity === 'critical' ? 'danger' : severity === 'warn' ? 'warn' : 'info',
    clue: null,
  };
}

function isAbout({ subject }: Finding, gpus: readonly GpuKey[] | null): boolean {
  if (subject.kind !== 'gpu' || gpus === null) return true;
  return gpus.includes(gpuKeyOf(subject.index, subject.uuid));
}

/** Marks that stand too close to be told apart, as one. */
export function clusterMarks(
  marks: readonly EventMark[],
  leastMs: number,
): readonly (readonly EventMark[])[] {
  const clusters: EventMark[][] = [];
  for (const mark of marks) {
    const last = clusters.at(-1);
    const lastMs = last?.at(-1)?.atMs ?? -Infinity;
    if (last !== undefined && mark.atMs - lastMs < leastMs) last.push(mark);
    else clusters.push([mark]);
  }
  return clusters;
}
