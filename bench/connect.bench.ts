// From "connect" to the first byte of a command, beside `ssh host true` with the same key, by turns; and 50 boxes at once.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import type { ConnectFigures, ConnectOrder } from './connect.runtime.ts';
import { report } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import { endOf, startSsh } from './ssh-command.ts';
import { median } from './windows.ts';

const GOAL_RATIO = 1.5;
const GOAL_ALL_MS = 10_000;
const RUNS = 25;
const BOXES = 50;
const TOGETHER_RUNS = 3;

const home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
// Without start-up files, which would take the same on both sides and hide the difference.
const sshd = await startSshd({ home });
const boxes = [sshd];
while (boxes.length < BOXES) boxes.push(await startSshd({ home, keyFile: sshd.keyFile }));
const ports = boxes.map(({ port }) => port);
const { user, privateKey, keyFile } = sshd;
const runtime = await startRuntime('./connect.runtime.ts');

async function ours(wanted: readonly number[]): Promise<ConnectFigures> {
  const order: ConnectOrder = { ports: wanted, user, privateKey };
  runtime.send(order);
  const [figures] = (await once(runtime, 'message')) as [ConnectFigures];
  return figures;
}

const sshTrue = (port: number): Promise<void> =>
  endOf(startSsh({ user, keyFile }, port, { command: 'true' }));

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}

try {
  const seen = { ours: [] as number[], login: [] as number[], ssh: [] as number[] };
  // By turns, so that a noisy moment of the machine hits both; the first round only warms up.
  for (let run = 0; run <= RUNS; run += 1) {
    const figures = await ours([sshd.port]);
    const sshMs = await timed(() => sshTrue(sshd.port));
    if (run === 0) continue;
    seen.ours.push(figures.firstByteMs);
    seen.login.push(figures.loggedInMs);
    seen.ssh.push(sshMs);
  }
  const together = { ours: [] as number[], ssh: [] as number[] };
  for (let run = 0; run < TOGETHER_RUNS; run += 1) {
    together.ours.push((await ours(ports)).firstByteMs);
    together.ssh.push(await timed(() => Promise.all(ports.map(sshTrue))));
  }
  const baseline = median(seen.ssh);
  const firstByte = median(seen.ours);
  const all = median(together.ours);
  const allSsh = median(together.ssh);
  report({
    name: 'connect',
    rows: [
      {
        measure: 'from connect to the first byte of a command (baseline: ssh host true)',
        value: firstByte,
        unit: 'ms',
        baseline,
        ratio: firstByte / baseline,
        goal: `at most ${String(GOAL_RATIO)}× ssh host true`,
        isMet: firstByte / baseline <= GOAL_RATIO,
      },
      {
        measure: 'of that, until logged in',
        value: median(seen.login),
        unit: 'ms',
        baseline,
        ratio: median(seen.login) / baseline,
      },
      {
        measure: `${String(BOXES)} boxes at once, until the last has printed its first byte (baseline: ${String(BOXES)} ssh)`,
        value: all,
        unit: 'ms',
        baseline: allSsh,
        ratio: all / allSsh,
        goal: `under ${String(GOAL_ALL_MS / 1000)} s`,
        isMet: all < GOAL_ALL_MS,
      },
    ],
  });
} finally {
  if (runtime.connected) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  for (const box of boxes.reverse()) await box.stop();
  rmSync(BUNDLE, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
}
