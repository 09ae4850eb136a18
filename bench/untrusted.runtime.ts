// Runs in Electron's own runtime, as main does: meets a server and tells for how long nothing else could run meanwhile.
import { createDiffieHellmanGroup } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openConnection } from '../src/main/ssh/ssh-connection.ts';

/** A server's port; or what the smallest group that nobody could choose would have taken. */
export type UntrustedOrder = number | 'group14';

export interface UntrustedFigures {
  readonly longestPauseMs: number;
  readonly ending: string;
}

const RESOLUTION_MS = 1;

process.on('message', (message) => {
  if (message === 'end') process.exit(0);
  void meet(message as UntrustedOrder).then((figures) => process.send?.(figures));
});

async function meet(order: UntrustedOrder): Promise<UntrustedFigures> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // What it counts begins with its second turn.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const ending = order === 'group14' ? makeGroup() : await connect(order);
  // The last pause counts when the loop has turned after it.
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return { longestPauseMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), ending };
}

function makeGroup(): string {
  createDiffieHellmanGroup('modp14').generateKeys();
  return 'made';
}

async function connect(port: number): Promise<string> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port, user: 'nobody' },
    credentials: [{ kind: 'note', text: 'nobody logs in here' }],
    // The worst case: somebody takes the key, and what it has signed is looked at as well.
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (opened.ok) throw new Error('a hostile server let us in');
  return opened.error.code;
}
