import { createInterface } from 'node:readline';
import { rehearse } from '../runs/request/rehearse.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openDatabase } from '../storage/database.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Command } from './command.ts';
import { printable } from './printable.ts';

export const requestRehearse: Command = {
  name: 'request rehearse',
  summary:
    'runs the rehearsal of a request on this computer, and remembers the code it passed with',
  operands: ['<file>'],
  flags: {},
  details: [
    'Runs what the file names under “rehearsal”, in the folder that is pushed, as you: only for files that you trust.',
    'A launch of that very code then passes the check (GEN5). No box is asked.',
    'Exit code 1: it failed, or the code changed meanwhile. 2: the file cannot be used, pushes no code or names no rehearsal.',
  ],
  async run({ operands: [file = ''], isJson }, { out, err: errors, env, platform }) {
    const read = await readRequestFile(file);
    if (!read.ok) {
      return { refused: read.error.map((fault) => printable(faultSentence(fault))).join('\n') };
    }
    const { rehearsal: command, push } = read.value.request;
    if (command === undefined) return { refused: 'the request names no rehearsal.' };
    if (push === undefined)
      return { refused: 'the request pushes no code that could be rehearsed.' };
    const { database, isKept, problems } = openDatabase({ folder: dataFolder(env, platform) });
    try {
      if (!isKept) return { refused: problems.map(({ message }) => message).join(' ') };
      if (!isJson) await out.line(`${push.from}: ${command}`);
      const told = isJson ? errors : out;
      const done = await rehearse(
        { command, push },
        {
          entries: database.entries,
          read: async (stream) => {
            for await (const line of createInterface({ input: stream })) await told.line(line);
          },
        },
      );
      if (!done.ok) return { refused: done.error.message };
      const { end, tree } = done.value;
      const isPassed = end.kind === 'passed';
      const exitCode = end.kind === 'failed' ? end.exitCode : 0;
      if (isJson) await out.json({ file, exitCode, isPassed, tree });
      else if (isPassed) await out.line(`It passed with the code ${tree.slice(0, 12)}.`);
      else if (end.kind === 'failed') await out.line(`It failed (exit ${String(exitCode)}).`);
      else
        await out.line(
          'The code changed while it ran: leave out what it writes, then run it again.',
        );
      return isPassed ? 0 : 1;
    } finally {
      database.close();
    }
  },
};
