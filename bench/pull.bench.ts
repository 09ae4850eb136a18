// Bringing one large file home over a real loopback sshd, hashed on both sides and proven, beside scp and rsync, which hash nothing; and one
// over a round trip of 100 ms, beside ssh2's own download. Many small ones: pull-many.bench.ts.
import { randomFillSync } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startDelayingProxy } from './delaying-proxy.ts';
import { report, type BenchRow } from './harness.ts';
import { beside, intoFresh, pullBeside } from './pull-peers.ts';
import { Puller } from './puller.ts';

const LARGE_MB = 2_000;
/** So many that the beginning, where each side feels its way, counts for little. */
const FAR_MB = 400;
const FAR_ONE_WAY_MS = 50;
const HASHED_MB = 4;
const HASHED_TIMES = 40;
const FAST_GET_GOAL = 3;

const folder = mkdtempSync(join(tmpdir(), 'leasehold-pull-bench-'));
const large = join(folder, 'box', 'large');
const far = join(folder, 'box', 'far');
for (const each of [large, far]) mkdirSync(each, { recursive: true });

function makeLarge(file: string, megabytes: number): void {
  const bytes = Buffer.alloc(1_000_000);
  const fd = openSync(file, 'w');
  for (let at = 0; at < megabytes; at += 1) writeSync(fd, randomFillSync(bytes));
  closeSync(fd);
}

/** What a large file is bound by: a runtime hashes on one core, and Electron's library need not know the processor's instructions for it. */
async function hashing(name: string, puller: Puller): Promise<BenchRow> {
  let leastMs = Infinity;
  // The fastest of many short ones: others work on the same cores.
  for (let no = 0; no < HASHED_TIMES; no += 1) {
    const { ms } = await puller.do({ kind: 'hash', megabytes: HASHED_MB });
    leastMs = Math.min(leastMs, ms);
  }
  return { measure: `SHA-256 in ${name}`, value: (HASHED_MB / leastMs) * 1000, unit: 'MB/s' };
}

makeLarge(join(large, 'model.bin'), LARGE_MB);
makeLarge(join(far, 'model.bin'), FAR_MB);
const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
const manifests = join(folder, 'manifests');
const near = await Puller.start(sshd, sshd.port, manifests);
const inNode = await Puller.start(sshd, sshd.port, manifests, 'node');
const proxy = await startDelayingProxy(sshd.port, FAR_ONE_WAY_MS);
const distant = await Puller.start(sshd, proxy.port, manifests);
try {
  const rows: BenchRow[] = [];
  for (const [what, puller] of [
    [`one file of ${String(LARGE_MB)} MB`, near],
    [`the same in Node, as cli -- pull`, inNode],
  ] as const) {
    rows.push(...(await pullBeside(what, { puller, results: large, sshd, folder })));
  }
  rows.push(
    ...(await beside(
      `one file of ${String(FAR_MB)} MB over a round trip of ${String(2 * FAR_ONE_WAY_MS)} ms`,
      () => intoFresh(folder, (to) => distant.do({ kind: 'pull', results: far, to })),
      [
        {
          ...{ name: 'fastGet of ssh2', goal: FAST_GET_GOAL },
          run: async () =>
            intoFresh(folder, async (to) => {
              mkdirSync(to);
              const order = { file: join(far, 'model.bin'), to: join(to, 'model.bin') };
              return (await distant.do({ kind: 'fast-get', ...order })).ms;
            }),
        },
      ],
    )),
  );
  rows.push(await hashing('Electron', near), await hashing('Node', inNode));
  report({ name: 'pull', rows });
} finally {
  await near.stop();
  await inNode.stop();
  await distant.stop();
  await proxy.stop();
  await sshd.stop();
  await rm(folder, { recursive: true, force: true });
}
