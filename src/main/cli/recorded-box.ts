import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { BoxFindings } from '../../shared/detectors/box-findings.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { parseGpuFacts } from '../../shared/probes/gpu-facts.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
import { parseQuery } from '../../shared/probes/query.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import type { BoxGpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import { problemOf } from '../telemetry/stream-end.ts';

/** What a recorded file is, by its own words. */
export type RecordedKind = 'dmon' | 'query' | 'apps' | 'kernel-log';

/** Null: none of those; the forms that are not read yet are none either. */
export function recordedKindOf(text: string): RecordedKind | null {
  if (parseKernelLog(text).rowCount > 0 || /^\[ *\d+\.\d{6}\] /m.test(text)) return 'kernel-log';
  const form = queryForm(text);
  if (form === 'device-monitor') return 'dmon';
  if (form !== 'csv') return null;
  const { fields, failures } = parseQuery(text);
  if (fields.includes('pid')) return 'apps';
  if (fields.length > 0) return 'query';
  return failures.length > 0 ? 'dmon' : null;
}

export interface RecordedReport extends BoxFindings {
  /** How long the recorded stream is, at one cycle a second. */
  readonly recordedS: number;
  /** For how long it was taken to go on like that, so that every rule has its minimum time. */
  readonly judgedS: number;
  readonly unreadableCount: number;
}

type RecordedFacts = Omit<BoxGpuFacts, 'atMs'>;

/** The slowest rule wants ten minutes of the same. */
export const JUDGED_S = 15 * 60;
const LOOK_EVERY_S = 30;
const MARK = 'recorded';

/** Runs all detectors over what was recorded of one box. */
export function judgeRecorded(
  files: readonly { readonly kind: RecordedKind; readonly text: string }[],
): RecordedReport {
  const of = (kind: RecordedKind): string | null => {
    const texts = files.filter((file) => file.kind === kind).map(({ text }) => text);
    return texts.length === 0 ? null : texts.join('\n');
  };
  const { cycles, failures, unreadableCount } = readCycles(of('dmon') ?? '');
  const facts = readFacts(of('query'), of('apps'), of('kernel-log'));
  return { ...judgeCycles(cycles, failures, facts), unreadableCount };
}

/** The cycles of a dmon stream, one a second; at most the last 15 minutes of them say what is so now. */
export function judgeCycles(
  cycles: readonly DmonCycle[],
  failures: readonly GpuToolFailure[],
  facts: RecordedFacts | null = null,
): Omit<RecordedReport, 'unreadableCount'> {
  const detectors = new BoxDetectors();
  detectors.useTelemetry(telemetryOf(failures, cycles.length > 0));
  const judgedS = Math.max(JUDGED_S, cycles.length);
  for (let atS = 0; atS <= judgedS; atS += 1) {
    const atMs = atS * 1000;
    if (facts !== null && atS % LOOK_EVERY_S === 0) {
      detectors.useFacts({ facts: { ...facts, atMs }, problem: null });
    }
    const cycle = cycles[atS % Math.max(1, cycles.length)];
    if (cycle !== undefined) detectors.useReadings(atMs, cycle);
    detectors.judge(atMs);
  }
  return { ...detectors.findings, recordedS: cycles.length, judgedS };
}

function readCycles(text: string): {
  readonly cycles: readonly DmonCycle[];
  readonly failures: readonly GpuToolFailure[];
  readonly unreadableCount: number;
} {
  const grouping = new DmonCycles();
  const { readings, failures, unreadableCount } = parseDmon(text);
  return { cycles: [...grouping.push(readings), ...grouping.end()], failures, unreadableCount };
}

/** Through the reader of the slow probe, which these answers are sections of. Null: none was recorded. */
function readFacts(
  gpus: string | null,
  apps: string | null,
  kernelLog: string | null,
): RecordedFacts | null {
  if (gpus === null && apps === null && kernelLog === null) return null;
  const section = (name: string, text: string | null): string =>
    text === null ? '' : `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} 0\n`;
  const text = section('gpus', gpus) + section('apps', apps) + section('dmesg', kernelLog);
  const { facts } = parseGpuFacts(text, MARK, { askedAtMs: 0, answeredAtMs: 0 });
  return { ...facts, cpu: null };
}

function telemetryOf(failures: readonly GpuToolFailure[], hasReadings: boolean): TelemetryState {
  const [failure] = failures;
  if (failure !== undefined && !hasReadings) {
    return { kind: 'failed', problem: problemOf(failure), sinceMs: 0, retryAtMs: null };
  }
  return {
    kind: 'live',
    sinceMs: 0,
    source: 'dmon',
    unreadableLines: 0,
    unreadableSamples: [],
    refused: [],
    problem: failure === undefined ? null : problemOf(failure),
  };
}
