import type { BesideLook } from './beside-look.ts';
import type { MeasuredMount } from '../mounts/mount.ts';
import type { OomKill } from '../probes/oom-kill.ts';
import type { KernelGpuEvent } from '../probes/xid.ts';
import type { CpuCounters } from '../telemetry/cpu-look.ts';
import type { RunEndLine } from '../runs/launch/run-end-line.ts';
import type { ProcessInLook } from '../runs/process-ref.ts';
import type { RunProcess } from '../runs/run.ts';
import type { MachineFacts } from '../telemetry/gpu-facts.ts';

/** What one look of resources/onbox/patrol.sh brought. Null in a field: the box did not tell. */
export interface PatrolLook {
  /** This machine's time when the box had answered. */
  readonly atMs: number;
  readonly machine: Omit<MachineFacts, 'cudaMaxVersion'>;
  readonly cpu: CpuCounters | null;
  /** Share of the last minute in which something in the box's own group waited for a CPU. */
  readonly cpuStalledPct: number | null;
  readonly memory: MemoryLook | null;
  readonly processes: ProcessTable;
  readonly runs: readonly RunInLook[];
  /** Logs of runs that were seen before, by their paths: also when their runs are gone. Not there: the log is not, either. */
  readonly knownLogs: ReadonlyMap<string, LogInLook>;
  /** How launched runs that were seen before ended, as their run folders keep it; by the paths of their logs. */
  readonly keptEnds: ReadonlyMap<string, RunEndLine>;
  /** What the runs have written lately, the newest first. */
  readonly artefacts: readonly Artefact[];
  readonly panes: readonly TmuxPane[];
  /** What can be written to and is not the system's own. Empty: none was told. */
  readonly mounts: readonly MeasuredMount[];
  /** Mounts beyond the bound, which nobody asked. */
  readonly mountsLeftOut: number;
  /** What a full disk is full of; null: no disk is nearly full, so nobody looked. */
  readonly fills: FillsLook | null;
  readonly kernel: KernelLook;
  /** The cards that the driver shows to this box, as `normalPciAddress` writes them; empty: it does not tell. */
  readonly cardAddresses: readonly string[];
  readonly beside: BesideLook;
  /** What waits for something else on the box: `tail -f`, loops that sleep. */
  readonly waiters: readonly WaiterLook[];
  /** False: the output ended in the middle, so what is missing from it says nothing. */
  readonly isWhole: boolean;
  /** How the box ended its answer, and its last words over it; null: not known. */
  readonly ending: string | null;
  /** There is more on the box than this look tells. */
  readonly isCut: boolean;
  readonly unreadable: readonly string[];
}

export const endedInTheMiddle = ({ ending }: Pick<PatrolLook, 'ending'>): string =>
  `ended in the middle${ending === null ? '' : ` (${ending})`}`;

/** Memory of the box's own control group, or of the whole machine where it has none. */
export interface MemoryLook {
  readonly limitBytes: number | 'unlimited' | null;
  /** Without page cache that gives way. */
  readonly usedBytes: number | null;
  /** Processes that the kernel ended for want of memory, since the start of the group. */
  readonly oomKills: number | null;
  /** The same of the whole machine, the neighbours' too. */
  readonly hostOomKills: number | null;
  /** The limit is below what the machine has: others may use the rest. */
  readonly isPartOfHost: boolean;
  /** The box is the machine: it sees the kernel's own threads, and what is counted of the machine is its own. */
  readonly isWholeMachine: boolean;
  /** Share of the last minute in which something in the group waited for memory. */
  readonly stalledPct: number | null;
  /** Of the whole machine, the neighbours' use too. */
  readonly hostUsedPct: number | null;
}

/** What the kernel's log says that it had not said at the look before. */
export interface KernelLook {
  /** Null: it could be read. An unreadable log rules nothing out. */
  readonly closedBecause: string | null;
  readonly oomKills: readonly OomKill[];
  readonly gpuEvents: readonly KernelGpuEvent[];
  /** Seconds since the kernel's start, of its first and its last line; null: the lines have no stamps, or there are none. */
  readonly fromS: number | null;
  readonly toS: number | null;
  /** Lines that tell of faults beyond the bound. */
  readonly leftOut: number;
}

export interface FillsLook {
  /** Where the model cache really lies; `none`: there is none. Null: it did not say. */
  readonly cacheFolder: `/${string}` | 'none' | null;
  /** The largest models in it, the largest first. */
  readonly models: readonly NamedBytes[];
  /** `.snap` files of 10 MB and more where the platform keeps its snapshots. */
  readonly snapshots: readonly NamedBytes[];
}

export interface NamedBytes {
  /** Hostile. */
  readonly path: string;
  readonly bytes: number;
}

/** The file that a `tail` goes on reading. */
export interface FollowedFile {
  /** Hostile. */
  readonly path: string;
  readonly modifiedAtS: number;
  /** Some process that could be seen has it open to write to. */
  readonly isWritten: boolean;
}

export interface WaiterLook extends ProcessInLook {
  readonly ageS: number | null;
  /** Hostile, and cut to 2,000 characters. */
  readonly command: string;
  /** Somebody may be looking at it. */
  readonly hasTerminal: boolean | null;
  /** Null: it follows none, or could not be asked. */
  readonly follows: FollowedFile | null;
}

export interface ProcessTable {
  readonly rows: readonly ProcessRow[];
  /** False: none was told, or not all. */
  readonly isWhole: boolean;
  /** It came, and nothing stands in it: the box has none to tell. */
  readonly isEmpty?: true;
}

export interface ProcessRow extends ProcessInLook {
  readonly parentPid: number;
  readonly sessionPid: number;
  readonly hasTerminal: boolean;
  /** R, S, D, Z, T …; D: waits for a disk or a driver and hears no signal. */
  readonly state: string;
  readonly cpuTicks: number;
  readonly threads: number;
  /** Memory that it has at hand, also what it shares; null: not told. */
  readonly residentBytes: number | null;
  /** Hostile. */
  readonly name: string;
}

/** A run as a look told of it. Its command is cut to 2,000 characters. */
export interface RunInLook extends Omit<RunProcess, 'sinceMs'> {
  readonly ageS: number | null;
  /** How many arguments that is, its name with them: with it a blank inside of one shows. */
  readonly argumentCount: number | null;
  /** Hostile. The file that runs: of an interpreter, that of its environment. */
  readonly program: string | null;
  /** What its environment sends everything through: the host of a platform's accelerator, "other" or "none". Null: could not be read. */
  readonly proxy: string | null;
  /** What its environment says of an experiment tracker; `unset`: it has one, in no named mode. Null: could not be read. */
  readonly tracker: 'online' | 'offline' | 'disabled' | 'unset' | 'none' | null;
  /** Which of the keys that a tracker or a hub asks for its environment has. Names of ours, never a value. */
  readonly keys: readonly string[];
  /** CPU time of it and of all below it that live, in clock ticks. */
  readonly cpuTicks: number | null;
  readonly logs: readonly LogInLook[];
}

export interface LogInLook {
  readonly stream: 'output' | 'errors' | null;
  /** Hostile. */
  readonly path: string;
  /** Moved away or deleted while the run still writes to it. */
  readonly isDeleted: boolean;
  readonly modifiedAtS: number;
  readonly bytes: number;
  readonly inode: number;
  /** Its last 6 KB. Hostile. Null: could not be read in time. */
  readonly end: string | null;
  /** What a tracker said in its first 128 KB, at most three lines. Hostile. Null: was not asked, or could not be read. */
  readonly start: string | null;
}

export interface Artefact {
  readonly path: string;
  /** `partial`: a file that a save renames when it is whole; `tracker`: the folder of one tracked run. */
  readonly kind: 'checkpoint' | 'partial' | 'events' | 'tracker' | 'done' | 'failed';
  readonly modifiedAtS: number;
  readonly bytes: number;
}

export interface TmuxPane {
  readonly session: string;
  readonly createdAtS: number;
  readonly pid: number;
  readonly isDead: boolean;
  /** Of a dead pane that was kept. */
  readonly exitCode: number | null;
}
