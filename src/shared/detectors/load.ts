import { NAME_NOT_TOLD } from '../telemetry/gpu-facts.ts';
import { IDLE_MEMORY_MIB } from '../telemetry/hidden-memory.ts';
import type { BoxView, GpuView } from './view.ts';

/** `[N/A]`, `Disabled` or not asked: one card; with MIG the load of the whole card is not told (facts/nvidia.md §1.2). */
export function isMig({ details }: GpuView): boolean {
  return details?.migMode === 'Enabled';
}

export const TOO_FEW_READINGS = 'there are not yet enough readings in a row';

/** Why the load of a card is not known, in words for people. */
export function whyNoLoad(gpu: GpuView): string {
  if (gpu.recent === null) return TOO_FEW_READINGS;
  return isMig(gpu) ? 'MIG is on, and the driver tells no load then' : 'the SM load is not known';
}

/** A video job: SM stays low while the coders are full (recorded: enc 59–100 %, sm 7–10 %). */
const VIDEO_FROM_PCT = 20;

export function isVideoJob({ recent }: GpuView): boolean {
  const coders = [recent?.mean('encoderPct') ?? 0, recent?.mean('decoderPct') ?? 0];
  return Math.max(...coders) >= VIDEO_FROM_PCT;
}

export function usedMemoryMiB({ recent, details }: GpuView): number | null {
  return recent?.latest?.memoryUsedMiB ?? details?.memoryUsedMiB ?? null;
}

/** Whether a job holds memory on the card; null: not known. */
export function holdsMemory(gpu: GpuView): boolean | null {
  if (gpu.processes !== null && gpu.processes.length > 0) return true;
  const usedMiB = usedMemoryMiB(gpu);
  return usedMiB === null ? null : usedMiB >= IDLE_MEMORY_MIB;
}

/** CPUs' worth of time from which something works: more than monitors and an idle notebook take. */
const WORKING_FROM_CPUS = 0.5;

/** Whether programs of this box use the CPU; null: not known. */
export function isCpuWorking({ cpu }: BoxView): boolean | null {
  if (cpu === null || cpu.usedCpus === null) return null;
  return cpu.usedCpus >= WORKING_FROM_CPUS;
}

/** A GeForce promises clocks that it never holds: it is measured against its own best (facts/nvidia.md §4). */
export function fullClockMHz({ details, bestClockMHz }: GpuView): number | null {
  if (details === null) return null;
  // A card whose name is not told may be one.
  if (details.name === NAME_NOT_TOLD || /GeForce/i.test(details.name)) return bestClockMHz;
  return details.maxSmClockMHz;
}

/** How much of the clock is missing, 0 to 1; null: there is nothing to compare with. */
export function lostClock(gpu: GpuView): number | null {
  const clockMHz = gpu.recent?.mean('smClockMHz') ?? null;
  const fullMHz = fullClockMHz(gpu);
  if (clockMHz === null || fullMHz === null || fullMHz <= 0) return null;
  return Math.max(0, 1 - clockMHz / fullMHz);
}

export function powerShare({ recent, details }: GpuView): number | null {
  const powerW = recent?.mean('powerW') ?? null;
  const limitW = details?.enforcedPowerLimitW ?? details?.powerLimitW ?? null;
  return powerW === null || limitW === null || limitW <= 0 ? null : powerW / limitW;
}

export function percent(share: number): string {
  return `${String(Math.round(share * 100))} %`;
}

export function gibibytes(mebibytes: number): string {
  return `${(mebibytes / 1024).toFixed(1)} GiB`;
}
