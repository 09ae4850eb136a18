/** NVML's reasons why a clock is below what was asked for (facts/nvidia.md §2.2). */
export type ThrottleReason =
  | 'gpu-idle'
  | 'applications-clocks'
  | 'power-cap'
  | 'hardware-slowdown'
  | 'sync-boost'
  | 'thermal'
  | 'hardware-thermal'
  | 'power-brake'
  | 'display-clock';

interface ReasonEntry {
  readonly bit: number;
  readonly reason: ThrottleReason;
  /** The field of `--query-gpu`, without its `clocks_event_reasons.`. */
  readonly field: string;
  readonly label: string;
  readonly meaning: string;
}

export const throttleReasons: readonly ReasonEntry[] = [
  {
    bit: 0x1,
    reason: 'gpu-idle',
    field: 'gpu_idle',
    label: 'idle',
    meaning: 'Nothing runs, so the clock rests.',
  },
  {
    bit: 0x2,
    reason: 'applications-clocks',
    field: 'applications_clocks_setting',
    label: 'clocks set by hand',
    meaning: 'Somebody fixed the clocks, for example with -lgc.',
  },
  {
    bit: 0x4,
    reason: 'power-cap',
    field: 'sw_power_cap',
    label: 'power limit',
    meaning: 'The card is at its power limit.',
  },
  {
    bit: 0x8,
    reason: 'hardware-slowdown',
    field: 'hw_slowdown',
    label: 'hardware slowdown',
    meaning: 'The clock is halved or worse: heat, power brake, or power drawn too fast.',
  },
  {
    bit: 0x10,
    reason: 'sync-boost',
    field: 'sync_boost',
    label: 'sync boost',
    meaning: 'Another card of the group holds this one down.',
  },
  {
    bit: 0x20,
    reason: 'thermal',
    field: 'sw_thermal_slowdown',
    label: 'too hot',
    meaning: 'The core or its memory is over the highest operating temperature.',
  },
  {
    bit: 0x40,
    reason: 'hardware-thermal',
    field: 'hw_thermal_slowdown',
    label: 'hardware too hot',
    meaning: 'The hardware itself slowed the card down because of heat.',
  },
  {
    bit: 0x80,
    reason: 'power-brake',
    field: 'hw_power_brake_slowdown',
    label: 'power brake',
    meaning: 'The machine’s power supply pulled the brake: a fault of the host.',
  },
  {
    bit: 0x100,
    reason: 'display-clock',
    field: 'display_clock_setting',
    label: 'display clock',
    meaning: 'A display sets the clock.',
  },
];

/** The reasons in these bits. Bits that are not known are left out; compare with `unknownThrottleBits`. */
export function throttleReasonsOf(bits: number): readonly ReasonEntry[] {
  return throttleReasons.filter(({ bit }) => (bits & bit) !== 0);
}

/** The same without an idle card's rest, which is no news, and without what another reason says better. */
export function heldReasonsOf(bits: number): readonly ReasonEntry[] {
  const reasons = throttleReasonsOf(bits).filter(({ reason }) => reason !== 'gpu-idle');
  return reasons.filter(({ reason }) => !isSaidBetter(reason, reasons));
}

/** "Hardware slowdown" stands for two reasons of their own, and hardware that is too hot is too hot. */
function isSaidBetter(reason: ThrottleReason, all: readonly ReasonEntry[]): boolean {
  const has = (other: ThrottleReason): boolean => all.some((each) => each.reason === other);
  if (reason === 'hardware-slowdown') return has('hardware-thermal') || has('power-brake');
  return reason === 'thermal' && has('hardware-thermal');
}

const KNOWN_BITS = throttleReasons.reduce((all, { bit }) => all | bit, 0);

export function unknownThrottleBits(bits: number): number {
  return bits & ~KNOWN_BITS;
}

/** For so long the reasons of one GPU were the same. `bits` 0: asked, and nothing held the clock. */
export interface ThrottleSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bits: number;
}

/** Two samples further apart than this leave a time between them of which nothing is known. */
const MAX_SPAN_STEP_MS = 90_000;

/**
 * The spans with one more sample. A sample in the past, after a clock jump, begins a span of its own; so does one that is
 * `isAnew`: the card was gone or started again since the sample before, and what held it then says nothing of that time.
 */
export function addThrottleSample(
  spans: readonly ThrottleSpan[],
  atMs: number,
  bits: number,
  isAnew = false,
): readonly ThrottleSpan[] {
  const last = spans.at(-1);
  const stepMs = last === undefined ? Infinity : atMs - last.toMs;
  if (last === undefined || isAnew || stepMs < 0 || stepMs > MAX_SPAN_STEP_MS) {
    return [...spans, { fromMs: atMs, toMs: atMs, bits }];
  }
  const rest = spans.slice(0, -1);
  if (last.bits === bits) return [...rest, { ...last, toMs: atMs }];
  // It changed at some time between the two samples: the old span reaches to where the new one begins.
  return [...rest, { ...last, toMs: atMs }, { fromMs: atMs, toMs: atMs, bits }];
}
