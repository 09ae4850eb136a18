import { describe, expect, it } from 'vitest';
import {
  classifyGpuToolFailure,
  gpuToolFailureMeaning,
  isGpuToolFailureDetail,
  type GpuToolFailureKind,
} from './gpu-tool-failure.ts';

const KNOWN: readonly (readonly [string, GpuToolFailureKind])[] = [
  ['No devices were found', 'no-devices'],
  [
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that",
    'driver-not-loaded',
  ],
  ['Failed to initialize NVML: Driver/library version mismatch', 'library-mismatch'],
  ['Failed to initialize NVML: Unknown Error', 'nvml-unknown-error'],
  ['rc=255   Failed to initialize NVML: Unknown Error', 'nvml-unknown-error'],
  ['Failed to initialize NVML: GPU access blocked by the operating system', 'blocked-by-os'],
  ['Failed to initialize NVML: Insufficient Permissions', 'no-permission'],
  ['Failed to initialize NVML: Driver Not Loaded', 'driver-not-loaded'],
  ['Failed to initialize NVML: GPU is lost', 'gpu-lost'],
  ['Failed to initialize NVML: Something New', 'nvml-other'],
  ['Field "power.drow" is not a valid field to query.', 'field-refused'],
  ['Not supported on the device(s)', 'not-supported'],
  ['bash: nvidia-smi: command not found', 'tool-missing'],
  ['sh: 1: nvidia-smi: not found', 'tool-missing'],
  ['-bash: /usr/bin/nvidia-smi: No such file or directory', 'tool-missing'],
  ["Command 'nvidia-smi' not found, but can be installed with:", 'tool-missing'],
  ['bash: nvidia-smi: 未找到命令', 'tool-missing'],
  ['找不到命令 “nvidia-smi”，但可以通过以下软件包安装它：', 'tool-missing'],
  ["'nvidia-smi' is not recognized as an internal or external command,", 'tool-missing'],
  ['exec: "nvidia-smi": executable file not found in $PATH: unknown', 'tool-missing'],
  ["NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", 'library-missing'],
];

describe('classifyGpuToolFailure', () => {
  it.each(KNOWN)('knows %j', (line, kind) => {
    expect(classifyGpuToolFailure(line)).toMatchObject({ kind, line });
  });

  it('has a meaning for every kind that it can answer', () => {
    for (const [, kind] of KNOWN) expect(gpuToolFailureMeaning[kind]).toMatch(/\.$/);
  });

  it.each([
    ['for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU', '0000:05:00.0'],
    ['for GPU0: 0000:bb:00.0: Unknown Error', '0000:bb:00.0'],
    ['for GPU0000:BB:00.0: GPU is lost.', '0000:BB:00.0'],
    ['for gpu 00000000:05:00.0: Unknown Error', '00000000:05:00.0'],
    ['for GPU1: 0000:34:00.0: Unknown Error', '0000:34:00.0'],
    ['for GPU 0: Unknown Error', null],
    ['for GPU1: Unknown Error', null],
    ['for GPU somewhere', null],
  ])('finds the card in "Unable to determine the device handle %s"', (rest, address) => {
    const line = `Unable to determine the device handle ${rest}`;
    expect(classifyGpuToolFailure(line)).toEqual({ kind: 'gpu-lost', address, field: null, line });
  });

  it('names the refused field', () => {
    const failure = classifyGpuToolFailure('Field "a.b" is not a valid field to query.');
    expect(failure?.field).toBe('a.b');
  });

  it.each(['', '    0    70', 'NVML library version: 580.173', 'no devices', 'nvidia-smi dmon'])(
    'does not take %j for a failure',
    (line) => expect(classifyGpuToolFailure(line)).toBeNull(),
  );

  it('keeps a bounded piece of the line as a clue', () => {
    const failure = classifyGpuToolFailure(`No devices were found${'!'.repeat(100_000)}`);
    expect(failure?.line.length).toBeLessThan(250);
  });
});

it.each([
  ['NVML library version: 580.173', true],
  ['Failed to process command line.', true],
  ['Failed to properly shut down NVML: Driver/library version mismatch', true],
  ['NVML library version: 580.173 and more', false],
])('tells whether %j only adds to a failure', (line, isDetail) => {
  expect(isGpuToolFailureDetail(line)).toBe(isDetail);
});
