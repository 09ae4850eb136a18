import { failedCells, troubleOf } from '../../shared/probes/gpu-facts.ts';
import { isCardReportForm, parseCardReport } from '../../shared/probes/card-forms.ts';
import type { CardReport, ListedProcess, MigInstance } from '../../shared/probes/card-report.ts';
import type { GpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { normalPciAddress } from '../../shared/probes/pci-address.ts';
import { parsePmon } from '../../shared/probes/pmon.ts';
import { UnreadableLines } from '../../shared/probes/probe-output.ts';
import { queryForm, unreadForms, type NvidiaSmiForm } from '../../shared/probes/query-form.ts';
import {
  numberOf,
  parseQuery,
  textOf,
  toGpuFacts,
  type QueryCell,
  type QueryRow,
} from '../../shared/probes/query.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { Command } from './command.ts';
import { findingLines, judgedIn, quietLines, type FindingsInJson } from './findings-text.ts';
import { failureLines } from './read-dmon.ts';
import { catalogFor } from './gotchas-common.ts';
import { judgeRecorded, recordedKindOf } from './recorded-box.ts';
import { counted, tableLines } from './table.ts';
import { readWhole } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

/** The words of `troubleOf`, each cell of which is counted. */
const ALARMING = /^(?:GPU is lost|GPU requires reset|Unknown Error|ERR!)$/i;

/** More fields than this are easier to read below each other. */
const MAX_COLUMNS = 10;

/** One card as the text shows it. */
interface CardInText {
  /** Null: the text shows some of the cards and does not say which. */
  readonly index: number | null;
  readonly uuid: string | null;
  readonly name: string | null;
  readonly address: string | null;
  readonly rows: number;
  /** The last row of this card, by field. */
  readonly last: QueryRow;
}

interface Output extends FindingsInJson {
  readonly reader: 'query';
  readonly form: NvidiaSmiForm;
  readonly fields: readonly string[];
  readonly rows: readonly QueryRow[];
  readonly gpus: readonly CardInText[];
  readonly instances: readonly MigInstance[];
  readonly processes: readonly ListedProcess[];
  readonly facts: readonly GpuFacts[];
  readonly attachedGpus: number | null;
  readonly cudaVersion: string | null;
  readonly alarms: number;
  /** Figures that nvidia-smi could not read, of cards that answer otherwise. */
  readonly failedCells: number;
  /** For people: what the figures do not say of themselves. */
  readonly notes: readonly string[];
  readonly failures: readonly GpuToolFailure[];
  readonly unreadable: readonly string[];
  readonly unreadableCount: number;
}

export const readQuery: Command = {
  name: 'read query',
  summary: 'reads what nvidia-smi answered: --query-… in CSV, -q, -q -x, the table, -L, pmon',
  operands: ['<file|->'],
  flags: {},
  details: [
    'CSV of cards, compute apps, accounted apps and retired pages, with or without units; its header line is needed.',
    'Whole cards in the text or the XML of -q, in the table of a bare nvidia-smi and in its list; streams of pmon.',
    'Exit code 1: something was found, a line or a figure could not be read, nvidia-smi gave a reason for not answering, a',
    'card is lost or in error, or no row was found.',
  ],
  async run({ operands: [file = '-'], isJson }, { out, ...context }) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const form = queryForm(text.value);
    const read = readForm(form, text.value);
    const isNothing = read.fields.length + read.failures.length === 0;
    if (isNothing && unreadForms[form] !== undefined) return { refused: unreadForms[form] };
    const kind = recordedKindOf(text.value);
    const inTrouble = read.rows.filter((row) => troubleOf(row) !== null);
    const alarms = inTrouble.flatMap((row) => Object.values(row).filter(isAlarming)).length;
    const failed = read.rows.filter((row) => troubleOf(row) === null).flatMap(failedCells).length;
    const judged = judgedIn(
      kind === null ? null : judgeRecorded([{ kind, text: text.value }]),
      await catalogFor(context),
    );
    const output: Output = {
      reader: 'query',
      form,
      ...read,
      gpus: cardsOf(read.rows, isCardReportForm(form)),
      notes: notesOf(read, form),
      facts: read.rows.flatMap((row) => toGpuFacts(row) ?? []),
      alarms,
      failedCells: failed,
      ...judged,
    };
    if (isJson) await out.json(output);
    else await out.lines(describe(output));
    const found = judged.findings.length + judged.past.length + judged.silent.length;
    const doubts = alarms + failed + read.failures.length + read.unreadableCount;
    return found + doubts === 0 && read.rows.length > 0 ? 0 : 1;
  },
};

type Read = Pick<
  Output,
  | 'fields'
  | 'rows'
  | 'instances'
  | 'processes'
  | 'attachedGpus'
  | 'cudaVersion'
  | 'failures'
  | 'unreadable'
  | 'unreadableCount'
>;

const NOT_TOLD = { instances: [], processes: [], attachedGpus: null, cudaVersion: null };

function readForm(form: NvidiaSmiForm, text: string): Read {
  if (isCardReportForm(form)) return fromReport(parseCardReport(form, text));
  if (form === 'process-monitor') return { ...NOT_TOLD, ...parsePmon(text) };
  const { fields, rows, failures, unreadable: all } = parseQuery(text, true);
  const unreadable = all.slice(0, UnreadableLines.KEPT);
  return { ...NOT_TOLD, fields, rows, failures, unreadable, unreadableCount: all.length };
}

function fromReport(report: CardReport): Read {
  const { rows, instances, processes, attachedGpus, cudaVersion } = report;
  const { failures, unreadable, unreadableCount } = report;
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    ...{ fields, rows, instances, processes, attachedGpus, cudaVersion },
    ...{ failures, unreadable, unreadableCount },
  };
}

/** Each card once. Rows that are not about a card (a process, a retired page) name it or not; they are no cards. */
function cardsOf(rows: readonly QueryRow[], isReport: boolean): readonly CardInText[] {
  const cards = new Map<string, CardInText>();
  rows.forEach((row, place) => {
    if (row['pid'] !== undefined && row['gpu'] === undefined) return;
    const index = numberOf(row, 'index', null) ?? numberOf(row, 'gpu', null);
    const uuid = textOf(row, 'uuid');
    const address = normalPciAddress(textOf(row, 'pci.bus_id') ?? '');
    const name = index === null ? (isReport ? `place ${place}` : null) : `index ${index}`;
    const key = uuid ?? address ?? name;
    if (key === null) return;
    const before = cards.get(key)?.rows ?? 0;
    cards.set(key, {
      index,
      uuid,
      name: textOf(row, 'name'),
      address,
      rows: before + 1,
      last: row,
    });
  });
  return [...cards.values()];
}

/** What has to be known to read the rest rightly. */
function notesOf({ rows, instances }: Read, form: NvidiaSmiForm): readonly string[] {
  const isOfCards = isCardReportForm(form) || (form === 'csv' && !rows.some((row) => 'pid' in row));
  const isUntold = isOfCards && rows.some((row) => textOf(row, 'index') === null);
  return [
    ...(isUntold
      ? [
          'This text does not tell the index of its cards: findings count them in its order, from 0.',
        ]
      : []),
    ...(instances.length > 0
      ? [
          'MIG devices are parts of a card, not GPUs of their own; those of one GPU instance share its memory.',
        ]
      : []),
  ];
}

function isAlarming(cell: QueryCell): boolean {
  return cell.kind === 'missing' && ALARMING.test(cell.because);
}

function describe(output: Output): readonly string[] {
  const { fields, rows, alarms, failures, unreadable, unreadableCount } = output;
  const cells = rows.map((row) => fields.map((field) => describeCell(row[field])));
  const body =
    fields.length <= MAX_COLUMNS
      ? ['', ...tableLines(fields, cells)]
      : cells.flatMap((row, i) => [
          '',
          `row ${i + 1}`,
          ...tableLines(
            ['field', 'value'],
            fields.map((field, column) => [field, row[column] ?? null]),
          ),
        ]);
  return [
    `${counted(rows.length, 'row')} of ${counted(fields.length, 'field')}`,
    ...(rows.length > 0 ? body : []),
    ...instanceLines(output),
    ...processLines(output),
    ...(alarms > 0 ? ['', `Cells that tell of a card in trouble: ${alarms}`] : []),
    ...(output.failedCells > 0
      ? ['', `Figures that nvidia-smi could not read, of cards that answer: ${output.failedCells}`]
      : []),
    ...(output.notes.length > 0 ? ['', ...output.notes] : []),
    ...failureLines(failures),
    ...findingLines(output),
    ...(rows.length > 0 && alarms + output.failedCells + failures.length + unreadableCount === 0
      ? quietLines(output)
      : []),
    ...unreadableLines(unreadable, unreadableCount),
  ];
}

function instanceLines({ instances }: Output): readonly string[] {
  if (instances.length === 0) return [];
  const head = ['row', 'device', 'GPU instance', 'compute instance', 'profile', 'memory MiB', 'of'];
  return [
    '',
    'MIG devices:',
    ...tableLines(
      head,
      instances.map((part) => [
        part.card + 1,
        part.device,
        part.gpuInstance,
        part.computeInstance,
        part.profile,
        part.memoryUsedMiB,
        part.memoryTotalMiB,
      ]),
    ),
  ];
}

function processLines({ processes }: Output): readonly string[] {
  if (processes.length === 0) return [];
  return [
    '',
    'Processes:',
    ...tableLines(
      ['row', 'pid', 'type', 'memory MiB', 'name'],
      processes.map(({ card, pid, type, memoryMiB, name }) => [
        card + 1,
        pid,
        type,
        memoryMiB,
        name,
      ]),
    ),
  ];
}

function describeCell(cell: QueryCell | undefined): string {
  if (cell === undefined) return '–';
  if (cell.kind === 'missing') return `– (${cell.because})`;
  return cell.unit === null ? cell.text : `${cell.text} ${cell.unit}`;
}
