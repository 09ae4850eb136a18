import { basename } from 'node:path';
import { guessCgroupFile } from '../../shared/probes/cgroup.ts';
import { queryForm } from '../../shared/probes/query-form.ts';
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
  summary: 'tells from its words which of the readers a recorded text is for, and reads it with that one',
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
  if (/^\s*(?:df: |Filesystem\s)/m.test(head) && /\s(?:\d+%|-)\s+\/|^df: /m.test(head)) return readDf;
  if (guessCgroupFile(name, '') !== null) return readCgroup;
  const log = parseKernelLog(head);
  if (log.rowCount > 0 || KERNEL_LINE.test(head)) {
    return log.rowCount === 0 && OOM_LINE.test(head) ? readCgroup : readXid;
  }
  const form = queryForm(head);
  if (form === 'device-monitor') return readDmon;
  if (form !== 'csv' || CSV_OR_REASON.test(head)) return readQuery;
  return guessCgroupFile('', head) === null ? null : readCgroup;
}

const KERNEL_LINE = /^(?:\[ *\d+\.\d{6}\] |kern +:|dmesg: )|\bkernel: /m;
const OOM_LINE = /\boom-kill:|\bout of memory: Kill/i;
/** A header of CSV, or what nvidia-smi says instead of an answer. */
const CSV_OR_REASON =
  /^[a-z][\w.]*(?: \[[^\]]{1,12}\])?(?:, [a-z][\w.]*(?: \[[^\]]{1,12}\])?)+\s*$|\bFailed to initialize NVML|\bNo devices were found|\bNVIDIA-SMI has failed|\bUnable to determine the device handle|\bnvidia-smi: (?:command )?not found|\bis not a valid field to query/m;
