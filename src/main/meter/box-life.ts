import type { BoxLife } from '../../shared/meter/interval.ts';
import type { MachineFacts } from '../../shared/telemetry/gpu-facts.ts';

/** The clock ticks in which Linux tells when a process began, on every machine that has GPUs. */
const TICK_MS = 10;

/**
 * Since when the box has been up: where it is a container, since its first process began. Of the host's uptime alone nothing
 * follows for a container that was stopped meanwhile.
 */
export function lifeOf({
  bootId,
  uptimeS,
  initStartTicks,
  isContainer,
}: MachineFacts): BoxLife | null {
  if (uptimeS === null) return null;
  if (isContainer === true && initStartTicks === null) return null;
  const upForMs = Math.round(uptimeS * 1000) - (initStartTicks ?? 0) * TICK_MS;
  if (upForMs < 0) return null;
  return { id: bootId === null ? null : `${bootId}/${initStartTicks ?? ''}`, upForMs };
}
