import type { ProcessRef } from './process-ref.ts';

/** A job on a box, launched by us or merely seen. Every text in it is the box's, and hostile. Null: the box does not tell. */
export interface Run {
  readonly command: string | null;
  /** Where it runs. */
  readonly folder: string | null;
}

/** One that is merely seen: as far as a box can tell, a process that writes its output to a file or holds a GPU. */
export interface RunProcess extends Run, ProcessRef {
  readonly user: string | null;
  /** This machine's time when it began; null: not told. */
  readonly sinceMs: number | null;
  readonly holdsGpu: boolean;
  /** Whether it outlives the SSH session that started it: it ignores the hang-up signal, or has no terminal at all. */
  readonly survivesHangup: boolean | null;
  readonly tmuxSession: string | null;
  /** Python prints each line at once; a log of one that does not is late (U43). */
  readonly isUnbuffered: boolean | null;
}
