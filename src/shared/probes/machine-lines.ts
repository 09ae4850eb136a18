import type { MachineFacts } from '../telemetry/gpu-facts.ts';
import { readBootId, readUptimeS, whole, type Pairs } from './word-lines.ts';

/** Reads the lines of parts/machine.sh. `clock`: this machine's time when the box was asked and when it had answered. */
export function readMachine(
  pairs: Pairs,
  { askedAtMs, answeredAtMs }: { readonly askedAtMs: number; readonly answeredAtMs: number },
): Omit<MachineFacts, 'cudaMaxVersion'> {
  const nowS = whole(pairs.get('now')?.[0]);
  return {
    bootId: readBootId(pairs),
    uptimeS: readUptimeS(pairs),
    initStartTicks: whole(pairs.get('init_start')?.[0]),
    clockOffsetMs: nowS === null ? null : nowS * 1000 - (askedAtMs + answeredAtMs) / 2,
    isContainer: pairs.get('container')?.[0] === 'yes' ? true : null,
  };
}
