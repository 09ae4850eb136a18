import type { MemoryLook } from '../../patrol/patrol-look.ts';
import type { CpuCounters } from '../../telemetry/cpu-look.ts';
import type { Detacher } from './launch-plan.ts';

/** What may be found where a folder is expected. */
export const PLACE_KINDS = ['missing', 'other', 'closed', 'unwritable', 'open', 'late'] as const;
/** `late`: whoever asked for it got no answer in time, as where it lies on a server that went away. */
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** `cron`: a line of the crontab is read there; else why none would be, or why it is left alone. */
export const CRON_KINDS = [
  'cron',
  'no-crontab',
  'no-daemon',
  'other-cron',
  'no-cmp',
  'unreadable',
  'demo',
] as const;
export type CronKind = (typeof CRON_KINDS)[number];

export interface CronLook {
  readonly kind: CronKind;
  /** False: not known. */
  readonly startsWithBox: boolean;
}

/** What a box says of a launch before it begins; null where it did not say. */
export interface RunPreflight {
  readonly home: string;
  /** Whether it shows this session's own processes: otherwise nothing that is started could be read back. */
  readonly hasTable: boolean;
  readonly detacher: Detacher;
  /** Its clock minus the one here, as near to nothing as it may be; null: not told. */
  readonly leastSkewMs: number | null;
  /** The one that the job will have. */
  readonly shell: string | null;
  /** Null also where nobody asked. */
  readonly cron: CronLook | null;
  /** Where the run folder goes, or what there is of the way to it. */
  readonly state: PlaceKind | null;
  /** Of the file system on which that lies, and with it the log. */
  readonly stateDisk: PlaceDisk | null;
  readonly stateRoom: Room | null;
  readonly folder: PlaceKind | null;
  readonly room: Room | null;
  readonly results: { readonly isThere: boolean; readonly kind: PlaceKind } | null;
  /** Of the file system that the results will lie on. */
  readonly resultsRoom: Room | null;
  /** The shell script that the command names. */
  readonly script: ScriptLook | null;
  /** Those that further cells name, by their names; what was not told is not among them. */
  readonly cellScripts: ReadonlyMap<string, ScriptLook>;
  readonly activate: 'passed' | 'failed' | null;
  /** Where the command's first word is found; empty: nowhere. */
  readonly found: string | null;
  /** The login shell did not answer in time. */
  readonly isLate: boolean;
  /** It ended, or became another program, before it came to what it was asked. */
  readonly loginEnds: boolean;
  readonly folderDisk: PlaceDisk | null;
  readonly resultsDisk: PlaceDisk | null;
  /** What there is of the way to where the results are copied. */
  readonly copy: PlaceKind | null;
  readonly copyDisk: PlaceDisk | null;
  readonly copyRoom: Room | null;
  /** Below the working folder, where it lies on a server; null: not counted. */
  readonly files: FileCount | null;
  /** The same of where the first step fetches data into, and of the disk that it will lie on; null: there is none, or it was not told. */
  readonly dataDisk: PlaceDisk | null;
  readonly dataRoom: Room | null;
  readonly dataFiles: FileCount | null;
  /** Folders that the request or its cells name besides, of those that the box told of. */
  readonly named: readonly NamedLook[];
  /** `x86_64`, `aarch64`. */
  readonly arch: string | null;
  readonly cpu: CpuCounters | null;
  readonly memory: MemoryLook | null;
  /** What processes can share at most (/dev/shm). */
  readonly sharedBytes: number | null;
  readonly packages: PackageFiles;
  /** Of programs that were asked for, whether the shell of the run finds them. */
  readonly programs: ReadonlyMap<string, boolean>;
  /** Names that are set in the login shell, of those that matter; null: it did not tell. Never a value. */
  readonly isSet: ReadonlySet<string> | null;
  /** Cards that the cells of queues have to themselves which run now, by their UUIDs. */
  readonly taken: ReadonlySet<string>;
  /** Scripts that run in the folder where code will be put; null: not asked, or not told. */
  readonly atWork: readonly ScriptAtWork[] | null;
  /** ~/.netrc knows the tracker's server. */
  readonly hasNetrc: boolean;
  /** What the tracker's server says of the key that the run would send; null: not asked, or not told. */
  readonly trackerKey: TrackerKey | null;
  /** Names that the container's first process was given, of those that matter; null: not asked, or closed to this user. */
  readonly podNames: readonly string[] | null;
  /** By the names that were asked for. */
  readonly secrets: ReadonlyMap<string, SecretLook>;
  /** In the order in which they were asked for; null: not told. */
  readonly routes: readonly (RouteLook | null)[];
  /** Null: nothing was asked, or Python did not start. */
  readonly python: PythonLook | null;
}

/** `returns`: with the line ends of Windows. */
export const SCRIPT_LOOKS = ['plain', 'returns', 'missing'] as const;
export type ScriptLook = (typeof SCRIPT_LOOKS)[number];

/** A script that a process has on its command line. */
export interface ScriptAtWork {
  readonly pid: number;
  readonly script: string;
}

/** Where a folder really lies. */
export interface PlaceDisk {
  readonly path: string;
  /** Of the file system; null: not told. */
  readonly type: string | null;
  /** Where that is mounted. */
  readonly mount: string | null;
}

/** A path that the request names: what it is there, and of a folder on what it lies. */
export interface NamedLook {
  /** As the request has it. */
  readonly name: string;
  readonly kind: PlaceKind;
  readonly disk: PlaceDisk | null;
  readonly files: FileCount | null;
}

/** `unasked`: which server or which key the run would take is not certain, or the key would leave the machine in the clear. */
export const KEY_ANSWERS = [
  'taken',
  'refused',
  'none',
  'offline',
  'unasked',
  'unanswered',
] as const;
export interface TrackerKey {
  readonly kind: (typeof KEY_ANSWERS)[number];
  /** The server, with its port where that is another; empty: not told. */
  readonly host: string;
}

/** `late`: so many were counted when the time was up. `more`: than so many. */
export interface FileCount {
  readonly kind: 'all' | 'more' | 'late';
  readonly count: number;
}

/** Files of the working folder that say which packages a run wants; null: there is none. */
export interface PackageFiles {
  readonly wants: string | null;
  /** The file that fixes every package, also those that nobody named. */
  readonly locks: string | null;
  /** The line of requirements.txt that fixes torch. */
  readonly torchPin: string | null;
  /** What requirements.txt asks for, with the files that it names; null: there is none, or it was not read. */
  readonly requirements: Requirements | null;
}

/** How far a list of packages is fixed. */
export interface Requirements {
  readonly packages: number;
  /** Of these, not held to one version; the first of them. */
  readonly loose: number;
  readonly named: readonly string[];
  /** Without a hash. Where each has one, pip installs nothing that is not listed. */
  readonly unhashed: number;
  /** False: a file that it names was not read, or it is longer than what is read. */
  readonly isWhole: boolean;
}

/** What the run's own Python says. What it was asked comes one after the other, and the rest is null where the time was up. */
export interface PythonLook {
  readonly version: string;
  /** Packages that matter and that it can import. */
  readonly has: readonly string[];
  readonly torch: TorchLook | null;
  /** The time was up before all was told. */
  readonly isLate: boolean;
}

export interface TorchLook {
  /** The file that is imported. */
  readonly at: string;
  /** As the driver's own library tells it; `missing`: Python finds no such library. */
  readonly driver: 'missing' | DriverAnswer | null;
  readonly build: {
    readonly version: string;
    readonly cuda: string | null;
    readonly isHip: boolean;
  } | null;
  readonly sees: { readonly isAvailable: boolean; readonly gpus: number } | null;
  /** `sm_90` of each kind of card, and what this build was made for. */
  readonly cards: { readonly own: readonly string[]; readonly built: readonly string[] } | null;
  /** Why it could not be imported. */
  readonly broken: string | null;
}

/** Of the file system that the run works on. */
export interface Room {
  readonly bytes: number;
  readonly freeBytes: number;
  /** 0: it does not count them. */
  readonly inodes: number;
  readonly freeInodes: number;
}

export interface DriverAnswer {
  /** 0: it can be used. */
  readonly code: number;
  /** The newest CUDA that it knows, "12.8"; null: it did not say. */
  readonly cuda: string | null;
  readonly gpus: number;
}

/** What lies in the place of a secret; nothing of it was read. `open`: others than its owner may read it. */
export type SecretLook = 'there' | 'open' | 'empty' | 'gone' | 'other' | 'hidden';

/** Whether something answered at an address, asked from the shell of the run with its proxy. */
export type RouteLook =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string };
