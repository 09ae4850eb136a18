import { xidEntry } from '../../shared/probes/xid-classes.ts';
import { XidReader, type KernelGpuEvent, type KernelLogOutput } from '../../shared/probes/xid.ts';
import type { Command } from './command.ts';
import { judgedIn } from './findings-text.ts';
import { catalogFor } from './gotchas-common.ts';
import { judgeKernelLog } from './recorded-box.ts';
import { counted, tableLines } from './table.ts';
import { readPieces } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

export const readXid: Command = {
  name: 'read xid',
  summary: 'reads what a kernel log says about GPUs: Xids, NVSwitch SXids, lost cards',
  operands: ['<file|->'],
  flags: {},
  details: [
    'Takes the output of dmesg in any of its forms, a journal, a log file or an excerpt.',
    'Exit code 0 only when the log could be read, reaches back to the boot and tells of nothing; 1 otherwise.',
  ],
  async run({ operands: [file = '-'], isJson }, { out, ...context }) {
    const reader = new XidReader();
    const read = await readPieces(file, context, (text) => reader.push(text));
    if (!read.ok) return { refused: read.error };
    const output = reader.end();
    if (isJson)
      await out.json({
        reader: 'xid',
        ...output,
        ...judgedIn(judgeKernelLog(output), await catalogFor(context)),
      });
    else await out.lines(describe(output));
    return output.outcome.kind === 'clear' && output.unreadableCount === 0 ? 0 : 1;
  },
};

function describe(output: KernelLogOutput): readonly string[] {
  const { rows, rowCount, unreadable, unreadableCount, uuids } = output;
  return [
    outcomeSentence(output),
    ...(rows.length === 0 ? [] : ['', ...eventTable(rows)]),
    ...(rowCount > rows.length ? [`… and ${rowCount - rows.length} more`] : []),
    ...meanings(rows),
    ...Object.entries(uuids).map(([address, uuid]) => `${address} is ${uuid}`),
    ...unreadableLines(unreadable, unreadableCount),
  ];
}

function outcomeSentence({ outcome, rowCount, lineCount }: KernelLogOutput): string {
  if (outcome.kind === 'found')
    return `Found: ${counted(rowCount, 'event')} in ${counted(lineCount, 'line')}`;
  if (outcome.kind === 'clear')
    return `Clear: no event in ${counted(lineCount, 'line')} since the boot`;
  return `Cannot rule out Xids: ${outcome.because}`;
}

function eventTable(rows: readonly KernelGpuEvent[]): readonly string[] {
  return tableLines(
    ['time', 'card', 'event', 'class', 'process', 'text'],
    rows.map((row) => [row.prefixTime, row.address, eventName(row), ...eventDetails(row)]),
  );
}

function eventName(row: KernelGpuEvent): string {
  switch (row.kind) {
    case 'xid':
      return `Xid ${row.code}`;
    case 'sxid':
      return `SXid ${row.code}`;
    case 'loss':
      return 'card lost';
    case 'init-failed':
      return 'card did not start';
  }
}

function eventDetails(row: KernelGpuEvent): readonly (string | null)[] {
  switch (row.kind) {
    case 'xid':
      return [row.class, row.processName ?? (row.pid === null ? null : `pid ${row.pid}`), row.text];
    case 'sxid':
      return [row.isFatal === true ? 'fatal' : null, row.switchName, row.text];
    default:
      return [null, null, row.line];
  }
}

/** Each code once, the cause before what only follows it. */
function meanings(rows: readonly KernelGpuEvent[]): readonly string[] {
  const codes = new Set(rows.flatMap((row) => (row.kind === 'xid' ? [row.code] : [])));
  if (codes.size === 0) return [];
  const entries = [...codes].map((code) => ({ code, ...xidEntry(code) }));
  entries.sort((a, b) => Number(a.followsCause) - Number(b.followsCause));
  return [
    '',
    ...tableLines(
      ['Xid', 'meaning', 'advice'],
      entries.map(({ code, meaning, advice, followsCause }) => [
        code,
        meaning,
        followsCause
          ? `${advice} (follows another code of the same seconds, if there is one)`
          : advice,
      ]),
    ),
  ];
}
