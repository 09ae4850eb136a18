import { ok } from '../../shared/result.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import { wishOfQueue, type QueueWish } from '../runs/queue/change-queue.ts';
import type { Command } from './command.ts';
import { findQueue } from './known-queues.ts';
import { overItsLink, REACHES_A_BOX, tellUnreached, withNamedBox } from './named-box.ts';

interface Wish {
  readonly wish: QueueWish;
  readonly summary: string;
  /** What is so once it was asked. */
  readonly done: string;
}

const WISHES = {
  'queue pause': {
    wish: 'pause',
    summary: 'lets no further cell of a queue begin; those that run go on',
    done: 'is paused: no further cell begins',
  },
  'queue resume': {
    wish: 'go-on',
    summary: 'lets a paused queue go on; one that is over goes on by “runs resume”',
    done: 'goes on',
  },
  'queue stop': {
    wish: 'stop',
    summary: 'ends a queue after the cells that run; “runs resume” goes on with it later',
    done: 'ends after the cells that run',
  },
} as const satisfies Readonly<Record<string, Wish>>;

function wishCommand(name: keyof typeof WISHES): Command {
  const { wish, summary, done } = WISHES[name];
  return {
    name,
    summary,
    operands: ['<box>', '<run>'],
    flags: {},
    details: [
      'The queue is given by the id of any of its runs, or by its name where only one has it. Asking twice does what asking once does.',
      ...REACHES_A_BOX,
      'Exit code 1: the box did not answer, has no such queue, or it is over already.',
    ],
    run: ({ operands: [box = '', wanted = ''], isJson }, context) =>
      withNamedBox(box, context, async (known) => {
        const asked = await overItsLink(known, async (connection) => {
          const found = await findQueue(connection, known, wanted);
          if (!found.ok) return found;
          const { run } = found.value;
          const wished = await wishOfQueue(connection, known.scripts, run.id, wish);
          return wished.ok ? ok(run) : wished;
        });
        if (!asked.ok) return tellUnreached(known, asked.error, 'run', isJson);
        const { id } = asked.value;
        if (isJson) await context.out.json({ box: known.box.name, problem: null, run: id });
        else await context.out.line(`${known.box.name}: ${nameOf(asked.value)} (${id}) ${done}.`);
        return 0;
      }),
  };
}

export const queuePause = wishCommand('queue pause');
export const queueResume = wishCommand('queue resume');
export const queueStop = wishCommand('queue stop');
