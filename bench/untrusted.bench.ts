// How long main stands still while a server that nobody trusts tries to make it work.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  hostileHandshakes,
  startHostileServer,
  type HostileHandshake,
} from '../src/main/ssh/hostile-handshake.fixture.ts';
import { report } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { UntrustedFigures, UntrustedOrder } from './untrusted.runtime.ts';
import { median } from './windows.ts';

const GOAL_MS = 50;
/** The middle one counts: a noisy moment of the machine is not the server's doing. */
const RUNS = 5;

const runtime = await startRuntime('./untrusted.runtime.ts');

async function pauseFor(order: UntrustedOrder): Promise<number> {
  runtime.send(order);
  const [figures] = (await once(runtime, 'message')) as [UntrustedFigures];
  return figures.longestPauseMs;
}

async function pauseBefore(handshake: HostileHandshake): Promise<number> {
  const server = await startHostileServer(handshake);
  const pauses: number[] = [];
  for (let run = 0; run < RUNS; run += 1) pauses.push(await pauseFor(server.port));
  await server.stop();
  return median(pauses);
}

try {
  const harmlessMs = await pauseBefore({ keyExchanges: 'curve25519-sha256' });
  const worst = { name: '', pauseMs: 0 };
  for (const [name, handshake] of Object.entries(hostileHandshakes())) {
    const pauseMs = await pauseBefore(handshake);
    process.stderr.write(`${name}: ${pauseMs.toFixed(1)} ms\n`);
    if (pauseMs > worst.pauseMs) Object.assign(worst, { name, pauseMs });
  }
  const groupMs = await pauseFor('group14');
  report({
    name: 'untrusted',
    rows: [
      {
        measure: `longest pause of main before trust, against the worst server: ${worst.name} (baseline: making one share of group 14)`,
        value: worst.pauseMs,
        unit: 'ms',
        baseline: groupMs,
        ratio: worst.pauseMs / groupMs,
        goal: `under ${String(GOAL_MS)} ms`,
        isMet: worst.pauseMs < GOAL_MS,
      },
      {
        measure: 'the same against a server that hangs up after its list: what this machine adds',
        value: harmlessMs,
        unit: 'ms',
      },
    ],
  });
} finally {
  if (runtime.connected) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  rmSync(BUNDLE, { recursive: true, force: true });
}
