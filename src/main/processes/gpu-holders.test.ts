import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { ok } from '../../shared/result.ts';
import type { GpuHolder, ListedHolders } from '../../shared/telemetry/gpu-holders.ts';
import { eventually, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { onboxFolder, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { GpuHolders } from './gpu-holders.ts';

// Real SSH to the demo box, and real processes that really end.

const BOX_ID = '3f0e64a8-1111-4222-8333-444455556666';

let box: DemoBox;
let connection: SshConnection | null;
let holders: GpuHolders;

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
  holders = new GpuHolders({ roster: { connectionOf: () => connection }, scripts: onboxScripts });
});
afterEach(async () => {
  connection?.close();
  await connection?.closed;
  await box.stop();
});

async function look(): Promise<ListedHolders> {
  const looked = await holders.look(BOX_ID);
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
const workerIn = (seen: ListedHolders): GpuHolder | undefined =>
  seen.kind === 'known'
    ? seen.holders.find(({ command }) => command?.includes('--worker') === true)
    : undefined;
const used = ({ cards }: ListedHolders): number => cards[0]?.memoryUsedMiB ?? Number.NaN;
const end = (signal: 'TERM' | 'KILL', plan: PlanRef, pids: readonly number[]) =>
  holders.end(BOX_ID, { signal, plan, pids: [...pids] }, endPass(plan.digest));
const endIt = async (signal: 'TERM' | 'KILL', ...pids: number[]) =>
  end(signal, (await look()).plan, pids);

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
  const ended = await endIt('TERM', worker.pid);
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
  const term = await endIt('TERM', worker.pid);
  expect(term).toMatchObject({ ok: true, value: { processes: [{ outcome: 'left' }] } });
  expect(process.kill(worker.pid, 0)).toBe(true);
  const kill = await endIt('KILL', worker.pid);
  expect(kill).toMatchObject({ ok: true, value: { processes: [{ outcome: 'ended' }] } });
});

it('ends nothing that it has not listed itself, or not as it was listed', async () => {
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  const { pid } = worker;
  expect(await endIt('KILL', pid, process.pid)).toMatchObject({
    error: { code: 'process-not-listed' },
  });
  const { plan } = await look();
  await look();
  expect(await end('KILL', plan, [pid])).toMatchObject({
    error: { code: 'plan-gone' },
  });
  expect(process.kill(pid, 0)).toBe(true);
});

it('tells the running job from a leftover', async () => {
  // A job that has just begun has not opened both cards yet, or is still called as what started it.
  await vi.waitFor(async () =>
    expect(await look()).toMatchObject({
      kind: 'known',
      holders: [
        {
          isListed: true,
          nodes: [0, 1],
          command: expect.stringContaining('./train.sh'),
          parentCommand: expect.stringContaining('run.sh'),
        },
      ],
    }),
  );
});

it('asks the process table, not the GPUs, where the link broke over the answer (U4)', async () => {
  let isCut = false;
  const scripts = new (class extends OnboxScripts {
    /** After the cut no process holds a GPU, as where one let go of its own and runs on. */
    override async run(...asked: Parameters<OnboxScripts['run']>): ReturnType<OnboxScripts['run']> {
      const ran = await super.run(...asked);
      if (!isCut || asked[1] !== 'gpu-holders.sh' || !ran.ok) return ran;
      const lines = ran.value.stdout.split('\n').filter((line) => !line.startsWith('held '));
      return ok({ ...ran.value, stdout: lines.join('\n') });
    }
  })(onboxFolder);
  holders = new GpuHolders({ roster: { connectionOf: () => connection }, scripts });
  await box.setFault('vram-zombie', true);
  const worker = await findWorker();
  process.kill(worker.pid, 'SIGSTOP'); // so that the box waits for it, and the answer is still to come
  const answer = endIt('TERM', worker.pid);
  await eventually(
    () => pendingSignals(worker.pid),
    (pending) => (pending & TERM) !== 0,
  );
  isCut = true;
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
  expect(await holders.look(BOX_ID)).toMatchObject({ ok: false, error: { code: 'not-connected' } });
});

/** Bit 14 of the mask. */
const TERM = 0x4000;

function pendingSignals(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number.parseInt(/^ShdPnd:\t\w{8}(\w{8})$/m.exec(status)?.[1] ?? '', 16);
}
