import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import type { JudgedBox } from '../../shared/detectors/box-findings.ts';
import type { DetectorId } from '../../shared/detectors/finding.ts';
import { isCardReportForm, parseCardReport } from '../../shared/probes/card-forms.ts';
import type { CardReport } from '../../shared/probes/card-report.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
import { toReading } from '../../shared/probes/query-loop.ts';
import { parseQuery, type QueryRow } from '../../shared/probes/query.ts';
import { parseKernelLog, type KernelLogOutput } from '../../shared/probes/xid.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import { problemOf } from '../telemetry/stream-end.ts';
import {
  factsOfAnswers,
  factsOfKernelLog,
  identifiedRows,
  withReports,
  type RecordedFacts,
} from './recorded-facts.ts';

/** What a recorded file is, by its own words. */
export type RecordedKind = 'dmon' | 'query' | 'apps' | 'report' | 'kernel-log';

/** Null: none of those; the forms that tell nothing of a box's health are none either. */
export function recordedKindOf(text: string): RecordedKind | null {
  if (parseKernelLog(text).rowCount > 0 || /^\[ *\d+\.\d{6}\] /m.test(text)) return 'kernel-log';
  const form = queryForm(text);
  if (form === 'device-monitor') return 'dmon';
  if (isCardReportForm(form)) return 'report';
  if (form !== 'csv') return null;
  const { fields, failures } = parseQuery(text);
  if (fields.includes('pid')) return 'apps';
  if (fields.length > 0) return 'query';
  return failures.length > 0 ? 'dmon' : null;
}

export interface RecordedReport extends JudgedBox {
  /** How long the recorded stream is, at one cycle a second. */
  readonly recordedS: number;
  /** For how long it was taken to go on like that, so that every rule has its minimum time. */
  readonly judgedS: number;
  readonly unreadableCount: number;
}

type Judged = Omit<RecordedReport, 'unreadableCount'>;

/** The slowest rule wants ten minutes of the same. */
export const JUDGED_S = 15 * 60;
const LOOK_EVERY_S = 30;
/** Shorter than the pause that ends a window of readings. */
const MOMENT_EVERY_S = 5;

/** Rules about what a job does over time: one moment of it proves nothing, however often it is looked at. */
const OVER_TIME: ReadonlySet<DetectorId> = new Set(['idle', 'U21', 'U24', 'U38', 'straggler']);
/** So many answers in a row are a stream. */
const STREAM_FROM_CYCLES = 15;

/** Runs all detectors over what was recorded of one box. */
export function judgeRecorded(
  files: readonly { readonly kind: RecordedKind; readonly text: string }[],
): RecordedReport {
  const of = (kind: RecordedKind): string | null => {
    const texts = files.filter((file) => file.kind === kind).map(({ text }) => text);
    return texts.length === 0 ? null : texts.join('\n');
  };
  const { cycles, failures, unreadableCount } = readCycles(of('dmon') ?? '');
  const query = parseQuery(of('query') ?? '');
  const reports = files.flatMap(({ kind, text }) => (kind === 'report' ? readReport(text) : []));
  const said = [...failures, ...query.failures, ...reports.flatMap((report) => report.failures)];
  const facts = files.every(({ kind }) => kind === 'dmon')
    ? null
    : withReports(factsOfAnswers(of('query'), of('apps'), of('kernel-log')), reports);
  const rows = [...query.rows, ...reports.flatMap(identifiedRows)];
  const judged =
    cycles.length > 0 ? judgeCycles(cycles, said, facts) : judgeMoments(rows, said, facts);
  const damaged = reports.reduce((sum, report) => sum + report.unreadableCount, 0);
  return { ...judged, unreadableCount: unreadableCount + query.unreadable.length + damaged };
}

/** What a kernel log alone says. */
export function judgeKernelLog(output: KernelLogOutput): Judged {
  return judgeCycles([], [], factsOfKernelLog(output));
}

/** The cycles of a dmon stream, one a second; at most the last 15 minutes of them say what is so now. */
export function judgeCycles(
  cycles: readonly DmonCycle[],
  failures: readonly GpuToolFailure[],
  facts: RecordedFacts | null = null,
): Judged {
  const detectors = new BoxDetectors();
  detectors.useTelemetry(telemetryOf(failures, cycles.length > 0));
  const judgedS = Math.max(JUDGED_S, cycles.length);
  // A moment that is taken to go on needs no look at every second of it.
  const stepS = cycles.length > 1 ? 1 : MOMENT_EVERY_S;
  for (let atS = 0; atS <= judgedS; atS += stepS) {
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

/** Answers that show the load of one moment, or of some. */
function judgeMoments(
  rows: readonly QueryRow[],
  failures: readonly GpuToolFailure[],
  facts: RecordedFacts | null,
): Judged {
  const grouping = new DmonCycles();
  const readings = rows.flatMap((row) => toReading(row) ?? []);
  const cycles = [...grouping.push(readings), ...grouping.end()];
  const judged = judgeCycles(cycles, failures, facts);
  if (cycles.length >= STREAM_FROM_CYCLES) return judged;
  const tooShort = judged.findings.filter(({ detector }) => OVER_TIME.has(detector));
  return {
    ...judged,
    findings: judged.findings.filter((finding) => !tooShort.includes(finding)),
    unknown: [
      ...judged.unknown,
      ...tooShort.map(({ detector, subject }) => ({
        detector,
        because: 'this text shows a moment, and the rule wants some time',
        gpus: subject.kind === 'gpu' ? [subject.index] : [],
      })),
    ],
  };
}

function readReport(text: string): readonly CardReport[] {
  const form = queryForm(text);
  return isCardReportForm(form) ? [parseCardReport(form, text)] : [];
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
