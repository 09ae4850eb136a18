import { activeCells } from '../../shared/runs/queue/queue-cell.ts';
import { makeCells } from '../../shared/runs/sweep/make-cells.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Command } from './command.ts';
import { printable } from './printable.ts';

export const requestCheck: Command = {
  name: 'request check',
  summary: 'reads a request file and says what is wrong with it, each with its place',
  operands: ['<file>'],
  flags: {},
  details: ['Exit code 1: it cannot be used. No box is asked.'],
  async run({ operands: [file = ''], isJson }, { out }) {
    const read = await readRequestFile(file);
    if (isJson) {
      await out.json({
        file,
        request: read.ok ? read.value.request : null,
        queue: read.ok ? read.value.queue : null,
        sweep: (read.ok ? read.value.sweep : null) ?? null,
        faults: read.ok ? [] : read.error,
      });
    } else if (read.ok)
      await out.line(`${printable(file)}: ${printable(wordsOf(read.value))} can be run.`);
    else await out.lines(read.error.map((each) => printable(faultSentence(each))));
    return read.ok ? 0 : 1;
  },
};

function wordsOf({ request, queue, sweep }: WantedRun): string {
  if (sweep !== undefined) {
    const { length } = makeCells(sweep.source, sweep.pattern).cells;
    return `${request.name}, a sweep of ${length === 1 ? '1 cell' : `${String(length)} cells`},`;
  }
  if (queue === null) return request.name;
  const count = activeCells(queue.cells).length;
  return `${request.name}, a queue of ${count === 1 ? '1 cell' : `${String(count)} cells`},`;
}
