// All that a launch asks of a box, on a real loopback sshd: every question of it at once, with a server that takes the key and with one that is silent.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OnboxScripts } from '../src/main/onbox/onbox-scripts.ts';
import { askBox } from '../src/main/runs/run-preflight.ts';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import type { RunRequest } from '../src/shared/runs/launch/run-request.ts';
import { report, type BenchRow } from './harness.ts';
import { linkTo } from './link-to.ts';
import { median } from './windows.ts';

const ROUNDS = 7;
const MAX_MS = 3000;
const FILES = 2000;

const home = mkdtempSync(join(tmpdir(), 'leasehold-preflight-bench-'));
for (const folder of ['work', 'data', 'models', 'work/raw']) mkdirSync(join(home, folder));
for (let at = 0; at < FILES; at += 1) writeFileSync(join(home, 'data', String(at)), '');
writeFileSync(join(home, 'work/requirements.txt'), 'numpy\ntorch==2.5.1\n');
const server = createServer((request, response) => {
  if (request.url?.startsWith('/silent') === true) return;
  response.end('{"data":{"viewer":{"id":"one"}}}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
// The limits of a real box, and not those of a test.
const sshd = await startSshd({ home, env: { LEASEHOLD_PATIENCE_S: '' } });
const connection = await linkTo({ ...sshd, sshdPort: sshd.port });
const scripts = new OnboxScripts(fileURLToPath(new URL('../resources/onbox', import.meta.url)));

const everything = (tracker: string): RunRequest => ({
  name: 'all of it',
  command: 'python3 train.py --data ~/data --val raw --models ~/models',
  folder: '~/work',
  activate: 'export READY=1',
  env: { WANDB_BASE_URL: tracker, WANDB_API_KEY: 'k'.repeat(40), DATA_DIR: '~/data' },
  results: 'out',
  successLine: null,
  tracker: 'wandb',
  internet: [url],
  secrets: ['HF_TOKEN'],
  copy: { to: '~/durable', prune: [] },
  fetch: [
    { into: 'fetched', run: 'hf download a/b' },
    { into: 'more', run: 'wget -c x' },
  ],
});

async function time(what: string, tracker: string, isTaken: boolean): Promise<BenchRow> {
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const beganMs = performance.now();
    const asked = await askBox(connection, scripts, everything(tracker), {
      profile: null,
      accelerators: [],
      startsAgain: true,
    });
    tookMs.push(performance.now() - beganMs);
    if (!asked.ok) throw new Error(asked.error.message);
    const said = asked.value.trackerKey?.kind;
    if ((said === 'taken') !== isTaken) throw new Error(`The key was ${said ?? 'not tried'}.`);
  }
  return {
    measure: `${what}, median of ${String(ROUNDS)}`,
    value: median(tookMs),
    unit: 'ms',
    goal: `at most ${String(MAX_MS)} ms`,
    isMet: median(tookMs) <= MAX_MS,
  };
}

try {
  const rows = [
    await time('every question', url, true),
    await time('the same, and the tracker does not answer', `${url}/silent`, false),
    {
      measure: 'load average of the last minute',
      value: loadavg()[0] ?? NaN,
      unit: 'of the machine',
    },
  ];
  report({ name: 'preflight', rows });
} finally {
  connection.close();
  await connection.closed;
  server.closeAllConnections();
  server.close();
  await sshd.stop();
  rmSync(home, { recursive: true, force: true });
}
