import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { DmonReader } from '../../shared/probes/dmon.ts';
import {
  gpuToolFailureMeaning,
  type GpuToolFailure,
} from '../../shared/probes/gpu-tool-failure.ts';
import { UnreadableLines } from '../../shared/probes/probe-output.ts';
import type { ReadingBatch } from '../../shared/probes/reading-batch.ts';
import type { GpuReading } from '../../shared/telemetry/gpu-reading.ts';
import type { Command, CommandContext } from './command.ts';
import { DmonSummary, dmonFigures, type DmonReport, type GpuSummary } from './dmon-summary.ts';
import { findingLines, judgedIn, quietLines, type FindingsInJson } from './findings-text.ts';
import { catalogFor } from './gotchas-common.ts';
import { toldMsOf } from './recorded-clock.ts';
import { RecordedTime, type TimedReport } from './recorded-time.ts';
import { counted, tableLines } from './table.ts';
import { readPieces } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

export const readDmon: Command = {
  name: 'read dmon',
  summary: 'reads a recorded `nvidia-smi dmon` stream of any length',
  operands: ['<file|->'],
  flags: {
    rows: { value: null, help: 'prints each reading as a line of JSON instead of the summary' },
  },
  details: [
    'Exit code 1: a finding, at its end or before, a line that could not be read, a reason of nvidia-smi for not answering,',
    'or no reading at all.',
  ],
  async run({ operands: [file = '-'], isJson, flags }, context) {
    const isRows = flags.has('rows');
    const collected = new Collected(isRows ? null : new RecordedTime(true, true));
    const reader = new DmonReader();
    const read = await readPieces(file, context, async (text) => {
      await take(reader.push(text));
    });
    if (!read.ok) return { refused: read.error };
    await take(reader.end());

    const report = collected.summary.build();
    if (isRows) {
      await context.err.lines(complaints(collected));
      return collected.hasTrouble || report.readings === 0 ? 1 : 0;
    }
    const judged = judgedIn(collected.judge(), await catalogFor(context));
    await print(report, { collected, judged }, isJson, context);
    const { findings, past, silent } = judged;
    const isFine = !collected.hasTrouble && findings.length + past.length + silent.length === 0;
    return isFine && report.readings > 0 ? 0 : 1;

    async function take(batch: ReadingBatch): Promise<void> {
      collected.add(batch);
      if (isRows) await printRows(batch.readings, context);
    }
  },
};

/** nvidia-smi repeats itself every second while it fails: the first reasons are enough. */
const MAX_FAILURES_KEPT = 20;

class Collected {
  readonly summary = new DmonSummary();
  readonly unreadable: string[] = [];
  readonly failures: GpuToolFailure[] = [];
  unreadableCount = 0;
  failureCount = 0;
  readonly #cycles = new DmonCycles();
  readonly #time: RecordedTime | null;

  /** Null: nobody asks what the detectors say of it. */
  constructor(time: RecordedTime | null) {
    this.#time = time;
  }

  /** What the detectors say of all of it. */
  judge(): TimedReport | null {
    this.#see(this.#cycles.end());
    return this.#time?.end(this.failures) ?? null;
  }

  get hasTrouble(): boolean {
    return this.unreadableCount > 0 || this.failureCount > 0;
  }

  add({ readings, unreadable, unreadableCount, failures }: ReadingBatch): void {
    this.summary.add(readings);
    this.#see(this.#cycles.push(readings));
    this.unreadable.push(...unreadable.slice(0, UnreadableLines.KEPT - this.unreadable.length));
    this.unreadableCount += unreadableCount;
    this.failures.push(...failures.slice(0, MAX_FAILURES_KEPT - this.failures.length));
    this.failureCount += failures.length;
  }

  #see(cycles: readonly DmonCycle[]): void {
    for (const cycle of cycles) this.#time?.push(cycle, null, toldMsOf(cycle));
  }
}

async function printRows(readings: readonly GpuReading[], { out }: CommandContext): Promise<void> {
  for (const reading of readings) await out.jsonLine(reading);
}

async function print(
  report: DmonReport,
  { collected, judged }: { readonly collected: Collected; readonly judged: FindingsInJson },
  isJson: boolean,
  { out }: CommandContext,
): Promise<void> {
  const { unreadable, unreadableCount, failures, failureCount } = collected;
  if (isJson) {
    const rest = { failures, failureCount, unreadable, unreadableCount, ...judged };
    await out.json({ reader: 'dmon', ...report, ...rest });
    return;
  }
  await out.line(
    [
      counted(report.readings, 'reading'),
      `of ${counted(report.gpus.length, 'GPU')}`,
      `in ${counted(report.cycles, 'cycle')}`,
    ].join(' '),
  );
  for (const gpu of report.gpus) await out.lines(gpuLines(gpu));
  await out.lines(findingLines(judged));
  if (report.readings > 0 && !collected.hasTrouble) await out.lines(quietLines(judged));
  await out.lines(complaints(collected));
}

function gpuLines(gpu: GpuSummary): readonly string[] {
  const rows = dmonFigures.flatMap(({ key, label, unit }) => {
    const figure = gpu.figures[key];
    if (figure === undefined) return [];
    const { reported, min, mean, max } = figure;
    return [[label, unit, reported, min, Math.round(mean * 10) / 10, max, gpu.last[key]]];
  });
  const labels = gpu.neverReported.map(
    (key) => dmonFigures.find((each) => each.key === key)?.label,
  );
  const { reported, held } = gpu.thermal;
  return [
    '',
    `GPU ${gpu.index}: ${counted(gpu.readings, 'reading')}`,
    ...tableLines(['figure', 'unit', 'reported', 'min', 'mean', 'max', 'last'], rows),
    reported === 0
      ? 'Held down by heat: not reported'
      : `Held down by heat: ${held} of ${reported}`,
    ...(labels.length > 0 ? [`Never reported: ${labels.join(', ')}`] : []),
    ...(gpu.unknownColumns.length > 0
      ? [`Columns unknown to this version: ${gpu.unknownColumns.join(', ')}`]
      : []),
  ];
}

function complaints({ failures, failureCount, unreadable, unreadableCount }: Collected) {
  return [...failureLines(failures, failureCount), ...unreadableLines(unreadable, unreadableCount)];
}

/** Also for the other commands that read what nvidia-smi printed. */
export function failureLines(
  failures: readonly GpuToolFailure[],
  count = failures.length,
): readonly string[] {
  if (count === 0) return [];
  const more = count > failures.length ? ` (${count} in all)` : '';
  return [
    '',
    `nvidia-smi did not answer as asked${more}:`,
    ...failures.flatMap(({ kind, line }) => [`  ${gpuToolFailureMeaning[kind]}`, `    ${line}`]),
  ];
}
