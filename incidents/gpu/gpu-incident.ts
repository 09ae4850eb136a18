import type { Incident } from '../incident.ts';
import type { DmonCells } from './dmon-text.ts';

/** One card in nvidia-smi's own words: what it says other than a recorded H100 under load. */
export interface Card {
  readonly index?: number;
  /** Which card it is, where its index says another. */
  readonly slot?: number;
  readonly isLost?: boolean;
  readonly fields?: Readonly<Record<string, string | number>>;
  readonly dmon?: DmonCells | ((second: number, index: number) => DmonCells);
}

export const ONE_CARD: readonly Card[] = [{}];

export interface CpuState {
  /** Null: no limit. */
  readonly quotaCpus: number | null;
  readonly hostCpus: number;
  readonly usedCpus: number;
  readonly throttledPct: number;
  readonly threads: number;
}

/** A slice of a machine on which a job feeds its cards without trouble. */
export const CALM_CPU: CpuState = {
  quotaCpus: 16,
  hostCpus: 64,
  usedCpus: 5.5,
  throttledPct: 2,
  threads: 40,
};

export interface GpuHolder {
  readonly gpu: number;
  readonly pid: number;
  readonly name: string;
  readonly memoryMiB: number | '[N/A]';
}

export interface GpuBoxState {
  readonly cards?: readonly Card[];
  readonly processes?: readonly GpuHolder[] | 'not-told';
  /** As `dmesg` prints it; null: it is closed to this user. */
  readonly kernelLog?: string | null;
  /** What nvidia-smi says in place of everything, and its exit code. */
  readonly tool?: 'works' | 'missing' | { readonly says: string; readonly code: number };
  /** What the control group grants and counts. `no-group`: it is not shown, the host's figures are; null: neither. */
  readonly cpu?: CpuState | 'no-group' | null;
  readonly isContainer?: boolean;
  readonly bootId?: string;
  readonly uptimeS?: number;
  readonly initStartS?: number;
  /** `dmon` keeps silent, as one that waits for its driver. */
  readonly isStreamSilent?: boolean;
  readonly isLinkDown?: boolean;
}

export interface GpuIncident extends Incident {
  /** How long it is looked at. */
  readonly seconds: number;
  readonly box: GpuBoxState;
  /** What is otherwise from a second on; each on top of the one before. */
  readonly later?: readonly { readonly fromS: number; readonly box: GpuBoxState }[];
}
