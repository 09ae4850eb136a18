import { excerpt } from './probe-output.ts';

/** Why nvidia-smi gave no readings, from its own words (facts/nvidia.md §1.4). */
export type GpuToolFailureKind =
  | 'no-devices'
  | 'driver-not-loaded'
  | 'library-mismatch'
  | 'nvml-unknown-error'
  | 'blocked-by-os'
  | 'no-permission'
  | 'gpu-lost'
  | 'field-refused'
  | 'not-supported'
  | 'tool-missing'
  | 'library-missing'
  /** `Failed to initialize NVML:` with a reason that is not known here. */
  | 'nvml-other';

export interface GpuToolFailure {
  readonly kind: GpuToolFailureKind;
  /** The card, where the line names one: PCI address as printed. */
  readonly address: string | null;
  /** The field that this driver refuses, for `field-refused`. */
  readonly field: string | null;
  /** The original line as a clue. */
  readonly line: string;
}

/** What each failure means for the box, for people. */
export const gpuToolFailureMeaning: Readonly<Record<GpuToolFailureKind, string>> = {
  'no-devices':
    'The driver works but sees no GPU: none is attached, or the container was given none.',
  'driver-not-loaded': 'The NVIDIA kernel module is not loaded.',
  'library-mismatch':
    'The driver was updated under a running kernel module: reboot, or wait some minutes on a fresh box.',
  'nvml-unknown-error':
    'Typical for a container that lost its device rules: restart the container.',
  'blocked-by-os': 'The system denies access to the GPU (WSL, or /dev/nvidia* is not allowed).',
  'no-permission': 'This user may not use the NVIDIA driver.',
  'gpu-lost': 'A GPU no longer answers (fallen off the bus).',
  'field-refused': 'This driver does not know one of the fields that were asked for.',
  'not-supported': 'This card cannot do what was asked.',
  'tool-missing': 'nvidia-smi is not installed in this image.',
  'library-missing':
    'The driver’s library is not here: the container was started without GPU access, or no driver is installed.',
  'nvml-other': 'NVML could not start.',
};

// The words change with the driver, so known beginnings are looked for anywhere in the line: scripts put their own text
// before them. The first match decides.
const NVML_REASONS: readonly (readonly [RegExp, GpuToolFailureKind])[] = [
  [/^Driver\/library version mismatch/i, 'library-mismatch'],
  [/^Unknown Error/i, 'nvml-unknown-error'],
  [/^GPU access blocked/i, 'blocked-by-os'],
  [/^Insufficient Permissions/i, 'no-permission'],
  [/^Driver Not Loaded/i, 'driver-not-loaded'],
  [/^GPU is lost/i, 'gpu-lost'],
];

const PHRASES: readonly (readonly [RegExp, GpuToolFailureKind])[] = [
  [/\bNo devices were found/i, 'no-devices'],
  [/\bNVIDIA-SMI has failed because it couldn't communicate/i, 'driver-not-loaded'],
  [/\bNot supported on the device\(s\)/i, 'not-supported'],
  [/\bNVIDIA-SMI couldn't find libnvidia-ml\.so/i, 'library-missing'],
  [
    /\bnvidia-smi(?:\.exe)?"?: (?:command not found|not found|No such file or directory)/,
    'tool-missing',
  ],
  [/\bcommand not found: nvidia-smi/, 'tool-missing'],
  // Ubuntu's hint; a Chinese shell with its own hint; Windows.
  [/\bCommand 'nvidia-smi' not found/, 'tool-missing'],
  [
    /nvidia-smi: (?:未找到命令|未找到指令|找不到命令|找不到指令)|找不到命令 “nvidia-smi”/,
    'tool-missing',
  ],
  [/'nvidia-smi' (?:is not recognized|不是内部或外部命令)/, 'tool-missing'],
  [/\bexec: "nvidia-smi": executable file not found/, 'tool-missing'],
];

const NVML_START = /\bFailed to initialize NVML: (.{0,200})/i;
const FIELD_REFUSED = /\bField "([^"]{1,100})" is not a valid field to query/i;
// `for GPU 0000:05:00.0:`, `for GPUn: 0000:bb:00.0:`, `for GPU0000:bb:00.0:`, also in lower case. The reason after it may
// be "GPU is lost" or "Unknown Error": the same class.
const HANDLE_LOST =
  /\bUnable to determine the device handle for GPU(?:\w{1,3}:)? ?([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.\d)?)?/i;

/** One of these stands in each of them: a row of figures is told from a failure by one search in place of a dozen. */
const ANY_FAILURE = /nvml|nvidia-smi|device handle|valid field|no devices|not supported/i;

/** Total and pure: null means that the line is not a known failure. */
export function classifyGpuToolFailure(line: string): GpuToolFailure | null {
  if (!ANY_FAILURE.test(line)) return null;
  const nvml = NVML_START.exec(line)?.[1];
  if (nvml !== undefined) {
    const kind = NVML_REASONS.find(([reason]) => reason.test(nvml))?.[1] ?? 'nvml-other';
    return failure(kind, line);
  }
  const handle = HANDLE_LOST.exec(line);
  if (handle !== null) return { ...failure('gpu-lost', line), address: handle[1] ?? null };
  const field = FIELD_REFUSED.exec(line)?.[1];
  if (field !== undefined) return { ...failure('field-refused', line), field };
  const kind = PHRASES.find(([phrase]) => phrase.test(line))?.[1];
  return kind === undefined ? null : failure(kind, line);
}

/** Lines that only add to the failure before them; on their own they say nothing. */
export function isGpuToolFailureDetail(line: string): boolean {
  return /^\s*(?:NVML library version: [\d.]+|Failed to process command line\.?|Failed to properly shut down NVML: .{0,100})\s*$/i.test(
    line,
  );
}

function failure(kind: GpuToolFailureKind, line: string): GpuToolFailure {
  return { kind, address: null, field: null, line: excerpt(line.trim()) };
}
