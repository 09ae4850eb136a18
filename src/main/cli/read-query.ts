import { queryForm, queryFormAdvice } from '../../shared/probes/query-form.ts';
import {
  parseQuery,
  toGpuFacts,
  type QueryCell,
  type QueryOutput,
} from '../../shared/probes/query.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { Command } from './command.ts';
import { failureLines } from './read-dmon.ts';
import { counted, tableLines } from './table.ts';
import { readWhole } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

/** Instead of a value: the card does not answer as a healthy one does. */
const ALARMING = new Set(['GPU is lost', 'GPU requires reset', 'Unknown Error', 'ERR!']);

/** More fields than this are easier to read below each other. */
const MAX_COLUMNS = 10;

export const readQuery: Command = {
  name: 'read query',
  summary: 'reads a recorded `nvidia-smi --query-… --format=csv` answer',
  operands: ['<file|->'],
  flags: {},
  details: [
    'Cards, compute apps, accounted apps and retired pages, with or without units; the header line is needed.',
    'Exit code 1: a line could not be read, nvidia-smi gave a reason for not answering, a card is lost or in error, or',
    'no row was found.',
  ],
  async run({ operands: [file = '-'], isJson }, { out, ...context }) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const output = parseQuery(text.value);
    if (output.fields.length === 0 && output.failures.length === 0) {
      const form = queryForm(text.value);
      if (form !== 'csv') {
        return { refused: `${queryFormAdvice[form]} This command reads --format=csv only.` };
      }
    }
    const facts = output.rows.map(toGpuFacts).filter((fact): fact is GpuFacts => fact !== null);
    const alarms = output.rows.flatMap((row) => Object.values(row).filter(isAlarming)).length;
    if (isJson) await out.json({ ...output, facts, alarms });
    else await out.lines(describe(output, alarms));
    const isFine = alarms + output.failures.length + output.unreadable.length === 0;
    return isFine && output.rows.length > 0 ? 0 : 1;
  },
};

function isAlarming(cell: QueryCell): boolean {
  return cell.kind === 'missing' && ALARMING.has(cell.because);
}

function describe({ fields, rows, failures, unreadable }: QueryOutput, alarms: number) {
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
    ...(alarms > 0 ? ['', `Cells that tell of a card in trouble: ${alarms}`] : []),
    ...failureLines(failures),
    ...unreadableLines(unreadable),
  ];
}

function describeCell(cell: QueryCell | undefined): string {
  if (cell === undefined) return '–';
  if (cell.kind === 'missing') return `– (${cell.because})`;
  return cell.unit === null ? cell.text : `${cell.text} ${cell.unit}`;
}
