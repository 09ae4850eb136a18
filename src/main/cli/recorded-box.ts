import type { JudgedBox } from '../../shared/detectors/box-findings.ts';
import type { Concluded } from '../../shared/detectors/finding.ts';
import { isCardReportForm, parseCardReport } from '../../shared/probes/card-forms.ts';
import type { CardReport } from '../../shared/probes/card-report.ts';
import { parseDf } from '../../shared/probes/df.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { KERNEL_LINE } from '../../shared/probes/kernel-line.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
import { toReading } from '../../shared/probes/query-loop.ts';
import { parseQuery, type QueryRow } from '../../shared/probes/query.ts';
import { parseKernelLog, type KernelLogOutput } from '../../shared/probes/xid.ts';
import { judgeDf } from '../../shared/patrol/detectors/judge-df.ts';
import { printedAtMs, toldMsOf } from './recorded-clock.ts';
import {
  detailsOf,
  factsOfAnswers,
  factsOfKernelLog,
  looksOf,
  namedRows,
  withCards,
  type RecordedFacts,
} from './recorded-facts.ts';
import { RecordedTime, type TimedReport } from './recorded-time.ts';

/** What a recorded file is, by its own words. */
export type RecordedKind = 'dmon' | 'query' | 'apps' | 'report' | 'kernel-log' | 'df';

/** Null: none of those; the forms that tell nothing of a box's health are none either. */
export function recordedKindOf(text: string): RecordedKind | null {
  if (parseKernelLog(text).rowCount > 0 || KERNEL_LINE.test(text)) return 'kernel-log';
  if (/^Filesystem\s/m.test(text) && parseDf(text).rows.length > 0) return 'df';
  const form = queryForm(text);
  if (form === 'device-monitor') return 'dmon';
  if (isCardReportForm(form)) return 'report';
  if (form !== 'csv') return null;
  const { fields, failures } = parseQuery(text);
  if (fields.includes('pid')) return 'apps';
  if (fields.length > 0) return 'query';
  return failures.length > 0 ? 'dmon' : null;
}

export interface RecordedReport extends TimedReport {
  readonly unreadableCount: number;
}

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
  const df = parseDf(of('df') ?? '');
  const said = [...failures, ...query.failures, ...reports.flatMap((report) => report.failures)];
  const facts = files.every(({ kind }) => kind === 'dmon' || kind === 'df')
    ? null
    : factsOfAnswers(of('apps'), of('kernel-log'));
  const judged = judgeCards({ cycles, rows: query.rows, reports, said, facts });
  const damaged = reports.reduce((sum, report) => sum + report.unreadableCount, 0);
  return {
    ...judged,
    findings: [...judgeDf(df.rows), ...judged.findings],
    unreadableCount:
      unreadableCount +
      query.unreadable.length +
      damaged +
      df.unreadable.length +
      df.complaints.length,
  };
}

interface Recorded {
  readonly cycles: readonly DmonCycle[];
  readonly rows: readonly QueryRow[];
  readonly reports: readonly CardReport[];
  readonly said: readonly GpuToolFailure[];
  readonly facts: RecordedFacts | null;
}

function judgeCards({ cycles, rows, reports, said, facts }: Recorded): TimedReport {
  const csv = namedRows(rows);
  const whole = facts === null ? null : withCards(facts, detailsOf(csv.rows), reports);
  if (cycles.length > 0 || whole === null) return judgeCycles(cycles, said, whole);
  const looks = csv.isClear ? looksOf(csv.rows) : [];
  const isLoop = looks.length > 1;
  const time = new RecordedTime(isLoop);
  if (isLoop) {
    // Each answer of a loop is a look of its own: what one of them told and the last one does not is told with its time.
    for (const look of looks) {
      const facts = withCards({ ...whole, gpus: [] }, detailsOf(look), reports);
      time.push(readingsOf(look), facts, look[0] === undefined ? null : printedAtMs(look[0]));
    }
  } else {
    const told = [...(looks[0] ?? []), ...reports.flatMap((each) => namedRows(each.rows).rows)];
    time.push(readingsOf(told), whole, null);
  }
  return time.end(said);
}

const readingsOf = (rows: readonly QueryRow[]): DmonCycle =>
  rows.flatMap((row) => toReading(row) ?? []);

/** What a kernel log alone says. */
export function judgeKernelLog(output: KernelLogOutput): TimedReport {
  return judgeCycles([], [], factsOfKernelLog(output));
}

/** The cycles of a dmon stream. */
export function judgeCycles(
  cycles: readonly DmonCycle[],
  failures: readonly GpuToolFailure[],
  facts: RecordedFacts | null = null,
): TimedReport {
  const time = new RecordedTime(cycles.length > 1);
  for (const cycle of cycles) time.push(cycle, facts, toldMsOf(cycle));
  if (cycles.length === 0) time.push([], facts, null);
  return time.end(failures);
}

/** Findings of a text that tells of one moment, for whoever puts them into words. */
export function judgedNow(findings: readonly Concluded[]): JudgedBox {
  return { atMs: 0, findings, unknown: [], clear: [] };
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
