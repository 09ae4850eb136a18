import type { VanishCause } from '../../src/shared/patrol/judge-vanished.ts';
import type { Incident } from '../incident.ts';
import type { Mounts } from './own-mounts.ts';
import type { RunBox } from './run-box.ts';

/** What became of a run between two looks of the patrol. */
export interface RunIncident extends Incident {
  readonly id: 'U3';
  /** Of one that is gone: what can be proven. Without it and `unknown`: nothing can. */
  readonly cause?: VanishCause;
  /** What only some machines can do. */
  readonly needs?: 'mounts' | 'memory-groups';
  readonly run: RunStart;
  /** Between the look that saw the run and the one that is judged. */
  readonly happens: (box: RunBox) => Promise<void>;
}

/** What a look of the patrol says of a box by its rules about disks, memory, logs and waiters. */
export interface LookIncident extends Incident {
  readonly needs?: RunIncident['needs'];
  /** Disks at a platform's places; only some machines can. */
  readonly mounts?: Mounts;
  /** As its profile is called; nobody said otherwise. */
  readonly platform?: string;
  readonly run: RunStart;
  /** How long the box seems to have been up beyond the truth: what was started is then so old. */
  readonly agedS?: number;
  /** How the box is before the first look. */
  readonly prepare?: (box: RunBox) => void;
  /** What the first look left otherwise than it was: of hours ago, or by an older Leasehold. */
  readonly remembered?: { readonly workedAgoMs?: number; readonly cards?: null };
  /** Between the first look and the one that is judged. */
  readonly happens: (box: RunBox) => Promise<void>;
}

export interface RunStart {
  /**
   * What runs, in sh, in the folder of the run, its output in `$log`. It says "ready" when it has begun, and `wait_here` is
   * where it waits for what happens.
   */
  readonly script: string;
  /** `terminal`: in one that can be closed. `wrapped`: by a shell that waits for it and writes to the same log. */
  readonly how?: 'detached' | 'terminal' | 'wrapped';
  readonly logName?: string;
  /** So many of the very same command run beside it in the same folder. */
  readonly twins?: number;
  /** Where it works, instead of beside its log. */
  readonly folder?: string;
  /** Its environment besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** Works on a small disk of its own. */
  readonly disk?: 'few-bytes' | 'few-inodes';
  /** Under a memory limit of the kernel's, in MiB. */
  readonly memoryLimitMiB?: number;
}
