import { lowerBound } from '../../../shared/telemetry/downsample.ts';
import { heldReasonsOf, unknownThrottleBits } from '../../../shared/telemetry/throttle.ts';
import type { ThrottleReason, ThrottleSpan } from '../../../shared/telemetry/throttle.ts';
import { GAP_POINTS, type GpuSeries } from './gpu-series.ts';
import type { TimeAxis } from './time-axis.ts';

/** `danger`: the machine or heat in hardware; `warn`: heat; `quiet`: a limit that somebody set. */
export type BandTone = 'danger' | 'warn' | 'quiet';

/** A time in which something held the clock of a GPU below what it could be. */
export interface ThrottleBand extends TimeAxis {
  /** The reason in a few words, as it stands in the band. */
  readonly label: string;
  /** The same as sentences. */
  readonly meaning: string;
  readonly tone: BandTone;
  /** Which GPUs, where the charts show several. */
  readonly gpus: readonly number[];
}

/** An idle card rests its clock: that is no news. */
const QUIET: readonly ThrottleReason[] = [
  'applications-clocks',
  'power-cap',
  'sync-boost',
  'display-clock',
];
const DANGEROUS: readonly ThrottleReason[] = [
  'hardware-slowdown',
  'hardware-thermal',
  'power-brake',
];
/** dmon's share of time, above which it is worth a band; a card at its power limit flickers around 0. */
const LEAST_VIOLATION_PCT = 5;

/** From the reasons that the driver names, and from what dmon says each second where no reason was asked for. */
export function throttleBandsOf(
  all: readonly GpuSeries[],
  axis: TimeAxis,
): readonly ThrottleBand[] {
  const bands = all.flatMap((series) => {
    const named = series.throttle.flatMap((span) => namedBand(span, series.index));
    const runs = heldRuns(series, axis);
    const told = runs.filter((run) => !named.some((band) => isInside(run, band)));
    return [...told.flatMap((run) => outside(run, named)), ...grown(named, runs)];
  });
  const shown = bands.filter(({ fromMs, toMs }) => toMs > axis.fromMs && fromMs < axis.toMs);
  return sameAcrossGpus(shown);
}

/** The reasons worth telling, in a few words each; an idle card rests its clock, which is none. */
export function heldByWords(bits: number): readonly string[] {
  const unknown = unknownThrottleBits(bits);
  return [
    ...heldReasonsOf(bits).map(({ label }) => label),
    ...(unknown === 0 ? [] : [`unknown reason 0x${unknown.toString(16)}`]),
  ];
}

function namedBand(span: ThrottleSpan, index: number | null): ThrottleBand[] {
  const told = heldReasonsOf(span.bits);
  const labels = heldByWords(span.bits);
  if (labels.length === 0) return [];
  const isDangerous = told.some(({ reason }) => DANGEROUS.includes(reason));
  const isQuiet =
    told.length === labels.length && told.every(({ reason }) => QUIET.includes(reason));
  return [
    {
      fromMs: span.fromMs,
      toMs: span.toMs,
      label: labels.join(', '),
      meaning: told.map(({ meaning }) => meaning).join(' '),
      tone: isDangerous ? 'danger' : isQuiet ? 'quiet' : 'warn',
      gpus: index === null ? [] : [index],
    },
  ];
}

type BandWords = Pick<ThrottleBand, 'label' | 'meaning' | 'tone'>;

function toldOf(who: string, tone: BandTone): BandWords {
  return {
    label: `held by ${who}`,
    meaning: `nvidia-smi dmon counts time in which ${who} held the clock; the driver's own reason is asked every 30 s.`,
    tone,
  };
}
const BY_POWER = toldOf('power', 'quiet');
const BY_HEAT = toldOf('heat', 'warn');
const BY_BOTH = toldOf('power and heat', 'warn');

/** Times in the window in which dmon said that power or heat held the clock. */
function heldRuns(series: GpuSeries, axis: TimeAxis): readonly ThrottleBand[] {
  const { atMs, stepMs, columns, index } = series;
  const power = columns.powerViolationPct?.mean;
  const heat = columns.isThermallyHeld?.max;
  const gpus = index === null ? [] : [index];
  const runs: (ThrottleBand & { toMs: number })[] = [];
  // A card at its power limit is held each second, and this runs over every sample each time the charts are drawn.
  const end = lowerBound(atMs, axis.toMs + stepMs);
  for (let i = lowerBound(atMs, axis.fromMs - stepMs); i < end; i += 1) {
    const isPower = (power?.[i] ?? NaN) >= LEAST_VIOLATION_PCT;
    const isHeat = (heat?.[i] ?? NaN) > 0;
    if (!isPower && !isHeat) continue;
    const told = isPower ? (isHeat ? BY_BOTH : BY_POWER) : BY_HEAT;
    const [fromMs, toMs] = [(atMs[i] ?? NaN) - stepMs / 2, (atMs[i] ?? NaN) + stepMs / 2];
    const last = runs.at(-1);
    if (last?.label === told.label && fromMs - last.toMs < stepMs * GAP_POINTS) last.toMs = toMs;
    else runs.push({ fromMs, toMs, ...told, gpus });
  }
  return runs;
}

function isInside(inner: TimeAxis, outer: TimeAxis): boolean {
  return inner.fromMs >= outer.fromMs && inner.toMs <= outer.toMs;
}

/** The parts of a run that lie before the first named band it meets; what follows belongs to that band's reason. */
function outside(run: ThrottleBand, named: readonly ThrottleBand[]): readonly ThrottleBand[] {
  const met = named.filter(({ fromMs, toMs }) => toMs >= run.fromMs && fromMs <= run.toMs);
  const firstMs = Math.min(...met.map(({ fromMs }) => fromMs));
  if (firstMs === Infinity) return [run];
  return run.fromMs < firstMs ? [{ ...run, toMs: firstMs }] : [];
}

/** The last reason was asked some seconds ago: it holds on for as long as dmon says that something does. */
function grown(
  named: readonly ThrottleBand[],
  runs: readonly ThrottleBand[],
): readonly ThrottleBand[] {
  const last = named.at(-1);
  if (last === undefined) return named;
  const met = runs.filter(({ fromMs, toMs }) => fromMs <= last.toMs && toMs > last.toMs);
  const toMs = Math.max(last.toMs, ...met.map((run) => run.toMs));
  return [...named.slice(0, -1), { ...last, toMs }];
}

/** Eight cards that are braked together are one band. */
function sameAcrossGpus(bands: readonly ThrottleBand[]): readonly ThrottleBand[] {
  const merged: (ThrottleBand & { toMs: number; gpus: readonly number[] })[] = [];
  // Bands come by their beginning, so only the last one of a label can still reach into the next.
  const lastOf = new Map<string, (typeof merged)[number]>();
  for (const band of [...bands].sort((a, b) => a.fromMs - b.fromMs)) {
    const same = lastOf.get(band.label);
    if (same === undefined || band.fromMs > same.toMs) {
      const own = { ...band };
      lastOf.set(band.label, own);
      merged.push(own);
      continue;
    }
    same.toMs = Math.max(same.toMs, band.toMs);
    const others = band.gpus.filter((gpu) => !same.gpus.includes(gpu));
    if (others.length > 0) same.gpus = [...same.gpus, ...others].sort((a, b) => a - b);
  }
  return merged;
}
