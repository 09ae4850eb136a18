/**
 * What the files of a tracker say of whether its server has them, too:
 * - `not uploaded`: they wait for somebody to send them (U20, U35);
 * - `not ended`: the run is still writing them, or was ended from outside;
 * - `only here`: they are sent to nobody;
 * - `unknown`: they were sent as they were written, and nothing in them says whether all arrived.
 */
export type TrackerState = 'uploaded' | 'not uploaded' | 'not ended' | 'only here' | 'unknown';

/** Curves of one run or project, as a tracker keeps them on the disk. */
export interface TrackerLog {
  readonly tracker: 'wandb' | 'trackio' | 'tensorboard';
  /** Hostile. */
  readonly path: string;
  readonly state: TrackerState;
}

/** As far as names tell. */
export interface NamedTrackerLog extends TrackerLog {
  readonly state: Exclude<TrackerState, 'not ended'>;
}

/** As wandb names them: a folder for each run, and in it the file of that run. */
const WANDB = /(?:^|\/)(offline-)?run-\d{8}_\d{6}-([^/]+)\/run-([^/]+)\.wandb$/;
/** Where trackio keeps its projects, unless `TRACKIO_DIR` says otherwise. */
const TRACKIO = /(?:^|\/)trackio\/[^/]+\.db$/;
const TENSORBOARD = /(?:^|\/)[^/]*tfevents[^/]*$/;
/** What `wandb sync` lays beside a run that it has sent. */
export const SENT = '.synced';

/** By its name alone, of a file here or on a box; what lies within it may say more (`main/verify/tracker-log.ts`). `there`: the names beside it. */
export function trackerLogAt(path: string, there: ReadonlySet<string>): NamedTrackerLog | null {
  const [, offline, folder, run] = WANDB.exec(path) ?? [];
  if (run !== undefined && run === folder) {
    const isSent = there.has(path + SENT);
    const state = isSent ? 'uploaded' : offline === undefined ? 'unknown' : 'not uploaded';
    return { tracker: 'wandb', path, state };
  }
  if (TRACKIO.test(path)) return { tracker: 'trackio', path, state: 'unknown' };
  if (TENSORBOARD.test(path)) return { tracker: 'tensorboard', path, state: 'only here' };
  return null;
}

export function trackerLogsAmong(paths: readonly string[]): readonly NamedTrackerLog[] {
  const there = new Set(paths);
  return paths.flatMap((path) => trackerLogAt(path, there) ?? []);
}
