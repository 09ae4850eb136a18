import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GpuHolder, HoldersLook } from '../../shared/telemetry/gpu-holders.ts';
import { eventually, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { HolderDesk } from './holder-desk.ts';

// Real SSH to the demo box, and real processes that really end.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const BOX_ID = '3f0e64a8-1111-4222-8333-444455556666';

let box: DemoBox;
let connection: SshConnection | null;
let desk: HolderDesk;

beforeEach(async () => {
  box = await startTestBox();
  const opened = await openConnection({
    address: box.address,
    credentials: [{ kind: 'key', privateKey: box.clientKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  connection = opened.value;
  desk = new HolderDesk({ connectionOf: () => connection, scripts: onboxScripts });
});
afterEach(async () => {
  connection?.close();
  await connection?.closed;
  await box.stop();
});

async function look(): Promise<HoldersLook> {
  const looked = await desk.look(BOX_ID);
  if (!looked.ok) throw new Error(looked.error.message);
  return looked.value;
}

/** The worker that the fault leaves behind, once the cards show it. */
async function findWorker(): Promise<GpuHolder> {
  const found = await eventually(look, (seen) => workerIn(seen) !== undefined && used(seen) > 1000);
  const worker = workerIn(found);
  if (worker === undefined) throw new Error('no worker');
  return worker;
}
const workerIn = (seen: HoldersLook): GpuHolder | undefined =>
  seen.kind === 'known'
    ? seen.holders.find(({ command }) => command?.includes('--worker') === true)
    : undefined;
const used = ({ cards }: HoldersLook): number => cards[0]?.memoryUsedMiB ?? Number.NaN;
const nameOf = ({ pid, startTicks }: GpuHolder) => ({ pid, startTicks: startTicks ?? -1 });

it('finds the orphan that nvidia-smi does not list (U11), ends it, and sees its memory freed', async () => {
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  expect(worker).toMatchObject({
    nodes: [0],
    command: 'python3 -u train.py --worker 3',
    parentPid: 1,
    parentCommand: null,
    isListed: false,
    guard: null,
  });
  expect(worker.gpus).toHaveLength(1);
  const ended = await desk.end(BOX_ID, { signal: 'TERM', processes: [nameOf(worker)] });
  expect(ended).toMatchObject({
    ok: true,
    value: { signal: 'TERM', processes: [{ pid: worker.pid, outcome: 'ended' }] },
  });
  expect(() => process.kill(worker.pid, 0)).toThrow('ESRCH');
  const after = await eventually(look, (seen) => used(seen) === 0);
  expect(workerIn(after)).toBeUndefined();
  // Whoever ended it, the fault is over.
  await eventually(
    () => box.activeFaults(),
    (active) => active.length === 0,
  );
});

it('says what TERM left, and ends it with KILL', async () => {
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  process.kill(worker.pid, 'SIGSTOP');
  const term = await desk.end(BOX_ID, { signal: 'TERM', processes: [nameOf(worker)] });
  expect(term).toMatchObject({ ok: true, value: { processes: [{ outcome: 'left' }] } });
  expect(process.kill(worker.pid, 0)).toBe(true);
  const kill = await desk.end(BOX_ID, { signal: 'KILL', processes: [nameOf(worker)] });
  expect(kill).toMatchObject({ ok: true, value: { processes: [{ outcome: 'ended' }] } });
});

it('ends nothing that it has not listed itself, or not as it was listed', async () => {
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  const { pid, startTicks } = nameOf(worker);
  for (const named of [
    { pid: process.pid, startTicks: 1 },
    { pid, startTicks: startTicks + 1 },
  ]) {
    const answer = await desk.end(BOX_ID, { signal: 'KILL', processes: [nameOf(worker), named] });
    expect(answer).toMatchObject({ ok: false, error: { code: 'process-not-listed' } });
  }
  expect(process.kill(pid, 0)).toBe(true);
});

it('tells the running job from a leftover', async () => {
  const found = await eventually(
    look,
    (seen) =>
      seen.kind === 'known' && seen.holders.length === 1 && seen.holders[0]?.isListed === true,
  );
  expect(found).toMatchObject({
    holders: [
      {
        nodes: [0, 1],
        command: expect.stringContaining('./train.sh'),
        parentCommand: expect.stringContaining('run.sh'),
      },
    ],
  });
});

it('looks again instead of ending twice where the link broke over the answer (U4)', async () => {
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  process.kill(worker.pid, 'SIGSTOP'); // so that the box waits for it, and the answer is still to come
  const answer = desk.end(BOX_ID, { signal: 'TERM', processes: [nameOf(worker)] });
  await eventually(
    () => pendingSignals(worker.pid),
    (pending) => pending.includes('4000'),
  );
  await box.setFault('link-drop', true);
  expect(await answer).toMatchObject({
    ok: true,
    value: { processes: [{ pid: worker.pid, outcome: 'left' }] },
  });
});

it('says that a box without a link was not asked', async () => {
  connection?.close();
  await connection?.closed;
  connection = null;
  expect(await desk.look(BOX_ID)).toMatchObject({ ok: false, error: { code: 'not-connected' } });
});

/** TERM is bit 14 of the mask. */
function pendingSignals(pid: number): string {
  return /^ShdPnd:\t(\w+)$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? '';
}
