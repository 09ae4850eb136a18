import type { GpuModelName } from '../../../shared/demo/gpu-models.ts';
import { gpuModels, type GpuModel } from './model-figures.ts';
import { cardDetails, type CardDetails } from './card-details.ts';

/** What the job on the cards is doing: `held` is a stopped process, which keeps its memory. */
export type Load = 'idle' | 'starting' | 'training' | 'saving' | 'held';

export interface GpuInputs {
  readonly load: Load;
  readonly isThrottled: boolean;
  /** A process outside of the job holds memory. */
  readonly isHeldByStray?: boolean;
  readonly elapsedS: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** One simulated card at one moment. */
export interface GpuState {
  readonly index: number;
  readonly model: GpuModel;
  readonly card: CardDetails;
  /** What whoever owns the machine lets it draw. */
  readonly powerLimitW: number;
  readonly smPct: number;
  readonly memPct: number;
  /** Average over about a second, as dmon's `pwr`. */
  readonly powerW: number;
  readonly instantPowerW: number;
  readonly temperatureC: number;
  readonly memoryTemperatureC: number | null;
  readonly smClockMHz: number;
  readonly memoryClockMHz: number;
  readonly memoryUsedMiB: number;
  readonly pcieRxMBps: number;
  readonly pcieTxMBps: number;
  readonly powerViolationPct: number;
  readonly isThrottled: boolean;
  readonly isPowerCapped: boolean;
  readonly isIdle: boolean;
  /** Seconds without work; clocks fall some time after the work ended. */
  readonly quietS: number;
  /** Totals since the driver was loaded. */
  readonly heldByHeatUs: number;
  readonly heldByBrakeUs: number;
  readonly heldByPowerCapUs: number;
}

/** Seconds in which power and temperature go two thirds of the way to where they are heading. */
const POWER_LAG_S = 0.8;
const HEAT_LAG_S = 20;

/** The L40S of the recordings kept its clocks for about four seconds after the work ended. */
const CLOCKS_STAY_UP_S = 3;

const THROTTLED_CLOCK_SHARE = 0.52;
const FULL_LOAD_POWER_SHARE = 0.9; // 631 W of 700 W in the recorded H100
const CLOCK_STEP_MHZ = 15;

export function createGpu(index: number, name: GpuModelName, limitShare = 1): GpuState {
  const model = gpuModels[name];
  const card = cardDetails[name];
  return {
    index,
    model,
    card,
    powerLimitW: Math.round(model.powerLimitW * limitShare),
    smPct: 0,
    memPct: 0,
    powerW: model.idlePowerW,
    instantPowerW: model.idlePowerW,
    temperatureC: card.coolC[0] + (index % 4),
    memoryTemperatureC: card.memoryC === null ? null : card.memoryC[0] + (index % 4),
    smClockMHz: model.idleSmClockMHz,
    memoryClockMHz: card.idleMemoryClockMHz ?? model.memoryClockMHz,
    memoryUsedMiB: 0,
    pcieRxMBps: 0,
    pcieTxMBps: 0,
    powerViolationPct: 0,
    isThrottled: false,
    isPowerCapped: false,
    isIdle: true,
    quietS: CLOCKS_STAY_UP_S,
    heldByHeatUs: 0,
    heldByBrakeUs: 0,
    heldByPowerCapUs: 0,
  };
}

/** The card some time later, under this load. */
export function advanceGpu(gpu: GpuState, inputs: GpuInputs): GpuState {
  const { load, elapsedS, random } = inputs;
  const { model, card, powerLimitW } = gpu;
  const hasWork = load === 'starting' || load === 'training' || load === 'saving';
  const quietS = hasWork ? 0 : gpu.quietS + elapsedS;
  const isThrottled = inputs.isThrottled && hasWork;
  const isPowerCapped = card.isPowerCapped && load === 'training' && !isThrottled;

  const smPct = drawSmPct(load, random);
  const memPct = Math.round(smPct * (0.3 + 0.12 * random()));
  const smClockMHz = selectSmClock(gpu, quietS, isThrottled);
  const clockShare = smClockMHz / (model.maxSmClockMHz * card.sustainedClockShare);

  const fullW = powerLimitW * (card.isPowerCapped ? 0.995 : FULL_LOAD_POWER_SHARE);
  const drawn = (fullW - model.idlePowerW) * (smPct / 100) ** 0.8 * Math.min(1, clockShare) ** 1.4;
  const instantPowerW = model.idlePowerW + drawn * (0.98 + 0.04 * random());
  const powerW = approach(gpu.powerW, instantPowerW, elapsedS, POWER_LAG_S);

  const warmth = Math.max(0, (powerW - model.idlePowerW) / (fullW - model.idlePowerW));
  const [coolest, warmest] = card.coolC;
  // A throttled card got hot for another reason than its own power: the air around it.
  const headingC = isThrottled ? hottest(card) + 1 : coolest + (warmest - coolest) * warmth;
  const spread = gpu.index % 4;

  return {
    ...gpu,
    smPct,
    memPct,
    powerW,
    instantPowerW,
    temperatureC: approach(gpu.temperatureC, headingC + spread, elapsedS, HEAT_LAG_S),
    memoryTemperatureC: advanceMemoryTemperature(gpu, warmth, elapsedS),
    smClockMHz,
    memoryClockMHz: selectMemoryClock(gpu, quietS),
    memoryUsedMiB: advanceMemoryUsed(gpu, inputs),
    pcieRxMBps: Math.round((smPct / 100) * (900 + 500 * random())),
    pcieTxMBps: Math.round((smPct / 100) * (250 + 150 * random())),
    powerViolationPct: isThrottled
      ? Math.round(35 + 20 * random())
      : isPowerCapped
        ? Math.round(8 + 10 * random())
        : 0,
    isThrottled,
    isPowerCapped,
    isIdle: !hasWork,
    quietS,
    heldByHeatUs: gpu.heldByHeatUs + (isThrottled ? elapsedS * 1e6 : 0),
    heldByBrakeUs: gpu.heldByBrakeUs + (isThrottled ? elapsedS * 0.4e6 : 0),
    heldByPowerCapUs: gpu.heldByPowerCapUs + (isPowerCapped ? elapsedS * 1e6 : 0),
  };
}

/** Now and then the data loader keeps a training card waiting for a moment. */
function drawSmPct(load: Load, random: () => number): number {
  switch (load) {
    case 'idle':
    case 'held':
      return 0;
    case 'starting':
      return Math.round(10 + 50 * random());
    case 'saving':
      return Math.round(4 + 14 * random());
    case 'training':
      return random() < 0.03 ? Math.round(45 + 25 * random()) : Math.round(93 + 7 * random());
  }
}

function selectSmClock(gpu: GpuState, quietS: number, isThrottled: boolean): number {
  const { model, card } = gpu;
  if (quietS >= CLOCKS_STAY_UP_S) return model.idleSmClockMHz;
  const share = isThrottled ? THROTTLED_CLOCK_SHARE : card.sustainedClockShare;
  return Math.round((model.maxSmClockMHz * share) / CLOCK_STEP_MHZ) * CLOCK_STEP_MHZ;
}

function selectMemoryClock({ model, card }: GpuState, quietS: number): number {
  if (card.idleMemoryClockMHz === null) return model.memoryClockMHz;
  return quietS > CLOCKS_STAY_UP_S ? card.idleMemoryClockMHz : model.memoryClockMHz;
}

function advanceMemoryTemperature(gpu: GpuState, warmth: number, elapsedS: number): number | null {
  if (gpu.memoryTemperatureC === null || gpu.card.memoryC === null) return null;
  const [coolest, warmest] = gpu.card.memoryC;
  const headingC = coolest + (warmest - coolest) * warmth + (gpu.index % 4);
  return approach(gpu.memoryTemperatureC, headingC, elapsedS, HEAT_LAG_S);
}

/** Memory fills while the job starts and is free the moment its process is gone. */
function advanceMemoryUsed(
  gpu: GpuState,
  { load, isHeldByStray = false, elapsedS }: GpuInputs,
): number {
  if (load === 'idle' && !isHeldByStray) return 0;
  const usable = gpu.model.memoryTotalMiB - gpu.card.reservedMiB;
  const fullMiB = Math.round(usable * (0.61 + 0.004 * (gpu.index % 5)));
  return Math.min(fullMiB, Math.round(gpu.memoryUsedMiB + fullMiB * 0.35 * elapsedS));
}

/** The temperature at which this card begins to slow itself down. */
function hottest({ limits }: CardDetails): number {
  return limits.kind === 'margin' ? limits.maxOperatingC - limits.slowdownC : limits.slowdownC;
}

function approach(from: number, to: number, elapsedS: number, lagS: number): number {
  return to + (from - to) * Math.exp(-elapsedS / lagS);
}
