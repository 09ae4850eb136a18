import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';

/** `NVIDIA A100-SXM4-80GB` → `A100-SXM4-80GB`. */
export function gpuModel(name: string): string {
  return name.replace(/^NVIDIA\s+/, '');
}

/** What fits into a narrow row: `A100`, `H100`, `RTX 4090`, `T4`. */
export function gpuShortName(name: string): string {
  const model = gpuModel(name).replace(/^(?:GeForce|Tesla|Quadro)\s+/, '');
  return /^(?:RTX|GTX) \w+/.exec(model)?.[0] ?? model.split(/[\s-]/)[0] ?? model;
}

/** `2× A100-SXM4-80GB`, `1× T4 + 1× L40S`; says so when it is not known. */
export function describeGpus(
  gpus: readonly GpuFacts[] | null,
  nameOf: (name: string) => string = gpuModel,
): string {
  if (gpus === null) return 'GPUs not read';
  if (gpus.length === 0) return 'no GPU';
  const counts = new Map<string, number>();
  for (const { name } of gpus) counts.set(nameOf(name), (counts.get(nameOf(name)) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count}× ${name}`).join(' + ');
}

/** The second line of a box: `Demo box · 2× A100`; the platform alone where that is all that is known. */
export function describeBox({ box, gpus }: Pick<FleetEntry, 'box' | 'gpus'>): string {
  const platform = platformName(box.platform);
  return gpus === null ? platform : `${platform} · ${describeGpus(gpus, gpuShortName)}`;
}
