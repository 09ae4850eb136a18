import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, silentLog, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { Telemetry } from './telemetry.ts';

// Real SSH to the real demo box, whose tools print what real ones do.

const BOX_ID = '3f0e64a8-1111-4222-8333-444455556666';
const CLIENT = 1;

let database: Database;
let hub: StreamHub;
let telemetry: Telemetry;
let box: DemoBox;

beforeEach(async () => {
  database = openTemporaryDatabase();
  hub = new StreamHub();
  hub.addClient(CLIENT, () => undefined);
  telemetry = new Telemetry({
    hub,
    table: database.history,
    refusals: database.refusals,
    scripts: onboxScripts,
    log: silentLog,
    onProblem: () => undefined,
  });
  box = await startTestBox();
});
afterEach(async () => {
  telemetry.close();
  hub.dispose();
  await box.stop();
  database.close();
});

async function connect(): Promise<SshConnection> {
  const opened = await openConnection({
    address: box.address,
    credentials: [{ kind: 'key', privateKey: box.clientKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

function stateOf(stream: 'gpu-facts' | 'gpu-marks'): unknown {
  const opened = hub.open(CLIENT, stream, BOX_ID);
  if (!opened.ok) throw new Error(opened.error.message);
  hub.close(CLIENT, opened.value.subscription);
  return opened.value.state;
}
const facts = () => (stateOf('gpu-facts') as GpuFactsState).facts;
const marks = () => stateOf('gpu-marks') as readonly TelemetryMark[];
const kinds = () => marks().map(({ kind }) => kind);

function follow() {
  const states: TelemetryState[] = [];
  const followed = telemetry.follow({
    boxId: BOX_ID,
    log: silentLog,
    onChange: ({ telemetry: state }) => {
      if (state !== undefined) states.push(state);
    },
  });
  return { states, followed };
}

/** The training run works on both cards, and nvidia-smi says so: a look before that would tell of none. */
async function runIsListed(connection: SshConnection): Promise<void> {
  const list = 'nvidia-smi --query-compute-apps=pid --format=csv,noheader';
  await eventually(
    () => connection.run(list),
    (ran) => ran.ok && ran.value.stdout.trim().split('\n').filter(Boolean).length === 2,
  );
}

/** How often the kernel of the box has handed out CPU time so far: ten times in a second. */
async function periodsOf(connection: SshConnection): Promise<number> {
  const ran = await connection.run('cat "$LEASEHOLD_CGROUP_ROOT/cpu.stat"');
  if (!ran.ok) throw new Error(ran.error.message);
  return Number(/^nr_periods (\d+)$/m.exec(ran.value.stdout)?.[1]);
}

const ask = () =>
  telemetry.query({
    boxId: BOX_ID,
    gpus: null,
    metrics: ['smPct', 'powerW'],
    fromMs: Date.now() - 300_000,
    toMs: Date.now(),
    maxPoints: 300,
  });

describe('the telemetry of a box', () => {
  it('brings readings, facts, processes and a past from the box', async () => {
    const { states, followed } = follow();
    const connection = await connect();
    await runIsListed(connection);
    followed.useConnection(connection, 'up');
    const look = await eventually(facts, (found) => found !== null);
    expect(look?.gpus).toHaveLength(2);
    expect(look?.gpus[0]).toMatchObject({
      name: 'NVIDIA H100 80GB HBM3',
      driverVersion: expect.stringMatching(/^590\./),
      defaultPowerLimitW: 700,
      isRemapPending: false,
      recoveryAction: 'None',
      fabricState: 'Completed',
      throttleBits: expect.any(Number),
    });
    expect(look?.machine.bootId).toMatch(/^[0-9a-f-]{36}$/);
    expect(look?.machine.cudaMaxVersion).toMatch(/^\d+\.\d+$/);
    expect(look?.kernelLog.outcome.kind).toBe('clear');
    expect(look?.processes).toMatchObject({
      kind: 'known',
      processes: [
        {
          command: expect.stringMatching(/^\.\/train\.sh .*\/train\/runs\//),
          ageS: expect.any(Number),
          user: expect.any(String),
        },
        { gpu: look?.gpus[1]?.uuid },
      ],
    });
    expect(look?.cpu).toMatchObject({ quotaCpus: 8, hostCpus: 64, threads: expect.any(Number) });
    await eventually(
      () => states.at(-1),
      (state) => state?.kind === 'live',
    );
    const answer = await eventually(ask, (each) => each.ok && each.value.gpus.length === 2);
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value).toMatchObject({ tier: '1s', gaps: [], isKept: true });
    const [first] = answer.value.gpus;
    expect(first?.gpu).toBe(look?.gpus[0]?.uuid);
    expect(first?.columns.smPct?.max[0]).toBeGreaterThanOrEqual(0);

    // What the CPUs did is known from two looks, with some of the box's time between them: a share of one period says nothing.
    const periods = await periodsOf(connection);
    await eventually(
      () => periodsOf(connection),
      (now) => now >= periods + 20,
    );
    // The next one comes in half a minute, over another connection at once.
    followed.useConnection(null, 'waiting');
    connection.close();
    await connection.closed;
    const second = await connect();
    followed.useConnection(second, 'up');
    const cpu = await eventually(
      () => facts()?.cpu ?? null,
      (found) => found !== null && found.usedCpus !== null,
    );
    expect(cpu?.usedCpus).toBeGreaterThan(0);
    expect(cpu?.throttledPct).toBeLessThan(25);
    followed.close();
    second.close();
    await second.closed;
  });

  it('names a card that falls off the bus, goes on with the other one, and sees it come back', async () => {
    const { states, followed } = follow();
    const connection = await connect();
    followed.useConnection(connection, 'up');
    await eventually(facts, (found) => found?.gpus.length === 2);
    await eventually(
      () => states.at(-1),
      (state) => state?.kind === 'live',
    );
    await box.setFault('xid-79', true);
    await eventually(kinds, (all) => all.includes('gpu-lost') && all.includes('xid'));
    expect(marks().find(({ code }) => code === 79)?.text).toContain('fallen off the bus');
    expect(facts()?.kernelLog.outcome.kind).toBe('found');
    await eventually(
      () => states.at(-1),
      (state) => state?.kind === 'live' && state.problem?.code === 'gpu-lost',
    );
    await box.setFault('xid-79', false);
    await eventually(kinds, (all) => all.includes('gpu-back'));
    // Told once, however often the log is read.
    expect(kinds().filter((kind) => kind === 'xid')).toHaveLength(2);
    followed.close();
    connection.close();
    await connection.closed;
  });

  it('keeps what others noticed of a box, and nothing of one that is not followed', async () => {
    const { followed } = follow();
    const atMs = Date.now();
    const mark = {
      kind: 'alert',
      atMs,
      gpu: null,
      text: 'U23: hot',
      code: null,
      clue: null,
    } as const;
    telemetry.mark(BOX_ID, [mark, { ...mark, kind: 'alert-over' }]);
    telemetry.mark('another', [{ ...mark, text: 'no' }]);
    expect(kinds()).toEqual(['alert', 'alert-over']);
    const answer = await ask();
    expect(answer.ok && answer.value.marks.map(({ text }) => text)).toEqual([
      'U23: hot',
      'U23: hot',
    ]);
    followed.close();
    telemetry.mark(BOX_ID, [mark]);
  });

  it('recognises a reboot in mid-stream by the boot id, and fills the gap with the reason', async () => {
    const { followed } = follow();
    const before = await connect();
    followed.useConnection(before, 'up');
    const first = await eventually(facts, (found) => found !== null);
    await eventually(ask, (answer) => answer.ok && answer.value.gpus.length === 2);
    await box.setFault('reboot', true);
    await before.closed;
    followed.useConnection(null, 'waiting');
    const after = await connect();
    followed.useConnection(after, 'up');
    await eventually(facts, (found) => found?.machine.bootId !== first?.machine.bootId);
    expect(kinds()).toEqual(expect.arrayContaining(['link-lost', 'link-back', 'reboot']));
    followed.close();
    after.close();
    await after.closed;
  });
});
