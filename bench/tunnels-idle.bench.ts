// What 200 tunnels cost that are open and that nobody uses, in Electron's own runtime.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { report } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { IdleFigures, IdleSetUp } from './tunnels-idle.runtime.ts';
import { median } from './windows.ts';

const TUNNELS = 200;
/** A tenth of a percent of one core: 5 ms in a window of 5 s. */
const UNMEASURABLE_PCT = 0.1;

const sshd = await startSshd();
const target = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.end('here\n');
}).listen(0, '127.0.0.1');
await once(target, 'listening');
const runtime = await startRuntime('./tunnels-idle.runtime.ts', { execArgv: ['--expose-gc'] });
const gone = once(runtime, 'exit');
try {
  const setUp: IdleSetUp = {
    sshdPort: sshd.port,
    user: sshd.user,
    privateKey: sshd.privateKey,
    targetPort: (target.address() as AddressInfo).port,
    firstPort: 21_000,
    count: TUNNELS,
  };
  runtime.send(setUp);
  const answer = await Promise.race([once(runtime, 'message'), gone]);
  const figures = answer[0] as IdleFigures | number | null;
  if (figures === null || typeof figures === 'number') throw new Error('the runtime ended');
  const { open, withoutPct, hiddenPct, shownPct, checked } = figures;
  const without = median(withoutPct);
  const cost = median(hiddenPct) - without;
  const spread = Math.max(...withoutPct) - Math.min(...withoutPct);
  report({
    name: 'tunnels-idle',
    rows: [
      {
        measure: `processor of ${String(open)} idle tunnels, more than with none`,
        value: cost,
        unit: '% of a core',
        goal: `not measurable: at most ${String(UNMEASURABLE_PCT)}`,
        isMet: open === TUNNELS && cost <= UNMEASURABLE_PCT,
      },
      {
        measure: 'this process with none, and by how much its windows differ',
        value: without,
        unit: `% ± ${spread.toFixed(3)}`,
      },
      {
        measure: `the same with their rows on screen, ${String(checked)} of them asked meanwhile`,
        value: shownPct - without,
        unit: '% of a core',
      },
    ],
  });
  await gone;
} finally {
  if (runtime.exitCode === null && runtime.signalCode === null) {
    runtime.kill();
    await gone;
  }
  target.close();
  await sshd.stop();
  rmSync(BUNDLE, { recursive: true, force: true });
}
