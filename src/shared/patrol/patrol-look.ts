import type { CpuCounters } from '../telemetry/cpu-look.ts';
import type { MachineFacts } from '../telemetry/gpu-facts.ts';

/** What one look of resources/onbox/patrol.sh brought. Null in a field: the box did not tell. */
export interface PatrolLook {
  /** This machine's time when the box had answered. */
  readonly atMs: number;
  readonly machine: Omit<MachineFacts, 'cudaMaxVersion'>;
  readonly cpu: CpuCounters | null;
  readonly memory: MemoryLook | null;
  readonly processes: ProcessTable;
  readonly runs: readonly RunLook[];
  /** Logs of runs that were seen before, by their paths: also when their runs are gone. Not there: the log is not, either. */
  readonly knownLogs: ReadonlyMap<string, RunLog>;
  /** What the runs have written lately, the newest first. */
  readonly artefacts: readonly Artefact[];
  readonly panes: readonly TmuxPane[];
  /** False: the output ended in the middle, so what is missing from it says nothing. */
  readonly isWhole: boolean;
  /** There is more on the box than this look tells. */
  readonly isCut: boolean;
  readonly unreadable: readonly string[];
}

/** Memory of the box's own control group, or of the whole machine where it has none. */
export interface MemoryLook {
  readonly limitBytes: number | 'unlimited' | null;
  /** Without page cache that gives way. */
  readonly usedBytes: number | null;
  /** Processes that the kernel ended for want of memory, since the start of the group. */
  readonly oomKills: number | null;
  /** The same of the whole machine, the neighbours' too. */
  readonly hostOomKills: number | null;
  /** Share of the last minute in which something in the group waited for memory. */
  readonly stalledPct: number | null;
}

export interface ProcessTable {
  readonly rows: readonly ProcessRow[];
  /** False: none was told, or not all. */
  readonly isWhole: boolean;
}

export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly sessionPid: number;
  readonly hasTerminal: boolean;
  /** R, S, D, Z, T …; D: waits for a disk or a driver and hears no signal. */
  readonly state: string;
  readonly cpuTicks: number;
  readonly threads: number;
  /** With the pid it names a process beyond doubt, within one life of the machine. */
  readonly startTicks: number;
  /** Hostile. */
  readonly name: string;
}

/** A process that writes its output to a file or holds a GPU: a run, as far as a box can tell. */
export interface RunLook {
  readonly pid: number;
  readonly startTicks: number;
  readonly ageS: number | null;
  readonly user: string | null;
  /** Hostile, and cut to 2,000 characters. */
  readonly command: string | null;
  /** How many arguments that is, its name with them: with it a blank inside of one shows. */
  readonly argumentCount: number | null;
  /** Hostile. The file that runs: of an interpreter, that of its environment. */
  readonly program: string | null;
  readonly folder: string | null;
  readonly holdsGpu: boolean;
  /** The end of its session does not end it: it ignores the hang-up signal, or has no terminal at all. */
  readonly survivesHangup: boolean | null;
  /** Python prints each line at once. */
  readonly isUnbuffered: boolean | null;
  readonly logs: readonly RunLog[];
  readonly tmuxSession: string | null;
}

export interface RunLog {
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
}

export interface Artefact {
  readonly path: string;
  readonly kind: 'checkpoint' | 'events' | 'done' | 'failed';
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
