import { basename } from 'node:path';
import { guessCgroupFile } from '../../shared/probes/cgroup.ts';
import { classifyGpuToolFailure } from '../../shared/probes/gpu-tool-failure.ts';
import { KERNEL_LINE } from '../../shared/probes/kernel-line.ts';
import { MAX_LINE_CHARS } from '../../shared/probes/line-splitter.ts';
import { nonBlankLines } from '../../shared/probes/probe-output.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
import { parseQueryHeader } from '../../shared/probes/query.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import type { Command } from './command.ts';
import { readCgroup } from './read-cgroup.ts';
import { readDf } from './read-df.ts';
import { readDmon } from './read-dmon.ts';
import { readQuery } from './read-query.ts';
import { readXid } from './read-xid.ts';
import { readHead } from './text-input.ts';

export const readAuto: Command = {
  name: 'read auto',
  summary:
    'tells from its words which of the readers a recorded text is for, and reads it with that one',
  operands: ['<file|->'],
  flags: {},
  details: [
    'Output and exit code are that reader’s; in the JSON `reader` says which one it was.',
    'A text that none of them is certain about is refused: name its reader then.',
  ],
  async run(input, context) {
    const [file = '-'] = input.operands;
    const head = await readHead(file, context);
    if (!head.ok) return { refused: head.error };
    const { text, again } = head.value;
    const reader = readerOf(file === '-' ? '' : basename(file), text);
    if (reader === null) {
      return {
        refused: `What ${file} is cannot be told from its words: use read dmon, query, xid, df or cgroup.`,
      };
    }
    // A control group's file is known by its name; of all others what has been read is not read again.
    if (reader === readCgroup && file !== '-') return reader.run(input, context);
    return reader.run({ ...input, operands: ['-'] }, { ...context, stdin: again });
  },
};

function readerOf(name: string, head: string): Command | null {
  if (DF_LINE.test(head)) return readDf;
  if (guessCgroupFile(name, '') !== null) return readCgroup;
  const log = parseKernelLog(head);
  if (log.rowCount > 0 || KERNEL_LINE.test(head)) {
    return log.rowCount === 0 && OOM_LINE.test(head) ? readCgroup : readXid;
  }
  const form = queryForm(head);
  if (form === 'device-monitor') return readDmon;
  if (form !== 'csv' || isCsvOrReason(head)) return readQuery;
  return guessCgroupFile('', head) === null ? null : readCgroup;
}

const OOM_LINE = /\boom-kill:|\bout of memory: Kill/i;
const DF_LINE = /^(?:df: |Filesystem\s)|^\S.*\s\d{1,3}%\s+\//m;

/** A header of CSV, or what nvidia-smi says instead of an answer. */
function isCsvOrReason(head: string): boolean {
  return nonBlankLines(head).some(
    (line) =>
      line.length <= MAX_LINE_CHARS &&
      (parseQueryHeader(line) !== null || classifyGpuToolFailure(line) !== null),
  );
}
