/** What an Xid asks of the person (facts/nvidia.md §3.2; actions after NVIDIA's catalog). */
export type XidClass =
  /** A fault of the program: restart it. */
  | 'app'
  /** Reset the GPU; in a rented container that means restart or rent another machine. */
  | 'reset'
  /** Leave the machine. */
  | 're-rent'
  /** Tell the provider. */
  | 'contact'
  | 'info'
  | 'unknown';

export interface XidEntry {
  readonly meaning: string;
  readonly class: XidClass;
  /** The whole advice; the class is its first step. */
  readonly advice: string;
  /** Usually accompanies another code of the same seconds, which is the cause to show first. */
  readonly followsCause: boolean;
}

type Line = readonly [
  codes: readonly number[],
  meaning: string,
  xidClass: XidClass,
  advice: string,
];

// Grouped as the facts group them. A code that is missing here is unknown, which is an answer too.
const LINES: readonly Line[] = [
  [[8], 'channel idle timeout', 'app', 'app'],
  [[11, 25, 32], 'bad push buffer stream (PBDMA)', 'app', 'app; often on one box only: contact'],
  [
    [13],
    'graphics engine exception (out of range address, bad shader)',
    'app',
    'app; if other programs get it too: reset',
  ],
  [[31], 'MMU page fault, illegal address by the program', 'app', 'app'],
  [[37, 38], 'firmware watchdog/method', 'info', 'info, then contact'],
  [
    [39, 40, 41, 70, 71, 72, 75, 76, 77, 85, ...range(126, 135)],
    'copy engine',
    'app',
    'app, then contact',
  ],
  [[43], 'channel reset after a program’s error, GPU fine', 'info', 'info (follow the cause)'],
  [[44], 'fault during context switch', 'info', 'info, then contact'],
  [
    [45],
    'preemptive cleanup of channels; also when a process is killed',
    'info',
    'info; alone and repeated: fabric manager restart',
  ],
  [[46], 'GPU stopped processing', 'reset', 'reset'],
  [
    [48],
    'uncorrectable (double bit) ECC error',
    'reset',
    'with 63/64: reset; with 94: app; with 95: reset; alone: reset. 171/172 give details from R565 on',
  ],
  [[54], 'auxiliary power cable missing', 're-rent', 're-rent, contact'],
  [
    [56, 57, 58],
    'display / video memory interface errors on old cards; unused today',
    'contact',
    'contact',
  ],
  [
    [60, 68, 82, 83, 84, 86, 88, 89, ...range(96, 105), 139],
    'video, JPEG, optical-flow engines',
    'app',
    'app, then contact',
  ],
  [
    [61],
    'microcontroller breakpoint/warning (old), unused today',
    'reset',
    'reset if seen, contact',
  ],
  [[62], 'microcontroller halt', 'reset', 'reset, contact if it repeats'],
  [[63], 'page retirement / row remap recorded', 'info', 'info: pending until reset; not urgent'],
  [[64], 'retirement / remap failed', 'reset', 'reset; repeats: re-rent, contact'],
  [[66, 67], 'illegal access by driver', 'info', 'info, contact'],
  [[69], 'class error (bad method from the program)', 'app', 'app'],
  [[74], 'NVLink error', 'reset', 'by link and bits: reset; repeats: re-rent, contact'],
  [[78], 'vGPU start error', 'contact', 'contact'],
  [
    [79],
    'GPU has fallen off the bus',
    're-rent',
    're-rent (only a reboot of the bare machine helps), contact',
  ],
  [[80], 'corrupted data to the GPU', 'app', 'app'],
  [[92], 'high rate of single-bit errors', 'info', 'info, contact'],
  [[93], 'InfoROM wear', 'info', 'info'],
  [[94], 'contained memory error', 'app', 'app (only the program hit); then reset at leisure'],
  [[95], 'uncontained memory error', 'reset', 'reset at once; every result since is suspect'],
  [[109], 'context switch timeout', 'reset', 'reset (a stuck program can cause it)'],
  [[110], 'security fault', 'reset', 'reset'],
  [[119, 120], 'GSP firmware RPC timeout / error', 'reset', 'reset; if nvidia-smi hangs: re-rent'],
  [[121], 'C2C link error (Grace)', 'info', 'info, contact'],
  [[136], 'link training failed', 'reset', 'reset'],
  [[137], 'NVLink fault by a peer’s program', 'app', 'app on the peer'],
  [[140], 'unrecovered ECC error', 'reset', 'reset'],
  [[141], 'CUDA fast path error', 'info', 'info'],
  [[143], 'GPU initialisation failed', 'reset', 'reset; repeats: re-rent'],
  [
    range(144, 150),
    'NVLink 5 units (SAW, RLW, TLW, TREX, NVLPW, NETIR, MSE)',
    'reset',
    'Fatal: reset/reboot; Nonfatal: info, contact if frequent',
  ],
  [[151], 'key rotation (confidential computing)', 'reset', 'restart the VM'],
  [[154], 'recovery action changed', 'info', 'do what the target number says'],
  [[155], 'NVLink software-defined', 'reset', 'reset'],
  [[156], 'resource retired', 'reset', 'reset'],
  [[157], 'resource retirement failed', 'contact', 'contact'],
  [[158], 'GPU fatal timeout', 'reset', 'reset'],
  [[160, 161], 'channel retirement', 'info', 'info'],
  [range(162, 165), 'power smoothing hardware', 'info', 'info'],
  [[167], 'PCIe fatal timeout', 're-rent', 'treat as 79 (no action published)'],
];

const FOLLOW_THE_CAUSE = new Set([45, 43, 63, 94, 154]);

const ENTRIES: ReadonlyMap<number, XidEntry> = new Map(
  LINES.flatMap(([codes, meaning, xidClass, advice]) =>
    codes.map((code) => {
      const followsCause = FOLLOW_THE_CAUSE.has(code);
      return [code, { meaning, class: xidClass, advice, followsCause }] as const;
    }),
  ),
);

const UNKNOWN: XidEntry = {
  meaning: 'unused or unknown',
  class: 'unknown',
  advice: 'contact',
  followsCause: false,
};

/** The table's answer for the code alone. */
export function xidEntry(code: number): XidEntry {
  return ENTRIES.get(code) ?? UNKNOWN;
}

/** What the driver asks for in an Xid 154. Its words differ between builds; the number is the same. */
export type RecoveryAction =
  | 'none'
  | 'gpu-reset'
  | 'node-reboot'
  | 'drain-p2p'
  | 'drain-and-reset'
  | 'recover-imex'
  | 'unknown';

const RECOVERY_ACTIONS: readonly RecoveryAction[] = [
  'none',
  'gpu-reset',
  'node-reboot',
  'drain-p2p',
  'drain-and-reset',
  'recover-imex',
];

export function recoveryAction(number: number): RecoveryAction {
  return RECOVERY_ACTIONS[number] ?? 'unknown';
}

const RECOVERY_CLASSES: Readonly<Record<RecoveryAction, XidClass>> = {
  none: 'info', // a change to 0x0 is the recovery itself
  'gpu-reset': 'reset',
  'node-reboot': 're-rent', // only the provider can reboot a rented node
  'drain-p2p': 'contact',
  'drain-and-reset': 'reset',
  'recover-imex': 'contact',
  unknown: 'unknown',
};

const NVLINK5_FIRST = 144;
const NVLINK5_LAST = 150;

/** The class of one event, where its text says more than its code. */
export function classifyXid(event: {
  readonly code: number;
  readonly text: string;
  readonly recoveryTo: RecoveryAction | null;
}): XidClass {
  if (event.recoveryTo !== null) return RECOVERY_CLASSES[event.recoveryTo];
  const isNvlink5 = event.code >= NVLINK5_FIRST && event.code <= NVLINK5_LAST;
  if (isNvlink5 && /\bNonfatal\b/i.test(event.text)) return 'info';
  return xidEntry(event.code).class;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
