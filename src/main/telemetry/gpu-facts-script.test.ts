import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseGpuFacts } from '../../shared/probes/gpu-facts.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

/** An old driver: it knows the throttle reasons under their old name only, and no counters. */
const OLD_DRIVER = `#!/bin/sh
case "$*" in
  *clocks_event_reasons.active*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.'; exit 2 ;;
  *fabric.state*) echo 'Field "fabric.state" is not a valid field to query.'; exit 2 ;;
  *--query-compute-apps*) printf 'pid, process_name, used_gpu_memory [MiB], gpu_uuid\\n41, /opt/a b/python3, 7 MiB, GPU-a\\n' ;;
  *--query-gpu=*clocks_throttle_reasons.active*) printf 'index, uuid, name, clocks_throttle_reasons.active\\n0, GPU-a, Tesla T4, 0x0000000000000004\\n' ;;
  *TEMPERATURE*) printf 'CUDA Version : 12.2\\n' ;;
  *) exit 9 ;;
esac
`;

const MIG_TABLE = `|   0  NVIDIA H100 80GB HBM3          On  |   00000000:00:09.0 Off |                   On |
| N/A   52C    P0            432W /  700W |   11125MiB /  81559MiB |     N/A      Default |
|                                         |                        |              Enabled |
| MIG devices:                                                                            |
|  0    2   0   0  |           11091MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |
|                  |               0MiB / 24739MiB    |           |                       |
|  0    3   0   1  |               9MiB /  9984MiB    | 16      0 |  1   0    1    0    1 |
|                  |               0MiB /  6184MiB    |           |                       |
`;

describe.each(BOX_SHELLS)('gpu-facts.sh under $name', ({ shell, isInstalled }) => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'leasehold-facts-'));
    for (const folder of ['bin', 'proc/41/fd', 'proc/1', 'proc/77', 'proc/sys/kernel/random']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    tool('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1');
    tool('journalctl', 'echo "No journal files were opened due to insufficient permissions."');
    writeFileSync(join(root, 'proc/uptime'), '500.25 1.0\n');
    writeFileSync(
      join(root, 'proc/1/stat'),
      '1 (init (x) y) S 0 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 33 0\n',
    );
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function tool(name: string, body: string): void {
    const file = join(root, 'bin', name);
    writeFileSync(file, body.startsWith('#!') ? body : `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
  }

  async function look(values: Readonly<Record<string, string>> = {}) {
    const stdout = await runOnboxScript(shell, 'gpu-facts.sh', {
      PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      LEASEHOLD_MARK: 'nonce',
      LEASEHOLD_REFUSED: '',
      LEASEHOLD_STATIC: '1',
      LEASEHOLD_SUSPECT: '0',
      LEASEHOLD_PROC_ROOT: join(root, 'proc'),
      ...values,
    });
    return parseGpuFacts(stdout, 'nonce', { askedAtMs: 0, answeredAtMs: 0 });
  }

  it.skipIf(!isInstalled)('drops what an old driver refuses, one by one, and says so', async () => {
    tool('nvidia-smi', OLD_DRIVER);
    const first = await look();
    expect(first.isWhole).toBe(true);
    expect(first.refused).toEqual(['clocks_event_reasons.active', 'fabric.state']);
    expect(first.facts.gpus).toMatchObject([{ name: 'Tesla T4', throttleBits: 4 }]);
    expect(first.facts.machine).toMatchObject({
      uptimeS: 500.25,
      initStartTicks: 33,
      cudaMaxVersion: '12.2',
    });
    const second = await look({
      LEASEHOLD_REFUSED: first.refused.join(','),
      LEASEHOLD_STATIC: '0',
    });
    expect(second.refused).toEqual([]);
    expect(second.facts.gpus).toMatchObject([{ throttleBits: 4 }]);
  });

  it.skipIf(!isInstalled)('keeps the Xid that a flood of the driver follows', async () => {
    tool('nvidia-smi', OLD_DRIVER);
    tool(
      'dmesg',
      `cat <<'LOG'
[    0.000000] Linux version 6.8
[  100.000000] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.
[  100.000100] NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.
LOG
i=0
while [ $i -lt 400 ]; do
  echo '[  101.000000] NVRM: nvAssertOkFailedNoLog: Assertion failed: GPU lost from the bus [NV_ERR_GPU_IS_LOST] (0x0000000F)'
  echo '[  101.000000] NVRM: kgspRcAndNotifyAllChannels_IMPL: RC all channels for critical error 79.'
  i=$((i + 1))
done
echo '[  102.000000] NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)'`,
    );
    const { kernelLog } = (await look()).facts;
    const codes = kernelLog.events.map((event) => (event.kind === 'xid' ? event.code : event.kind));
    expect(codes).toEqual([79, ...Array<string>(20).fill('loss'), 154]);
  });

  it.skipIf(!isInstalled)('asks what MIG makes of a card, only where MIG is on', async () => {
    const driver = (mode: string): string => `#!/bin/sh
case "$*" in
  *--query-gpu=*) printf 'index, uuid, pci.bus_id, name, mig.mode.current, persistence_mode\\n0, GPU-a, 00000000:00:09.0, H100, ${mode}, Enabled\\n' ;;
  -L) printf 'GPU 0: H100 (UUID: GPU-a)\\n  MIG 3g.40gb     Device  0: (UUID: MIG-1)\\n  MIG 1g.10gb     Device  1: (UUID: MIG-2)\\n' ;;
  '') cat "$LEASEHOLD_TABLE" ;;
  *) exit 9 ;;
esac
`;
    tool('nvidia-smi', driver('Enabled'));
    const table = join(root, 'table');
    writeFileSync(table, MIG_TABLE);
    const on = await look({ LEASEHOLD_STATIC: '0', LEASEHOLD_TABLE: table });
    expect(on.facts.gpus[0]?.migParts).toEqual([
      {
        device: 0,
        gpuInstance: 2,
        profile: '3g.40gb',
        memoryUsedMiB: 11_091,
        memoryTotalMiB: 40_448,
      },
      {
        device: 1,
        gpuInstance: 3,
        profile: '1g.10gb',
        memoryUsedMiB: 9,
        memoryTotalMiB: 9984,
      },
    ]);
    tool('nvidia-smi', driver('Disabled'));
    const off = await look({ LEASEHOLD_STATIC: '0' });
    expect(off.facts.gpus).toMatchObject([{ migMode: 'Disabled', migParts: null }]);
  });

  it.skipIf(!isInstalled)(
    'tells user, age and command of a process, whatever is in its name',
    async () => {
      tool('nvidia-smi', OLD_DRIVER);
      writeFileSync(
        join(root, 'proc/41/stat'),
        '41 (a) b) S 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 40025 0\n',
      );
      writeFileSync(join(root, 'proc/41/cmdline'), 'python3\0train.py\0--x=a\nnonce end apps 0\0');
      symlinkSync('/opt/a b/python3', join(root, 'proc/41/exe'));
      symlinkSync('/dev/nvidia0', join(root, 'proc/41/fd/3'));
      const { facts } = await look();
      expect(facts.processes).toMatchObject({
        kind: 'known',
        processes: [
          {
            pid: 41,
            memoryMiB: 7,
            ageS: 100,
            command: 'python3 train.py --x=a?nonce end apps 0',
          },
        ],
      });
      rmSync(join(root, 'proc/41/fd/3'));
      expect((await look()).facts.processes).toMatchObject({
        processes: [{ pid: 41, command: null }],
      });
    },
  );

  it.skipIf(!isInstalled)('counts CPUs by the group of the box and those above it', async () => {
    tool('nvidia-smi', OLD_DRIVER);
    const put = (file: string, text: string): void => writeFileSync(join(root, file), `${text}\n`);
    for (const folder of ['proc/self', 'cg/a/b', 'cg1/cpu', 'cg1/cpuacct', 'cg1/pids']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    put('proc/self/cgroup', '0::/a/b');
    put('proc/stat', 'cpu  100 0 100 9 9 0 0 0 0 0\ncpu0 1 1\ncpu1 1 1\nintr 5');
    put('proc/loadavg', '1.50 1 1 2/3 4');
    put('cg/cgroup.controllers', 'cpu');
    put('cg/a/b/cpu.max', 'max 100000');
    put('cg/a/b/cpu.stat', 'usage_usec 1000000');
    put('cg/a/cpu.max', '150000 100000');
    put('cg/a/cpu.stat', 'usage_usec 3000000\nnr_periods 10\nnr_throttled 4\nthrottled_usec 9');
    put('cg/a/pids.current', '17');
    expect((await look({ LEASEHOLD_CGROUP_ROOT: join(root, 'cg') })).cpu).toEqual({
      atS: 500.25,
      hostCpus: 2,
      quotaCpus: 1.5,
      usedS: 3,
      periods: 10,
      throttledPeriods: 4,
      threads: 17,
      load1: 1.5,
    });
    put('cg1/cpu/cpu.cfs_quota_us', '-1');
    put('cg1/cpu/cpu.cfs_period_us', '100000');
    put('cg1/cpu/cpu.stat', 'nr_periods 0\nnr_throttled 0\nthrottled_time 0');
    put('cg1/cpuacct/cpuacct.usage', '5000000000');
    put('cg1/pids/pids.current', '3');
    expect((await look({ LEASEHOLD_CGROUP_ROOT: join(root, 'cg1') })).cpu).toMatchObject({
      quotaCpus: 'unlimited',
      usedS: 5,
      threads: 3,
    });
    // The group is named from outside of this namespace: what is mounted is the container's own.
    put('proc/self/cgroup', '0::/../elsewhere');
    put('cg/cpu.max', '400000 100000');
    expect((await look({ LEASEHOLD_CGROUP_ROOT: join(root, 'cg') })).cpu).toMatchObject({
      quotaCpus: 4,
    });
  });

  it.skipIf(!isInstalled)('says that a closed kernel log rules nothing out', async () => {
    tool('nvidia-smi', OLD_DRIVER);
    expect((await look()).facts.kernelLog.outcome.kind).toBe('cannot-rule-out');
    tool(
      'dmesg',
      'echo "[    0.000000] Linux"; echo "[    1.5] noise"; echo "[  400.5] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."',
    );
    const { kernelLog } = (await look()).facts;
    expect(kernelLog.events).toMatchObject([{ kind: 'xid', code: 79, uptimeS: 400.5 }]);
  });

  it.skipIf(!isInstalled)('starts no second nvidia-smi beside one that hangs', async () => {
    tool('nvidia-smi', `touch ${join(root, 'was-run')}; exit 0`);
    writeFileSync(join(root, 'proc/77/stat'), '77 (nvidia-smi) D 1 1\n');
    expect((await look({ LEASEHOLD_SUSPECT: '1' })).hung).toEqual([77]);
    expect(spawnSync('test', ['-e', join(root, 'was-run')]).status).toBe(1);
    writeFileSync(join(root, 'proc/77/stat'), '77 (nvidia-smi) S 1 1\n');
    expect((await look({ LEASEHOLD_SUSPECT: '1' })).hung).toEqual([]);
    expect(spawnSync('test', ['-e', join(root, 'was-run')]).status).toBe(0);
  });

  it.skipIf(!isInstalled)('stays bounded when a tool floods', async () => {
    tool('nvidia-smi', 'yes "0, GPU-a, flood" | head -c 3000000');
    const { facts, isWhole } = await look();
    expect(isWhole).toBe(true);
    expect(facts.gpus).toEqual([]);
  });
});
