import type { GpuToolFailure } from './gpu-tool-failure.ts';
import type { QueryRow } from './query.ts';

/** The forms of nvidia-smi that show whole cards, other than CSV. */
export type CardReportForm = 'details' | 'xml' | 'table' | 'list';

/** A part of a card under MIG. It is no GPU: power, temperature and clocks are the card's (facts/nvidia.md §1.2). */
export interface MigInstance {
  /** The card's place in the text, as in `CardReport.rows`. */
  readonly card: number;
  readonly device: number | null;
  readonly gpuInstance: number | null;
  readonly computeInstance: number | null;
  /** `3g.40gb`; only the list says it. */
  readonly profile: string | null;
  readonly uuid: string | null;
  /** Shared by all compute instances of one GPU instance: not to be added up. */
  readonly memoryUsedMiB: number | null;
  readonly memoryTotalMiB: number | null;
  readonly multiprocessors: number | null;
}

export interface ListedProcess {
  readonly card: number;
  readonly pid: number | null;
  /** `C`, `G`, `C+G`. */
  readonly type: string | null;
  readonly name: string | null;
  readonly memoryMiB: number | null;
  /** Null: the whole card's, or not told. */
  readonly gpuInstance: number | null;
  readonly computeInstance: number | null;
}

/** What one text says of cards, under the names of `--query-gpu`; what has none keeps its own, with `/` between its parts. */
export interface CardReport {
  readonly rows: readonly QueryRow[];
  readonly instances: readonly MigInstance[];
  readonly processes: readonly ListedProcess[];
  /** False: the text is a part that does not list processes, so that none is not "none". */
  readonly listsProcesses: boolean;
  readonly driverVersion: string | null;
  readonly cudaVersion: string | null;
  /** How many cards the driver has, where the text says so: it may show fewer of them. */
  readonly attachedGpus: number | null;
  readonly failures: readonly GpuToolFailure[];
  readonly unreadable: readonly string[];
  readonly unreadableCount: number;
}

/** More than any box has, also where `-l` repeats them for minutes; what comes after is unreadable. */
export const MAX_CARDS = 4096;
export const MAX_PER_CARD = 2000;
