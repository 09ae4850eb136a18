import type { KernelGpuEvent } from '../../shared/probes/xid.ts';
import { gpuKeyOf, type BoxGpuFacts, type GpuKey } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryMark } from '../../shared/telemetry/mark.ts';

/** More than a kernel log's events of one boot; beyond, the oldest are forgotten and may be told twice. */
const MAX_KNOWN = 5000;
/** Two sources round times differently; the same event is not further apart. */
const SAME_WITHIN_MS = 5000;

/** Turns what is new in the kernel log into marks. */
export class KernelMarks {
  readonly #known = new Set<string>();
  /** Of every card that was ever seen in this box: a lost one is listed no more, and its Xids come after that. */
  readonly #own = new Map<string, GpuKey>();
  readonly #wasNoted: (mark: TelemetryMark) => boolean;

  /** `wasNoted`: whether an earlier session has kept this mark already. */
  constructor(wasNoted: (mark: TelemetryMark) => boolean) {
    this.#wasNoted = wasNoted;
  }

  next({ atMs, gpus, kernelLog, machine }: BoxGpuFacts): readonly TelemetryMark[] {
    const marks: TelemetryMark[] = [];
    for (const { index, uuid, pciAddress } of gpus) {
      if (pciAddress !== null) this.#own.set(pciAddress, gpuKeyOf(index, uuid));
    }
    for (const event of kernelLog.events) {
      const key = `${machine.bootId ?? ''} ${event.line}`;
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      if (this.#known.size > MAX_KNOWN) {
        for (const oldest of this.#known) {
          this.#known.delete(oldest);
          break;
        }
      }
      const gpu = event.address === null ? undefined : this.#own.get(event.address);
      // In a container the log may be the host's, with what happened to other tenants' cards (facts/nvidia.md §5.3).
      const isForeign = machine.isContainer === true && event.address !== null && gpu === undefined;
      if (isForeign && this.#own.size > 0) continue;
      const mark = toMark(event, {
        atMs: timeOf(event, machine.uptimeS, atMs),
        gpu: gpu ?? null,
      });
      if (!this.#wasNoted(mark)) marks.push(mark);
    }
    return marks;
  }
}

/** Whether two marks are the same event, told by two looks or two sessions. */
export function isSameMark(a: TelemetryMark, b: TelemetryMark): boolean {
  return a.kind === b.kind && a.code === b.code && Math.abs(a.atMs - b.atMs) <= SAME_WITHIN_MS;
}

/** Seconds since the boot are the only time in a kernel log that no clock setting changes. */
function timeOf({ uptimeS }: KernelGpuEvent, nowUptimeS: number | null, atMs: number): number {
  if (uptimeS === null || nowUptimeS === null || uptimeS > nowUptimeS) return atMs;
  return Math.round(atMs - (nowUptimeS - uptimeS) * 1000);
}

function toMark(
  event: KernelGpuEvent,
  { atMs, gpu }: { readonly atMs: number; readonly gpu: string | null },
): TelemetryMark {
  const base = { atMs, gpu, clue: event.line };
  switch (event.kind) {
    case 'xid':
      if (event.recoveryTo === 'none') {
        return {
          ...base,
          kind: 'gpu-back',
          code: null,
          text: 'The driver asks for no recovery of this GPU any more.',
        };
      }
      return {
        ...base,
        kind: 'xid',
        code: event.code,
        text: `Xid ${String(event.code)}: ${event.text}`,
      };
    case 'sxid':
      return {
        ...base,
        kind: 'sxid',
        code: event.code,
        text: `SXid ${String(event.code)}: ${event.text}`,
      };
    case 'loss':
      return { ...base, kind: 'gpu-lost', code: null, text: 'The kernel says that a GPU is gone.' };
    case 'init-failed':
      return { ...base, kind: 'gpu-lost', code: null, text: 'The driver could not start a GPU.' };
  }
}
