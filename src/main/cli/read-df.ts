import { tellFindings } from '../../shared/detectors/alert-words.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { judgeDf } from '../../shared/patrol/detectors/judge-df.ts';
import { parseDf, type DfOutput, type MountUsage } from '../../shared/probes/df.ts';
import type { Command } from './command.ts';
import { findingLines } from './findings-text.ts';
import { catalogFor } from './gotchas-common.ts';
import { judgedNow } from './recorded-box.ts';
import { counted, tableLines } from './table.ts';
import { readWhole } from './text-input.ts';
import { unreadableLines } from './unreadable.ts';

export const readDf: Command = {
  name: 'read df',
  summary: 'reads a recorded `df` answer: space and inodes of each mount',
  operands: ['<file|->'],
  flags: {},
  details: [
    'Best recorded with `LC_ALL=C df -Pk` and `LC_ALL=C df -Pi`; plain, -T, -h and macOS forms are read too.',
    'Exit code 1: a disk is full or short of inodes, a line could not be read, df could not look at a mount, or no mount',
    'was found.',
  ],
  async run({ operands: [file = '-'], isJson }, { out, ...context }) {
    const text = await readWhole(file, context);
    if (!text.ok) return { refused: text.error };
    const output = parseDf(text.value);
    const { findings } = tellFindings(judgedNow(judgeDf(output.rows)), await catalogFor(context));
    if (isJson) await out.json({ reader: 'df', ...output, findings });
    else await out.lines(describe(output, findings));
    const isFine = output.unreadable.length + output.complaints.length + findings.length === 0;
    return isFine && output.rows.length > 0 ? 0 : 1;
  },
};

function describe(
  { rows, complaints, unreadable }: DfOutput,
  findings: readonly Finding[],
): readonly string[] {
  const head = [
    'mount',
    'device',
    'used',
    'free',
    'full',
    'inodes used',
    'inodes free',
    'inodes full',
  ];
  return [
    counted(rows.length, 'mount'),
    ...(rows.length === 0 ? [] : ['', ...tableLines(head, rows.map(cells))]),
    ...(complaints.length === 0 ? [] : ['', 'df could not look at:']),
    ...complaints.map(({ path, reason }) => `  ${path}: ${reason}`),
    ...findingLines({ findings, past: [], silent: [] }),
    ...unreadableLines(unreadable),
  ];
}

function cells(row: MountUsage): readonly (string | number | null)[] {
  const about = row.isRounded ? 'about ' : '';
  const size = (kib: number | null): string | null => (kib === null ? null : about + gibText(kib));
  const share = (pct: number | null): string | null => (pct === null ? null : `${pct} %`);
  return [
    row.mount,
    row.device,
    size(row.usedKiB),
    size(row.freeKiB),
    share(row.usedPct),
    row.inodesUsed,
    row.inodesFree,
    share(row.inodesUsedPct),
  ];
}

const KIB_PER_MIB = 1024;
const KIB_PER_GIB = 1024 ** 2;

function gibText(kib: number): string {
  if (Math.abs(kib) >= KIB_PER_GIB) return `${(kib / KIB_PER_GIB).toFixed(1)} GiB`;
  return Math.abs(kib) >= KIB_PER_MIB ? `${(kib / KIB_PER_MIB).toFixed(1)} MiB` : `${kib} KiB`;
}
