import type { GpuView } from './view.ts';

// NVML's bits (facts/nvidia.md §2.2).
export const POWER_CAP_BIT = 0x4;
export const HEAT_BITS = 0x20 | 0x40;
export const POWER_BRAKE_BIT = 0x80;
const IDLE_BIT = 0x1;
const SYNC_BOOST_BIT = 0x10;
const FIXED_CLOCKS_BIT = 0x2;

/** Held for half of the window is held; a sample or two of it is the border. */
const HELD_FROM_PCT = 50;
const FREE_UP_TO_PCT = 5;

export type Hold = 'held' | 'between' | 'free';

/** What holds the card's clock down, each as far as the box tells it; null: it does not tell. */
export interface ClockHolds {
  readonly heat: Hold | null;
  readonly brake: Hold | null;
  readonly power: Hold | null;
  readonly syncBoost: Hold | null;
  readonly fixedClocks: Hold | null;
  /** The newest bits under either name of the field; null: not told. */
  readonly bits: number | null;
  readonly isIdle: boolean;
}

export function clockHoldsOf(gpu: GpuView): ClockHolds {
  const { recent, details } = gpu;
  const bits = recent?.latest?.throttleBits ?? details?.throttleBits ?? null;
  return {
    heat: decide(recent?.mean('heldByHeatPct') ?? null, bySlowLooks(gpu, HEAT_BITS)),
    brake: decide(recent?.mean('heldByBrakePct') ?? null, bySlowLooks(gpu, POWER_BRAKE_BIT)),
    power: decide(recent?.mean('heldByPowerPct') ?? null, bySlowLooks(gpu, POWER_CAP_BIT)),
    syncBoost: bySlowLooks(gpu, SYNC_BOOST_BIT),
    fixedClocks: bySlowLooks(gpu, FIXED_CLOCKS_BIT),
    bits,
    isIdle: bits !== null && (bits & IDLE_BIT) !== 0,
  };
}

/** Whether heat or a brake explains a low clock; null: nobody knows. */
export function isHeldDown({ heat, brake }: ClockHolds): boolean | null {
  if (heat === 'held' || brake === 'held') return true;
  if (heat === null && brake === null) return null;
  return heat === 'between' || brake === 'between';
}

function decide(livePct: number | null, slow: Hold | null): Hold | null {
  if (slow === 'held' || (livePct !== null && livePct >= HELD_FROM_PCT)) return 'held';
  if (slow === 'between' || (livePct !== null && livePct > FREE_UP_TO_PCT)) return 'between';
  return livePct === null ? slow : 'free';
}

/** One look is a moment, and a moment proves nothing: only two in a row are held. */
function bySlowLooks({ details, detailsBefore }: GpuView, wanted: number): Hold | null {
  const now = details?.throttleBits ?? null;
  if (now === null) return null;
  if ((now & wanted) === 0) return 'free';
  const before = detailsBefore?.throttleBits ?? null;
  return before !== null && (before & wanted) !== 0 ? 'held' : 'between';
}
