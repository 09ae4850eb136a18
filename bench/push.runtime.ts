// Runs in Electron's own runtime, as main does: plans and carries out pushes over a link that is open already.
import { OnboxScripts } from '../src/main/onbox/onbox-scripts.ts';
import { CodePusher } from '../src/main/transfer/code-pusher.ts';
import { LocalHashes } from '../src/main/transfer/local-hashes.ts';
import type { PushRequest } from '../src/shared/runs/launch/run-request.ts';
import { linkTo, type BenchServer } from './link-to.ts';

export interface PushSetUp extends BenchServer {
  /** Of the on-box scripts. */
  readonly scripts: string;
  /** Where the hashes of this computer's files are kept. */
  readonly hashes: string;
}

export interface PushOrder {
  readonly push: PushRequest;
  readonly to: string;
}

export interface PushTimes {
  readonly planMs: number;
  readonly pushMs: number;
  readonly sentFiles: number;
}

process.once('message', (message) => void run(message as PushSetUp));

async function run(setUp: PushSetUp): Promise<void> {
  const connection = await linkTo(setUp);
  const pusher = new CodePusher(new OnboxScripts(setUp.scripts), new LocalHashes(setUp.hashes));

  async function time({ push, to }: PushOrder): Promise<PushTimes> {
    const beganMs = performance.now();
    const planned = await pusher.plan(connection, push, to);
    if (!planned.ok) throw new Error(planned.error.message);
    const plannedMs = performance.now();
    const { kept } = planned.value;
    const pushed = await pusher.push(connection, kept, { onProgress: () => undefined });
    if (!pushed.ok) throw new Error(pushed.error.message);
    return {
      planMs: plannedMs - beganMs,
      pushMs: performance.now() - plannedMs,
      sentFiles: kept.send.length,
    };
  }

  process.on('message', (message) => {
    if (message === 'end') {
      connection.close();
      void connection.closed.then(() => process.exit(0));
    } else void time(message as PushOrder).then((times) => process.send?.(times));
  });
  process.send?.('ready');
}
