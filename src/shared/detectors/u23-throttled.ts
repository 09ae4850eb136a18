import { heldReasonsOf, throttleReasonsOf } from '../telemetry/throttle.ts';
import {
  BETWEEN,
  CLEAR,
  figure,
  unknown,
  type Evidence,
  type Found,
  type Judgement,
  type Severity,
} from './finding.ts';
import { fullClockMHz, lostClock, percent } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { lookAtThrottle, type ThrottleLook } from './throttle-look.ts';
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
  title: 'Thermal or power throttling quietly takes 25-40%',
  scope: 'gpu',
  foundAfterMs: 10_000,
  clearAfterMs: 30_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    const look = lookAtThrottle(gpu);
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (look.isIdle || (smPct !== null && smPct < IDLE_BELOW_PCT)) return CLEAR;
    if (gpu.recent === null) return unknown('there are not yet enough readings in a row');

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
function judgeMildHold(gpu: GpuView, box: BoxView, look: ThrottleLook): Judgement | null {
  const holds = [look.power, look.syncBoost, look.fixedClocks];
  if (!holds.includes('held')) return null;
  const lost = lostClock(gpu);
  if (lost === null) return null;
  if (lost >= TELL_LOSS_FROM) return describe(gpu, box, look, 'info');
  return lost >= TELL_LOSS_FROM / 2 ? BETWEEN : null;
}

function judgeWithoutReasons(gpu: GpuView, box: BoxView, look: ThrottleLook): Judgement {
  if (look.heat !== null && (look.brake !== null || look.power !== null)) return CLEAR;
  const hotC = gpu.recent?.mean('temperatureC') ?? null;
  const lost = lostClock(gpu);
  if (hotC !== null && hotC >= HOT_FROM_C && lost !== null && lost >= HOT_LOSS_FROM) {
    return describe(gpu, box, look, 'warn');
  }
  return unknown('the box does not tell what holds the clock');
}

function describe(gpu: GpuView, box: BoxView, look: ThrottleLook, severity: Severity): Found {
  const lost = lostClock(gpu);
  const why = reasonsInWords(look);
  const fullMHz = fullClockMHz(gpu);
  const clockMHz = gpu.recent?.mean('smClockMHz') ?? null;
  const atShare = lost === null ? 'below its full clock' : `at ${percent(1 - lost)} of its clock`;
  return {
    kind: 'found',
    severity,
    headline: `GPU ${gpu.index} is held ${atShare}: ${why}.`,
    means: meaningOf(look),
    fix:
      severity === 'info'
        ? [
            'Confirm from clocks, temperature and throttle reasons',
            'Do not read it as a model regression',
          ]
        : [
            'Confirm from clocks, temperature and throttle reasons',
            'Rent a healthier box; a tenant cannot fix cooling',
            'Do not read it as a model regression',
          ],
    wastedShare: lost === null ? null : lost / box.gpus.length,
    evidence: [
      ...(clockMHz === null ? [] : [figure('SM clock', clockMHz, 'MHz', WINDOW_MS)]),
      ...(fullMHz === null ? [] : [figure('full SM clock', fullMHz, 'MHz')]),
      ...(lost === null ? [] : [figure('clock lost', lost * 100, '%', WINDOW_MS)]),
      ...meanFigures(gpu),
      ...(look.bits === null ? [] : [bitsAsLine(look.bits)]),
    ],
    caveat:
      lost === null ? 'There is no clock to compare with yet, so the loss is not known.' : null,
  };
}

function meanFigures({ recent }: GpuView): readonly Evidence[] {
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

function bitsAsLine(bits: number): Evidence {
  const names = throttleReasonsOf(bits).map(({ field }) => field);
  return {
    kind: 'line',
    line: `clocks_event_reasons.active 0x${bits.toString(16)}: ${names.join(', ')}`,
  };
}

const POWER_BRAKE = 'the machine’s power brake';

/** What is known for certain to hold it, in the words of the reasons; the bits first, they are the most exact. */
function reasonsInWords(look: ThrottleLook): string {
  const exact = heldReasonsOf(look.bits ?? 0).filter(({ reason }) => reason !== 'display-clock');
  // The brake is nobody's fault but the machine's.
  const brake = exact.filter(({ reason }) => reason === 'power-brake').map(() => POWER_BRAKE);
  const others = exact.filter(({ reason }) => reason !== 'power-brake').map(({ label }) => label);
  if (exact.length > 0) return [...brake, ...others].join(', ');
  const held = [
    look.heat === 'held' ? 'too hot' : null,
    look.brake === 'held' ? POWER_BRAKE : null,
    look.power === 'held' ? 'power limit' : null,
  ].filter((word) => word !== null);
  return held.length > 0 ? held.join(', ') : 'hot, and its clock is low';
}

function meaningOf({ brake, heat, power }: ThrottleLook): string {
  if (brake === 'held') {
    return 'The power supply of the machine pulled the brake: a problem of the host, change the machine.';
  }
  if (heat === 'held') {
    return 'The card lowers its clock for heat, of its core or of its memory; throughput drops without any error.';
  }
  if (power === 'held') {
    return 'The card stands at its power limit. At full load this lowers the clock legitimately on small or capped cards.';
  }
  return 'Another card of the group or a fixed setting holds the clock below what the card could do.';
}
