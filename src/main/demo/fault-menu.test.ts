import { once } from 'node:events';
import { connect } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoFaultInfos, demoFaults } from '../../shared/demo/faults.ts';
import { parseCgroup } from '../../shared/probes/cgroup.ts';
import { parseDf } from '../../shared/probes/df.ts';
import { parseOomKills } from '../../shared/probes/oom-kill.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import { eventually, exec, FAST, login, openExec, read, startTestBox } from './demo-box.fixture.ts';
import type { DemoBox } from './demo-box.ts';

// One box for all: each test repairs what it broke, which is a test of repairing.
let box: DemoBox;
let client: Client;
beforeAll(async () => {
  box = await startTestBox();
});
beforeEach(async () => {
  client = await login(box);
  await trainingRuns();
});
afterEach(() => {
  expect(box.activeFaults()).toEqual([]);
  client.end();
});
afterAll(() => box.stop());

/** The newest run's folder, as a shell sees it. */
const RUN = '"$(ls -d ~/train/runs/*/ | tail -n 1)"';

async function inflict(...faults: Parameters<DemoBox['setFault']>): Promise<void> {
  expect(await box.setFault(...faults)).toEqual({ ok: true, value: null });
}

async function gpuQuery(fields: string): Promise<string[][]> {
  const { stdout } = await exec(
    client,
    `nvidia-smi --query-gpu=${fields} --format=csv,noheader,nounits`,
  );
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((row) => row.split(', '));
}

/** The run has taken steps and its process is on the cards. */
async function trainingRuns(): Promise<string> {
  await eventually(
    () => exec(client, `run=${RUN}; test ! -e "$run/exit_status" && grep loss "$run/train.log"`),
    ({ code }) => code === 0,
  );
  const pids = await eventually(
    () => read(client, 'nvidia-smi --query-compute-apps=pid --format=csv,noheader | sort -u'),
    (text) => /^\d+\n$/.test(text),
  );
  return pids.trim();
}

async function exitStatus(): Promise<string> {
  const text = await eventually(
    () => exec(client, `cat ${RUN}/exit_status`),
    // It is there before it has a word in it.
    ({ stdout }) => stdout.length > 0,
  );
  return text.stdout.toString().trim();
}

async function gpusIdle(): Promise<void> {
  await eventually(
    () => gpuQuery('utilization.gpu,memory.used'),
    (rows) => rows.every((row) => row.join() === '0,0'),
  );
}

it('has words for every fault', () => {
  expect(Object.keys(demoFaultInfos)).toEqual([...demoFaults]);
  for (const fault of demoFaults) expect(demoFaultInfos[fault].fault).toBe(fault);
});

it('tells its listeners what is active, until they stop listening', async () => {
  const heard: string[] = [];
  const stop = box.onChange(() => heard.push(box.activeFaults().join()));
  await inflict('throttle', true);
  await inflict('frozen-log', true);
  await inflict('throttle', true);
  await inflict('throttle', false);
  await inflict('run-killed', true);
  expect(heard).toEqual([
    'throttle',
    'throttle,frozen-log',
    'frozen-log',
    'run-killed,frozen-log',
    'frozen-log',
  ]);
  stop();
  await inflict('frozen-log', false);
  expect(heard).toHaveLength(5);
  await inflict('run-killed', false);
});

it('throttle: GPU 0 is held at half its clock for heat and power brake, GPU 1 is not', async () => {
  const fields =
    'clocks.current.sm,clocks_event_reasons.active,clocks_event_reasons.hw_power_brake_slowdown';
  await inflict('throttle', true);
  const rows = await eventually(
    () => gpuQuery(fields),
    ([first]) => Number(first?.[0]) < 1200,
  );
  expect(rows).toEqual([
    ['1035', '0x00000000000000E8', 'Active'],
    ['1980', '0x0000000000000000', 'Not Active'],
  ]);
  const dmon = (await read(client, 'nvidia-smi dmon -s v -c 1')).trim().split('\n').slice(2);
  expect(dmon[0]?.trim()).toMatch(/^0 +[1-9]\d +1$/);
  expect(dmon[1]?.trim()).toMatch(/^1 +0 +0$/);
  const [counters] = await gpuQuery('clocks_event_reasons_counters.hw_thermal_slowdown');
  expect(Number(counters?.[0])).toBeGreaterThan(0);
  await inflict('throttle', false);
  await eventually(
    () => gpuQuery('clocks.current.sm,clocks_event_reasons.active'),
    ([first]) => first?.join() === '1980,0x0000000000000000',
  );
});

it('xid-79: kernel log, lost card, crashed run; clearing brings card and run back', async () => {
  const stream = await openExec(client, 'nvidia-smi dmon -s pu -d 1');
  const rows = watchLines(stream);
  await eventually(rows, (lines) => lines.length > 4); // the stream knows the card before it is lost
  const follower = await openExec(client, 'dmesg -w');
  const kernelLines = watchLines(follower);
  await eventually(kernelLines, (lines) => lines.length > 1);
  await inflict('xid-79', true);
  const log = await read(client, 'dmesg');
  const { rows: events } = parseKernelLog(log);
  const codes = events.flatMap((event) => (event.kind === 'xid' ? [event.code] : []));
  expect(codes).toEqual([79, 154]);
  expect(await read(client, 'journalctl -k --no-pager')).toContain('Xid (PCI:0000:3b:00): 79');

  const list = await eventually(
    () => exec(client, 'nvidia-smi -L'),
    ({ code }) => code !== 0,
  );
  expect(list.code).toBe(15);
  expect(list.stdout.toString()).toMatch(
    /^Unable to determine the device handle for GPU 0000:3b:00\.0: GPU is lost\. {2}Reboot the system to recover this GPU\nGPU 0: /,
  );
  await eventually(rows, (lines) => lines.some((line) => /^ {4}1( +-){9} $/.test(line)));
  await eventually(kernelLines, (lines) => lines.some((line) => line.includes('Xid')));
  expect(await exitStatus()).toBe('1');
  expect(await read(client, `cat ${RUN}/train.log`)).toContain('CUDA error');

  await inflict('xid-79', false);
  await trainingRuns();
  expect(await exec(client, 'nvidia-smi -L')).toMatchObject({ code: 0 });
  expect(parseKernelLog(await read(client, 'dmesg')).rows.at(-1)).toMatchObject({
    recoveryTo: 'none',
  });
  stream.close();
  follower.close();
});

describe.each([
  ['disk-full', 'LC_ALL=C df -Pk ~', 'usedPct'],
  ['inodes-full', 'LC_ALL=C df -Pi ~', 'inodesUsedPct'],
] as const)('%s', (fault, command, column) => {
  it('df shows it, the next checkpoint fails with ENOSPC, and clearing starts a new run', async () => {
    const usedPct = async (): Promise<number | null | undefined> => {
      return parseDf(await read(client, command)).rows[0]?.[column];
    };
    expect(await usedPct()).not.toBe(100);
    await inflict(fault, true);
    expect(await usedPct()).toBe(100);
    expect(await exitStatus()).toBe('1');
    const log = await read(client, `cat ${RUN}/train.log`);
    expect(log).toMatch(/OSError: \[Errno 28\] No space left on device: '.*\.pt\.tmp'/);
    expect(log.includes('basic_ios::clear: iostream error')).toBe(fault === 'disk-full');
    const leftovers = await read(client, `ls ${RUN}/checkpoints`);
    expect(leftovers.includes('.pt.tmp')).toBe(fault === 'disk-full');
    await gpusIdle();

    await inflict(fault, false);
    expect(await usedPct()).not.toBe(100);
    await trainingRuns();
  });
});

it('cgroup-oom: SIGKILL, a higher counter, the kernel’s words; clearing starts a new run', async () => {
  const kills = async (): Promise<number | null> => {
    const text = await read(client, 'cat "$LEASEHOLD_CGROUP_ROOT/memory.events"');
    const [reading] = parseCgroup('memory.events', text).rows;
    return reading?.kind === 'oom' ? reading.kills : null;
  };
  expect(await kills()).toBe(0);
  const pid = Number(await trainingRuns());
  await inflict('cgroup-oom', true);
  expect(await kills()).toBe(1);
  const found = parseOomKills(await read(client, 'dmesg')).rows;
  expect(found.at(-1)).toMatchObject({ scope: 'container', pid });
  expect(await exitStatus()).toBe('137');
  const lastLine = (await read(client, `tail -n 1 ${RUN}/train.log`)).trim();
  expect(lastLine).toBe('Killed');
  await gpusIdle();
  await inflict('cgroup-oom', false);
  await trainingRuns();
});

it('run-killed: exit 143, memory freed, load gone; clearing starts a new run', async () => {
  await inflict('run-killed', true);
  // Whoever looks now sees how it ended.
  const ended = await read(client, `tail -n 1 ${RUN}/train.log; cat ${RUN}/exit_status`);
  expect(ended).toMatch(/Terminated[^\n]*\n143\n$/);
  expect(await exitStatus()).toBe('143');
  await gpusIdle();
  expect(await read(client, 'nvidia-smi --query-compute-apps=pid --format=csv,noheader')).toBe('');
  await inflict('run-killed', false);
  await trainingRuns();
});

it('run-killed: a run that has only just been started does not outlive its death', async () => {
  await inflict('run-killed', true);
  expect(await exitStatus()).toBe('143');
  await gpusIdle();
  const first = await read(client, `echo ${RUN}`);
  // It takes its time before it tells anything of itself.
  const slow = '{ head -n 1 kept.sh; echo "sleep 1"; tail -n +2 kept.sh; } >train.sh';
  await read(client, `cd ~/train && cp train.sh kept.sh && ${slow}`);
  await inflict('run-killed', false);
  await inflict('run-killed', true);
  await eventually(
    () => read(client, `echo ${RUN}`),
    (newest) => newest !== first,
  );
  expect(await exitStatus()).toBe('143');
  await read(client, 'cd ~/train && cat kept.sh >train.sh && rm kept.sh');
  await inflict('run-killed', false);
  await trainingRuns();
});

it('what happens to the run’s process by other hands shows as well: stopped, it keeps its memory without load', async () => {
  const pid = await trainingRuns();
  await read(client, `kill -STOP ${pid}`);
  const rows = await eventually(
    () => gpuQuery('utilization.gpu,memory.used'),
    ([first]) => first?.[0] === '0',
  );
  expect(Number(rows[0]?.[1])).toBeGreaterThan(1000);
  await read(client, `kill -CONT ${pid}; kill -KILL ${pid}`);
  await gpusIdle();
  await inflict('run-killed', false); // whatever killed it
});

it('link-drop: connections are cut, the run goes on, a new login works at once', async () => {
  const pid = await trainingRuns();
  const closed = once(client, 'close');
  await inflict('link-drop', true);
  await closed;
  client = await login(box);
  expect(await trainingRuns()).toBe(pid);
  expect(box.activeFaults()).toEqual([]);
});

it('half-open-link: nothing is answered and nothing is closed; clearing continues where it stopped', async () => {
  await inflict('half-open-link', true);
  const late = read(client, 'echo late');
  const newcomer = login(box);
  expect(await Promise.race([late, newcomer, Promise.resolve('silence')])).toBe('silence');
  await inflict('half-open-link', false);
  expect(await late).toBe('late\n');
  (await newcomer).end();
});

it('half-open-link: a client that asks for signs of life finds out', async () => {
  const careful = await login(box, { keepaliveInterval: 30, keepaliveCountMax: 2 });
  const gone = new Promise<void>((resolve) => careful.once('close', () => resolve()));
  await inflict('half-open-link', true);
  await gone;
  await inflict('half-open-link', false);
});

it('reboot: everything dies, connections are refused, the boot id changes, the run stays down', async () => {
  const bootId = await read(client, 'cat "$LEASEHOLD_PROC_ROOT/sys/kernel/random/boot_id"');
  await read(client, 'setsid sleep 4242 >/dev/null 2>&1 & sleep 0.1');
  const cut = once(client, 'close');
  const beforeMs = performance.now();
  const rebooted = box.setFault('reboot', true);
  await cut;
  await eventually(isRefused, (refused) => refused);
  expect(await rebooted).toMatchObject({ ok: true });
  client = await login(box);
  expect(await read(client, 'cat "$LEASEHOLD_PROC_ROOT/sys/kernel/random/boot_id"')).not.toBe(
    bootId,
  );
  expect(await read(client, 'ps -eo args | grep -c "[s]leep 4242" || true')).toBe('0\n');
  const upS = Number((await read(client, 'cut -d. -f1 "$LEASEHOLD_PROC_ROOT/uptime"')).trim());
  expect(upS).toBeLessThanOrEqual((performance.now() - beforeMs) / 1000);
  await gpusIdle();
  await inflict('reboot', false);
  await trainingRuns();
});

it('reboot with ~/train/autostart: the run comes back by itself', async () => {
  const pid = await trainingRuns();
  await read(client, 'touch ~/train/autostart');
  await inflict('reboot', true);
  client = await login(box);
  expect(await trainingRuns()).not.toBe(pid);
  await read(client, 'rm ~/train/autostart');
});

it('frozen-log: the log stands still while checkpoints move on; clearing brings the held lines in one piece', async () => {
  await inflict('frozen-log', true);
  const log = await settledLog();
  const newest = `ls ${RUN}/checkpoints | grep epoch | tail -n 1`;
  const checkpoint = await read(client, newest);
  await eventually(
    () => read(client, newest),
    (name) => name !== checkpoint,
  );
  expect(await read(client, `cat ${RUN}/train.log`)).toBe(log);
  await inflict('frozen-log', false);
  const after = await eventually(
    () => read(client, `cat ${RUN}/train.log`),
    (text) => text !== log,
  );
  const steps = [...after.matchAll(/ step (\d+) /g)].map(([, step]) => Number(step));
  expect(steps).toEqual(steps.map((_, place) => place + 1)); // none was lost
});

it('host-key-change: the next connection meets another key; clearing brings the old one back', async () => {
  const usual = await offeredKey();
  expect(usual).toBe(box.hostKey.fingerprint);
  const closed = once(client, 'close');
  await inflict('host-key-change', true);
  await closed;
  const changed = await offeredKey();
  expect(changed).not.toBe(usual);
  await inflict('host-key-change', false);
  expect(await offeredKey()).toBe(usual);
});

it('has the tables of the box say what it did before it answers, however slowly they follow', async () => {
  const other = await startTestBox({ tuning: { ...FAST, tickMs: 1000, rebootMs: 1 } });
  let visitor = await login(other);
  const onCards = (): Promise<string> =>
    read(visitor, 'nvidia-smi --query-compute-apps=pid --format=csv,noheader | sort -u');
  const runs = (): Promise<string> => eventually(onCards, (text) => /^\d+\n$/.test(text));
  const pid = await runs();
  await read(visitor, 'touch ~/train/autostart');
  expect(await other.setFault('reboot', true)).toMatchObject({ ok: true });
  visitor = await login(other);
  expect(await onCards()).not.toBe(pid);
  await runs();
  expect(await other.setFault('xid-79', true)).toMatchObject({ ok: true });
  expect(await exec(visitor, 'nvidia-smi -L')).toMatchObject({ code: 15 });
  expect(await onCards()).not.toMatch(/^\d+$/m);
  expect(await other.setFault('xid-79', false)).toMatchObject({ ok: true });
  await runs();
  expect(await other.setFault('run-killed', true)).toMatchObject({ ok: true });
  expect(await onCards()).toBe('');
  visitor.end();
  await other.stop();
});

it('begins another run a while after one has finished', async () => {
  const quick = {
    ...FAST,
    pace: {
      stepS: 0.02,
      stepsPerEpoch: 2,
      epochs: 2,
      pauseAfterFinishS: 0.1,
      pauseAfterDeathS: 1e6,
    },
  };
  const other = await startTestBox({ tuning: quick });
  const visitor = await login(other);
  const finished = await eventually(
    () => read(visitor, 'ls ~/train/runs/*/DONE | wc -l; ls -d ~/train/runs/*/ | wc -l'),
    (counts) => Number(counts.split('\n')[0]) >= 3,
  );
  // Old runs are forgotten, so that the box's disk use has a bound.
  expect(Number(finished.split('\n')[1])).toBeLessThanOrEqual(5);
  visitor.end();
  await other.stop();
});

/** The log once a step that was under way when it froze has been written. */
async function settledLog(): Promise<string> {
  const steps = `tail -n 1 ${RUN}/steps.txt`;
  const before = await read(client, steps);
  await eventually(
    () => read(client, steps),
    (step) => step !== before,
  );
  return read(client, `cat ${RUN}/train.log`);
}

async function offeredKey(): Promise<string> {
  let offered = '';
  const visitor = await login(box, {
    hostHash: 'sha256',
    hostVerifier: (hash: string) => {
      offered = Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '');
      return true;
    },
  });
  visitor.end();
  return `SHA256:${offered}`;
}

async function isRefused(): Promise<boolean> {
  const { host, port } = box.address;
  const socket = connect({ host, port });
  // `once` rejects with the error that comes instead.
  const outcome = await once(socket, 'connect').catch((cause: unknown) => cause);
  socket.destroy();
  return outcome instanceof Error && 'code' in outcome && outcome.code === 'ECONNREFUSED';
}

function watchLines(channel: ClientChannel): () => string[] {
  let text = '';
  channel.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text.split('\n');
}
