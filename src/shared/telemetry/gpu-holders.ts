import type { Plan } from '../plan/plan.ts';
import type { NumberedProcess } from '../runs/process-ref.ts';
import type { Tristate } from './gpu-facts.ts';

/** Why Leasehold does not end a process, whatever a person says. */
export type HolderGuard =
  | 'init'
  /** Leasehold's own session on the box, up to its sshd. */
  | 'own-session'
  /** The driver's own helper: it holds the node without memory (facts/nvidia.md §5.5). */
  | 'driver-service'
  /** When it began is not told: the number alone could be another process's by now. */
  | 'no-identity'
  /** It has ended already; only its parent can take it off the list. */
  | 'zombie';

/** A process that has a GPU's device node open. Null: the box does not tell. */
export interface GpuHolder extends NumberedProcess {
  /** The numbers of its device nodes, /dev/nvidia<n>. */
  readonly nodes: readonly number[];
  /** UUIDs of the cards behind those nodes, where the box tells. */
  readonly gpus: readonly string[];
  readonly user: string | null;
  /** Whether it runs as the user that Leasehold is logged in as; only root may end other users' processes. */
  readonly mayBeEnded: Tristate;
  /** The kernel's letter: R, S, D, Z, T … */
  readonly state: string | null;
  readonly command: string | null;
  readonly ageS: number | null;
  readonly parentPid: number | null;
  /** Null: the parent is not visible, or process 1 took over from one that died. */
  readonly parentCommand: string | null;
  /** Whether nvidia-smi lists it: then it is no leftover but a job that the driver knows. */
  readonly isListed: Tristate;
  readonly guard: HolderGuard | null;
}

/** What a card holds at that moment. */
export interface HeldCard {
  readonly index: number;
  readonly uuid: string;
  readonly memoryUsedMiB: number | null;
  readonly memoryTotalMiB: number | null;
}

/** One look at who has the device nodes open. */
export type HoldersLook = {
  readonly atMs: number;
  readonly cards: readonly HeldCard[];
} & (
  | {
      readonly kind: 'known';
      readonly way: 'fuser' | 'lsof' | 'proc';
      readonly holders: readonly GpuHolder[];
      /** Null: everything in this box was seen. Other containers never are. */
      readonly incomplete: string | null;
    }
  | { readonly kind: 'unknown'; readonly because: string }
);

/** Those of a look may be ended that it lists without a guard, by what it was kept as. */
export type ListedHolders = HoldersLook & { readonly plan: Plan };

export type EndSignal = 'TERM' | 'KILL';

/** What became of one process that was to end. */
export type EndOutcome =
  | 'ended'
  /** Had ended by itself before the signal. */
  | 'gone'
  /** Another process has this number by now. It was left alone. */
  | 'other'
  /** It belongs to another user. */
  | 'denied'
  | 'protected'
  /** Still there after the wait. */
  | 'left';

export interface EndedProcess {
  readonly pid: number;
  readonly outcome: EndOutcome;
  /** The kernel's letter of one that is left: D waits inside the driver, where no signal reaches it. */
  readonly state: string | null;
}

export interface EndReport {
  readonly signal: EndSignal;
  readonly processes: readonly EndedProcess[];
  /** Read back afterwards; a problem of its own does not undo what was done. */
  readonly after: ListedHolders | null;
}

/** As many as a person can read in one question. */
export const MAX_ENDED_AT_ONCE = 16;
