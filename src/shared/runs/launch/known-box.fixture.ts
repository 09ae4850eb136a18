import { ok } from '../../result.ts';
import { NO_GPU_FACTS } from '../../telemetry/gpu-facts.ts';
import type { KnownBox } from './known-box.ts';

/** Of a box of which nobody has seen anything. */
export function nothingKnown(part: Partial<KnownBox> = {}): KnownBox {
  return {
    nowMs: 0,
    platform: null,
    profile: null,
    accelerators: [],
    traps: [],
    gpus: NO_GPU_FACTS,
    gpuProblem: null,
    findings: [],
    idleStopAtMs: null,
    clocks: [],
    rehearsals: [],
    runs: [],
    results: { folders: () => ok([]), proof: () => Promise.resolve(ok(null)) },
    pushes: [],
    charges: null,
    ...part,
  };
}
