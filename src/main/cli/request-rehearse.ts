import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { keepRehearsal } from '../runs/request/rehearsals.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openDatabase } from '../storage/database.ts';
import { hashOfFolder } from '../transfer/code-pusher.ts';
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
    const before = await hashOfFolder(push);
    if (!before.ok) return { refused: before.error.message };
    if (!isJson) await out.line(`${push.from}: ${command}`);
    const child = spawn(command, {
      shell: true,
      cwd: push.from,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const told = isJson ? errors : out;
    const tell = async (stream: NodeJS.ReadableStream): Promise<void> => {
      for await (const line of createInterface({ input: stream })) await told.line(line);
    };
    await Promise.all([tell(child.stdout), tell(child.stderr)]);
    const [exitCode] = await ended;
    const after = await hashOfFolder(push);
    const isSame = after.ok && after.value === before.value;
    const isPassed = exitCode === 0 && isSame;
    if (isPassed) {
      const { database, isKept, problems } = openDatabase({ folder: dataFolder(env, platform) });
      try {
        if (!isKept) return { refused: problems.map(({ message }) => message).join(' ') };
        const passed = { tree: before.value, command, atMs: Date.now() };
        const kept = keepRehearsal(database.entries, passed);
        if (!kept.ok) return { refused: kept.error.message };
      } finally {
        database.close();
      }
    }
    if (isJson) await out.json({ file, exitCode, isPassed, tree: before.value });
    else if (isPassed) await out.line(`It passed with the code ${before.value.slice(0, 12)}.`);
    else if (exitCode !== 0) await out.line(`It failed (exit ${String(exitCode)}).`);
    else
      await out.line('The code changed while it ran: leave out what it writes, then run it again.');
    return isPassed ? 0 : 1;
  },
};
