import type { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DemoFault } from '../../shared/demo/faults.ts';
import { demoFaults } from '../../shared/demo/faults.ts';
import { details, facts } from '../../shared/detectors/box.fixture.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import { LIVE } from '../../shared/detectors/cases.fixture.ts';
import { detectors } from '../../shared/detectors/catalog.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { DmonCycles, type DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { normalPciAddress } from '../../shared/probes/pci-address.ts';
import { numberOf, parseQuery, textOf, type QueryRow } from '../../shared/probes/query.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import type { BoxGpuFacts, GpuDetails } from '../../shared/telemetry/gpu-facts.ts';
import { eventually, exec, FAST, login, read, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';

// What the real tools of the demo box print over SSH, judged at the times that it would have taken.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let box: DemoBox;
let client: Client;
let judged: BoxDetectors;
let atMs = 0;

beforeAll(async () => {
  // An epoch of 40 steps: the share of time that goes into saving is about that of a real run.
  box = await startTestBox({
    tuning: { ...FAST, pace: { ...FAST.pace, stepsPerEpoch: 40 } },
  });
});
beforeEach(async () => {
  client = await login(box);
  judged = new BoxDetectors();
  judged.useTelemetry(LIVE);
  await trainingRuns();
});
afterEach(() => {
  expect(box.activeFaults()).toEqual([]);
  client.end();
});
afterAll(() => box.stop());

const found = (): readonly string[] => judged.findings.findings.map(({ detector }) => detector);

async function inflict(fault: DemoFault, isOn: boolean): Promise<void> {
  expect(await box.setFault(fault, isOn)).toEqual({ ok: true, value: null });
}

/** The run's process is on the cards and they work. */
async function trainingRuns(): Promise<void> {
  await eventually(dmon, (cycles) => cycles[0]?.every(({ smPct }) => (smPct ?? 0) > 40) === true);
}

async function runIsOver(): Promise<void> {
  await eventually(
    dmon,
    ([cycle]) =>
      cycle?.every(({ smPct, memoryUsedMiB }) => smPct === 0 && memoryUsedMiB === 0) === true,
  );
}

async function dmon(times = 1): Promise<readonly DmonCycle[]> {
  // A test box lives twenty times as fast: 50 ms of ours are a second of its cards.
  const { stdout } = await exec(
    client,
    `i=0; while [ $i -lt ${times} ]; do nvidia-smi dmon -s pucvmet -c 1; sleep 0.05; i=$((i + 1)); done`,
  );
  const grouping = new DmonCycles();
  const { readings } = parseDmon(stdout.toString());
  return [...grouping.push(readings), ...grouping.end()];
}

const FIELDS = [
  'index,uuid,name,pci.bus_id,memory.total,memory.used,memory.reserved,power.limit,enforced.power.limit',
  'power.default_limit,clocks.max.sm,clocks_event_reasons.active,ecc.errors.uncorrected.volatile.total',
  'remapped_rows.pending,remapped_rows.failure,pcie.link.gen.current,pcie.link.gen.max',
  'pcie.link.width.current,pcie.link.width.max,gpu_recovery_action,mig.mode.current',
].join(',');

/** One look of the slow probe. */
async function look(): Promise<BoxGpuFacts> {
  const cards = (
    await exec(client, `nvidia-smi --query-gpu=${FIELDS} --format=csv`)
  ).stdout.toString();
  // With a lost card the tool's exit code tells of it, and the rows of the others still come.
  const apps = await exec(
    client,
    'nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv',
  );
  const { rows: events, outcome } = parseKernelLog(await read(client, 'dmesg'));
  const base = facts();
  return {
    ...base,
    atMs,
    gpus: parseQuery(cards).rows.map(toDetails),
    processes: {
      kind: 'known',
      processes: parseQuery(apps.stdout.toString()).rows.map((row) => ({
        gpu: textOf(row, 'gpu_uuid') ?? '',
        pid: numberOf(row, 'pid', null) ?? 0,
        name: textOf(row, 'process_name') ?? '',
        memoryMiB: numberOf(row, 'used_gpu_memory', 'MiB') ?? numberOf(row, 'used_memory', 'MiB'),
        user: null,
        command: null,
        ageS: null,
      })),
    },
    kernelLog: { outcome, events, source: 'dmesg' },
    machine: {
      ...base.machine,
      bootId: (await read(client, 'cat "$LEASEHOLD_PROC_ROOT/sys/kernel/random/boot_id"')).trim(),
    },
  };
}

function toDetails(row: QueryRow): GpuDetails {
  const yes = (field: string): boolean | null => {
    const text = textOf(row, field);
    return text === null ? null : text === 'Yes';
  };
  return details({
    index: numberOf(row, 'index', null) ?? 0,
    uuid: textOf(row, 'uuid') ?? '',
    name: textOf(row, 'name') ?? '',
    pciAddress: normalPciAddress(textOf(row, 'pci.bus_id') ?? ''),
    memoryTotalMiB: numberOf(row, 'memory.total', 'MiB'),
    memoryUsedMiB: numberOf(row, 'memory.used', 'MiB'),
    memoryReservedMiB: numberOf(row, 'memory.reserved', 'MiB'),
    powerLimitW: numberOf(row, 'power.limit', 'W'),
    enforcedPowerLimitW: numberOf(row, 'enforced.power.limit', 'W'),
    defaultPowerLimitW: numberOf(row, 'power.default_limit', 'W'),
    maxSmClockMHz: numberOf(row, 'clocks.max.sm', 'MHz'),
    throttleBits: Number(textOf(row, 'clocks_event_reasons.active')),
    eccUncorrectedVolatile: numberOf(row, 'ecc.errors.uncorrected.volatile.total', null),
    isRemapPending: yes('remapped_rows.pending'),
    hasRemapFailed: yes('remapped_rows.failure'),
    pcieGenCurrent: numberOf(row, 'pcie.link.gen.current', null),
    pcieGenMax: numberOf(row, 'pcie.link.gen.max', null),
    pcieWidthCurrent: numberOf(row, 'pcie.link.width.current', null),
    pcieWidthMax: numberOf(row, 'pcie.link.width.max', null),
    recoveryAction: textOf(row, 'gpu_recovery_action'),
    migMode: textOf(row, 'mig.mode.current'),
  });
}

/** Three looks at the box, half a minute apart by the rows' times; each row stands for five seconds. */
async function watch(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    judged.useFacts({ facts: await look(), problem: null });
    for (const cycle of await dmon(6)) for (let i = 0; i < 5; i += 1) feed(cycle);
  }
}

/** The last row again and again: nothing on the box changes. */
async function goOn(seconds: number): Promise<void> {
  const [cycle] = await dmon();
  const lastLook = await look();
  for (let i = 0; i < seconds; i += 1) {
    if (i % 30 === 0) judged.useFacts({ facts: { ...lastLook, atMs }, problem: null });
    feed(cycle ?? []);
  }
}

function feed(cycle: DmonCycle): void {
  atMs += 1000;
  judged.useReadings(atMs, cycle);
  judged.judge(atMs);
}

it('a healthy box: nothing is found, and nearly everything was looked at', async () => {
  await watch();
  expect(found()).toEqual([]);
  // The demo box does not tell its CPUs here, and an idle box is called clear or idle only after a while.
  expect(judged.findings.unknown.map(({ detector }) => detector)).toEqual(['U40']);
});

it('throttle leads to U23 on GPU 0, and to nothing else', async () => {
  await inflict('throttle', true);
  await watch();
  const [finding] = judged.findings.findings;
  expect(found()).toEqual(['U23']);
  expect(finding).toMatchObject({ severity: 'critical', subject: { kind: 'gpu', index: 0 } });
  expect(finding?.headline).toMatch(
    /^GPU 0 is held at 5\d % of its clock: .*too hot, hardware too hot, power brake\.$/,
  );
  expect(finding?.evidence).toContainEqual({
    kind: 'line',
    line: expect.stringMatching(
      /^clocks_event_reasons\.active 0xe8: .*hw_power_brake_slowdown/,
    ) as string,
  });
  await inflict('throttle', false);
  await watch();
  expect(found()).toEqual([]);
});

describe.each(['disk-full', 'inodes-full', 'cgroup-oom', 'run-killed'] as const)('%s', (fault) => {
  it('leads to an idle box after ten minutes, and to nothing else', async () => {
    await watch();
    await inflict(fault, true);
    await runIsOver();
    await watch();
    expect(found()).toEqual([]);
    await goOn(12 * 60);
    expect(found()).toEqual(['idle']);
    await inflict(fault, false);
    await trainingRuns();
    await watch();
    expect(found()).toEqual([]);
  });
});

it('reboot: what was found before is forgotten, and the box is idle because no run comes back', async () => {
  await inflict('throttle', true);
  await watch();
  expect(found()).toEqual(['U23']);
  await inflict('throttle', false);
  await inflict('reboot', true);
  client = await login(box);
  await runIsOver();
  await watch();
  expect(found()).toEqual([]);
  await goOn(12 * 60);
  expect(found()).toEqual(['idle']);
  await inflict('reboot', false);
});

it.each(['frozen-log', 'link-drop', 'host-key-change'] as const)(
  '%s says nothing about the GPUs',
  async (fault) => {
    await watch();
    await inflict(fault, true);
    client.end();
    client = await login(box);
    await watch();
    expect(found()).toEqual([]);
    await inflict(fault, false);
    client = await login(box);
  },
);

it('half-open-link: nothing comes, so nothing is known, and nothing is clear', async () => {
  await watch();
  await inflict('half-open-link', true);
  for (let i = 0; i < 60; i += 1) {
    atMs += 5000;
    judged.judge(atMs);
  }
  expect(new Set(judged.findings.unknown.map(({ detector }) => detector))).toEqual(
    new Set(detectors.map(({ id }) => id)),
  );
  await inflict('half-open-link', false);
});

// The last one: its lines stay in the kernel log until the box boots anew, as on a real box.
it('xid-79 leads to U22, and to nothing else', async () => {
  await watch();
  await inflict('xid-79', true);
  await eventually(
    () => exec(client, 'nvidia-smi -L'),
    ({ code }) => code !== 0,
  );
  await watch();
  expect(found()).toEqual(['U22']);
  expect(judged.findings.findings[0]).toMatchObject({
    severity: 'critical',
    fix: [
      'Stop debugging code',
      'Save what can be saved',
      'Stop this instance and rent a different one',
    ],
  });
  expect(judged.findings.findings[0]?.headline).toMatch(
    /^Xid 79 on card 0000:3b:00: GPU has fallen off/,
  );
  await inflict('xid-79', false);
});

it('has looked at every fault of the menu', () => {
  const looked =
    'throttle xid-79 disk-full inodes-full cgroup-oom run-killed link-drop half-open-link reboot frozen-log host-key-change';
  expect(looked.split(' ')).toEqual([...demoFaults]);
});
