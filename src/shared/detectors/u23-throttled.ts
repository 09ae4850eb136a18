import { heldReasonsOf, throttleReasonsOf } from '../telemetry/throttle.ts';
import {
  BETWEEN,
  CLEAR,
  figure,
  unknown,
  type Clue,
  type Found,
  type Judgement,
  type Severity,
} from './finding.ts';
import { fullClockMHz, lostClock, percent, TOO_FEW_READINGS } from './load.ts';
import { phrase, says, type Phrase, type variants } from './says.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { clockHoldsOf, type ClockHolds } from './clock-holds.ts';
import { LIVE_GAP_MS, type BoxView, type GpuView } from './view.ts';
import type { GpuDetector } from './view.ts';

// Clocks fall when the load ends (nvidia.md §1.3): clock loss is judged only while something runs.
const LOADED_FROM_PCT = 30;
const IDLE_BELOW_PCT = 10;
// Full load at the power limit lowers the clock legitimately (nvidia.md §4): told from this loss on.
const TELL_LOSS_FROM = 0.1;
// Gotcha U23: it starts near 83 °C. Without reasons only heat and a low clock together point to it.
const HOT_FROM_C = 83;
const HOT_LOSS_FROM = 0.15;

/** U23 */
export const throttled: GpuDetector = {
  id: 'U23',
  scope: 'gpu',
  foundAfterMs: 10_000,
  clearAfterMs: 30_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    const look = clockHoldsOf(gpu);
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (look.isIdle || (smPct !== null && smPct < IDLE_BELOW_PCT)) return CLEAR;
    if (gpu.recent === null) return unknown(TOO_FEW_READINGS);

    if (look.brake === 'held') return describe(gpu, box, look, 'critical');
    if (look.heat === 'held') {
      const isHardware = look.bits !== null && (look.bits & 0x40) !== 0;
      return describe(gpu, box, look, isHardware ? 'critical' : 'warn');
    }
    if (look.heat === 'between' || look.brake === 'between') return BETWEEN;
    if (smPct !== null && smPct < LOADED_FROM_PCT) return CLEAR;
    return judgeMildHold(gpu, box, look) ?? judgeWithoutReasons(gpu, box, look);
  },
};

/** Power limit, sync boost and fixed clocks are often wanted: worth a word when they cost clock. */
function judgeMildHold(gpu: GpuView, box: BoxView, look: ClockHolds): Judgement | null {
  const holds = [look.power, look.syncBoost, look.fixedClocks];
  if (!holds.includes('held')) return null;
  const lost = lostClock(gpu);
  if (lost === null) return null;
  if (lost >= TELL_LOSS_FROM) return describe(gpu, box, look, 'info');
  return lost >= TELL_LOSS_FROM / 2 ? BETWEEN : null;
}

function judgeWithoutReasons(gpu: GpuView, box: BoxView, look: ClockHolds): Judgement {
  if (look.heat !== null && (look.brake !== null || look.power !== null)) return CLEAR;
  const hotC = gpu.recent?.mean('temperatureC') ?? null;
  const lost = lostClock(gpu);
  if (hotC !== null && hotC >= HOT_FROM_C && lost !== null && lost >= HOT_LOSS_FROM) {
    return describe(gpu, box, look, 'warn');
  }
  return unknown('what holds the clock is not known');
}

function describe(gpu: GpuView, box: BoxView, look: ClockHolds, severity: Severity): Found {
  const lost = lostClock(gpu);
  const variant = variantOf(look, severity);
  const fullMHz = fullClockMHz(gpu);
  const clockMHz = gpu.recent?.mean('smClockMHz') ?? null;
  const clock =
    lost === null
      ? phrase('U23', 'below-full')
      : phrase('U23', 'at-share', { share: percent(1 - lost) });
  return {
    kind: 'found',
    severity,
    says: says('U23', variant, { gpu: gpu.index, clock, why: reasonsOf(look) }),
    wastedShare: lost === null ? null : lost / box.gpus.length,
    clues: [
      ...(clockMHz === null ? [] : [figure('SM clock', clockMHz, 'MHz', WINDOW_MS)]),
      ...(fullMHz === null ? [] : [figure('full SM clock', fullMHz, 'MHz')]),
      ...(lost === null ? [] : [figure('clock lost', lost * 100, '%', WINDOW_MS)]),
      ...meanFigures(gpu),
      ...(look.bits === null ? [] : [bitsAsLine(look.bits)]),
    ],
    caveat: lost === null ? phrase('U23', 'no-clock') : null,
  };
}

function meanFigures({ recent }: GpuView): readonly Clue[] {
  const wanted = [
    ['SM busy', 'smPct', '%'],
    ['temperature', 'temperatureC', '°C'],
    ['held down by heat', 'heldByHeatPct', '% of the time'],
    ['held down by power', 'heldByPowerPct', '% of the time'],
  ] as const;
  return wanted.flatMap(([label, name, unit]) => {
    const value = recent?.mean(name) ?? null;
    return value === null ? [] : [figure(label, value, unit, WINDOW_MS)];
  });
}

function bitsAsLine(bits: number): Clue {
  const names = throttleReasonsOf(bits).map(({ field }) => field);
  return {
    kind: 'line',
    line: `clocks_event_reasons.active 0x${bits.toString(16)}: ${names.join(', ')}`,
  };
}

/** What is known for certain to hold it, in the words of the reasons; the bits first, they are the most exact. */
function reasonsOf(look: ClockHolds): readonly (Phrase | string)[] {
  const exact = heldReasonsOf(look.bits ?? 0).filter(({ reason }) => reason !== 'display-clock');
  // The brake is nobody's fault but the machine's.
  const brake = exact
    .filter(({ reason }) => reason === 'power-brake')
    .map(() => phrase('U23', 'power-brake'));
  const others = exact.filter(({ reason }) => reason !== 'power-brake').map(({ label }) => label);
  if (exact.length > 0) return [...brake, ...others];
  const held = [
    look.heat === 'held' ? phrase('U23', 'too-hot') : null,
    look.brake === 'held' ? phrase('U23', 'power-brake') : null,
    look.power === 'held' ? phrase('U23', 'at-power-limit') : null,
  ].filter((word) => word !== null);
  return held.length > 0 ? held : [phrase('U23', 'hot-and-low')];
}

function variantOf(
  { brake, heat, power }: ClockHolds,
  severity: Severity,
): keyof (typeof variants)['U23'] {
  if (brake === 'held') return 'brake';
  // A setting is a note; where no reasons are told, a hot card with a low clock is held by heat.
  if (heat === 'held' || severity !== 'info') return 'heat';
  return power === 'held' ? 'power-limit' : 'setting';
}
