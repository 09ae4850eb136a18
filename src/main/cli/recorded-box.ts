import type { JudgedBox } from '../../shared/detectors/box-findings.ts';
import type { Concluded } from '../../shared/detectors/finding.ts';
import { isCardReportForm, parseCardReport } from '../../shared/probes/card-forms.ts';
import type { CardReport } from '../../shared/probes/card-report.ts';
import { parseDf } from '../../shared/probes/df.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { DmonReader } from '../../shared/probes/dmon.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { KERNEL_LINE } from '../../shared/probes/kernel-line.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
import { asksFigures, toReading } from '../../shared/probes/query-loop.ts';
import { parseQuery, type QueryRow } from '../../shared/probes/query.ts';
import { parseOomKills } from '../../shared/probes/oom-kill.ts';
import { parseKernelLog, type KernelLogOutput } from '../../shared/probes/xid.ts';
import { judgeDf } from '../../shared/patrol/detectors/judge-df.ts';
import { judgeKills } from '../../shared/patrol/detectors/u9-host-memory.ts';
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
  const texts = (kind: RecordedKind): readonly string[] =>
    files.filter((file) => file.kind === kind).map(({ text }) => text);
  const of = (kind: RecordedKind): string | null => {
    const all = texts(kind);
    return all.length === 0 ? null : all.join('\n');
  };
  const { cycles, failures, unreadableCount } = readCycles(texts('dmon'));
  const queries = texts('query').map((text) => parseQuery(text));
  const reports = files.flatMap(({ kind, text }) => (kind === 'report' ? readReport(text) : []));
  const df = parseDf(of('df') ?? '');
  const said = [...failures, ...[...queries, ...reports].flatMap((each) => each.failures)];
  const facts = files.every(({ kind }) => kind === 'dmon' || kind === 'df')
    ? null
    : factsOfAnswers(of('apps'), of('kernel-log'));
  const judged = judgeCards({
    cycles,
    rows: queries.map((query) => query.rows),
    reports,
    said,
    facts,
  });
  const damaged =
    reports.reduce((sum, report) => sum + report.unreadableCount, 0) +
    queries.reduce((sum, query) => sum + query.unreadable.length, 0);
  const findings = [
    ...judgeDf(df.rows),
    ...judgeKills(parseOomKills(of('kernel-log') ?? '').rows),
    ...judged.findings,
  ];
  return {
    ...judged,
    isUntold: judged.isUntold && findings.length + df.rows.length === 0,
    findings,
    unreadableCount: unreadableCount + damaged + df.unreadable.length + df.complaints.length,
  };
}

/** What was recorded in files, one after the other. */
type ByFile<T> = readonly (readonly T[])[];

interface Recorded {
  readonly cycles: ByFile<DmonCycle>;
  readonly rows: ByFile<QueryRow>;
  readonly reports: readonly CardReport[];
  readonly said: readonly GpuToolFailure[];
  readonly facts: RecordedFacts | null;
}

function judgeCards({ cycles, rows, reports, said, facts }: Recorded): TimedReport {
  const csv = namedRows(rows.flat());
  const whole = facts === null ? null : withCards(facts, detailsOf(csv.rows), reports);
  if (cycles.flat().length > 0 || whole === null) return judgeCycles(cycles, said, whole);
  const isLoop = csv.isClear && looksOf(csv.rows).length > 1;
  const time = new RecordedTime(isLoop, isLoop && csv.rows.some(asksFigures));
  if (isLoop) {
    // Each answer of a loop is a look of its own: what one of them told and the last one does not is told with its time.
    for (const file of splitAs(rows, csv.rows)) {
      time.beginFile();
      for (const look of looksOf(file)) {
        const facts = withCards({ ...whole, gpus: [] }, detailsOf(look), reports);
        time.push(readingsOf(look), facts, look[0] === undefined ? null : printedAtMs(look[0]));
      }
    }
  } else {
    const told = [
      ...(csv.isClear ? csv.rows : []),
      ...reports.flatMap((each) => namedRows(each.rows).rows),
    ];
    time.push(readingsOf(told), whole, null);
  }
  return time.end(said);
}

/** The same rows by another name, in the files in which they stood. */
function splitAs<T>(files: ByFile<T>, rows: readonly T[]): ByFile<T> {
  let from = 0;
  return files.map(({ length }) => rows.slice(from, (from += length)));
}

const readingsOf = (rows: readonly QueryRow[]): DmonCycle =>
  rows.flatMap((row) => toReading(row) ?? []);

/** What a kernel log alone says. */
export function judgeKernelLog(output: KernelLogOutput): TimedReport {
  return judgeCycles([], [], factsOfKernelLog(output));
}

/** The cycles of dmon streams. */
function judgeCycles(
  files: ByFile<DmonCycle>,
  failures: readonly GpuToolFailure[],
  facts: RecordedFacts | null = null,
): TimedReport {
  const count = files.flat().length;
  const time = new RecordedTime(count > 1, true);
  for (const file of files) {
    time.beginFile();
    for (const cycle of file) time.push(cycle, facts, toldMsOf(cycle));
  }
  if (count === 0) time.push([], facts, null);
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

function readCycles(texts: readonly string[]) {
  // One reader for all of them: what stands above a file's first header is still under that of the file before.
  const reader = new DmonReader();
  const batches = texts.map((text) => [reader.push(text), reader.end()]);
  return {
    cycles: batches.map((parts) => {
      const grouping = new DmonCycles();
      return [...grouping.push(parts.flatMap(({ readings }) => readings)), ...grouping.end()];
    }),
    failures: batches.flat().flatMap((batch) => batch.failures),
    unreadableCount: batches.flat().reduce((sum, batch) => sum + batch.unreadableCount, 0),
  };
}
