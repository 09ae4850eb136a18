/** How far this computer is behind a box: what lies there in results, and was not proven to be here. */
export interface BoxBehind {
  readonly runs: readonly RunBehind[];
  /** Runs whose results nobody looks at, since they are too many. What they left is not known. */
  readonly unseenRuns: number;
  /** Null: no pull of this box has measured it. */
  readonly rate: PullRate | null;
}

/** Of the results folder of one run. Runs that share a folder count once. */
export interface RunBehind {
  readonly runId: string;
  readonly runName: string;
  /** Null: it was never listed. */
  readonly seen: Behind | null;
  /** Why the last look brought nothing; what stands in `seen` is older then. */
  readonly problem: string | null;
}

export interface Behind {
  /** When it was listed. */
  readonly atMs: number;
  readonly files: number;
  readonly bytes: number;
  /** Of these, as their names tell: one file, or a folder of them. */
  readonly checkpoints: number;
  /** What a rule says is scratch, which is in none of the sums. */
  readonly scratchBytes: number;
}

/** What a pull of a box took, from its first byte to its proof. */
export interface PullRate {
  readonly bytesPerS: number;
  readonly atMs: number;
}

/** All runs of a box together. */
export interface BehindSum extends Omit<Behind, 'atMs' | 'scratchBytes'> {
  /** When the oldest part of it was listed; null: nothing was. */
  readonly atMs: number | null;
  /** Runs of which not, or not now, is known what they left. While there are any, the sums are the least that it can be. */
  readonly unknownRuns: number;
  /** How long bringing it home takes at the rate that the last pull had; null: none has measured it. */
  readonly takesMs: number | null;
}

export function sumBehind({ runs, unseenRuns, rate }: BoxBehind): BehindSum {
  const seen = runs.flatMap((run) => run.seen ?? []);
  const sum = (of: (each: Behind) => number): number =>
    seen.reduce((all, each) => all + of(each), 0);
  const bytes = sum((each) => each.bytes);
  return {
    atMs: seen.length === 0 ? null : Math.min(...seen.map((each) => each.atMs)),
    files: sum((each) => each.files),
    bytes,
    checkpoints: sum((each) => each.checkpoints),
    unknownRuns:
      unseenRuns + runs.filter((run) => run.seen === null || run.problem !== null).length,
    takesMs: rate === null ? null : (bytes / rate.bytesPerS) * 1000,
  };
}

/** What is sent in less is mostly waiting, and says nothing of the rate. */
const LEAST_MEASURED_BYTES = 4_000_000;

/** Null: too little was sent to tell. */
export function measuredRate(bytes: number, tookMs: number, atMs: number): PullRate | null {
  if (bytes < LEAST_MEASURED_BYTES || tookMs <= 0) return null;
  return { bytesPerS: (bytes / tookMs) * 1000, atMs };
}
