import type { LineSource } from '../detectors/finding.ts';
import type { KernelLineTime } from '../probes/kernel-line.ts';
import type { PatrolLook, LogInLook } from './patrol-look.ts';

/** A time of the box's clock by this machine's. */
export function ownTime(boxSeconds: number, { machine }: Pick<PatrolLook, 'machine'>): number {
  return boxSeconds * 1000 - (machine.clockOffsetMs ?? 0);
}

/** Its lines bear no time that could be trusted, so it is that of the file. */
export function fromLog(
  { path, modifiedAtS }: Pick<LogInLook, 'path' | 'modifiedAtS'>,
  look: Pick<PatrolLook, 'machine'>,
): LineSource {
  return { file: path, atMs: Math.round(ownTime(modifiedAtS, look)) };
}

export function fromKernelLog(
  { uptimeS }: Pick<KernelLineTime, 'uptimeS'>,
  {
    atMs,
    machine,
  }: { readonly atMs: number; readonly machine: { readonly uptimeS: number | null } },
): LineSource {
  const file = 'kernel log';
  const agoS = uptimeS === null || machine.uptimeS === null ? -1 : machine.uptimeS - uptimeS;
  // A container may have an uptime of its own, and the log be the host's: then the two cannot be compared.
  return agoS < 0 ? { file } : { file, atMs: Math.round(atMs - agoS * 1000) };
}
