import { parseSlurmJobs, selectWalltimes } from '../../shared/probes/slurm-jobs.ts';
import type { Walltimes } from '../../shared/clocks/walltimes.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster, Connections } from '../boxes/box-roster.ts';
import type { Log } from '../log/log.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';

/** A walltime seldom changes, and a cluster's controller is shared with everybody. */
const LOOK_EVERY_MS = 120_000;
const LOOK_TIMEOUT_MS = 45_000;

export interface WalltimeWatchOptions {
  readonly roster: BoxRoster;
  /** Whether boxes of this platform have jobs with a walltime. */
  readonly hasWalltime: (platform: string) => boolean;
  /** What slurm-jobs.sh prints on this box. */
  readonly look: (boxId: string, mark: string) => Promise<Result<string, Problem>>;
  readonly onWalltimes: (boxId: string, walltimes: Walltimes) => void;
  readonly log: Log;
}

interface WatchedBox {
  platform: string;
  isUp: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  isLooking: boolean;
  /** What was written to the log last; the same is not written again. */
  said: string | null;
}

/** Asks boxes of a scheduler how long each job may run, while their link is up. Returns how to stop. */
export function watchWalltimes(options: WalltimeWatchOptions): () => void {
  const { roster, hasWalltime, look, onWalltimes, log } = options;
  const boxes = new Map<string, WatchedBox>();

  async function lookAt(boxId: string, known: WatchedBox): Promise<void> {
    clearTimeout(known.timer);
    if (known.isLooking) return;
    known.isLooking = true;
    const mark = newMark();
    const ran = await look(boxId, mark);
    known.isLooking = false;
    if (boxes.get(boxId) !== known) return;
    if (known.isUp) known.timer = setTimeout(() => void lookAt(boxId, known), LOOK_EVERY_MS);
    const found = ran.ok
      ? parseSlurmJobs(ran.value, mark)
      : ({ kind: 'unknown', because: ran.error.message } as const);
    // What is not known now does not make what was measured before untrue.
    if (found.kind === 'known') onWalltimes(boxId, selectWalltimes(found, Date.now()));
    const says = found.kind === 'unknown' ? found.because : null;
    if (says !== null && says !== known.said)
      log.warn('the walltime is not known', { because: says });
    known.said = says;
  }

  function follow(boxId: string, known: WatchedBox, isUp: boolean): void {
    const wasUp = known.isUp;
    known.isUp = isUp;
    if (!isUp) clearTimeout(known.timer);
    else if (!wasUp && hasWalltime(known.platform)) void lookAt(boxId, known);
  }

  function put({ box, link }: FleetEntry): void {
    const known = boxes.get(box.id) ?? untouched(box.platform);
    boxes.set(box.id, known);
    // The person may have said only now whose machine it is.
    if (known.platform !== box.platform) known.isUp = false;
    known.platform = box.platform;
    follow(box.id, known, link.kind === 'up');
  }

  const stopFollowing = roster.follow({
    added: put,
    changed: (entry, before) => {
      if (entry.box !== before.box || entry.link !== before.link) put(entry);
    },
    removed: (boxId) => {
      clearTimeout(boxes.get(boxId)?.timer);
      boxes.delete(boxId);
    },
  });
  return () => {
    stopFollowing();
    for (const { timer } of boxes.values()) clearTimeout(timer);
    boxes.clear();
  };
}

function untouched(platform: string): WatchedBox {
  return { platform, isUp: false, timer: undefined, isLooking: false, said: null };
}

/** Runs the probe over the link that a box has now. */
export function lookAtJobs(
  roster: Connections,
  scripts: OnboxScripts,
): WalltimeWatchOptions['look'] {
  return async (boxId, mark) => {
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const values = { LEASEHOLD_MARK: mark };
    const ran = await scripts.run(connection, 'slurm-jobs.sh', values, LOOK_TIMEOUT_MS);
    return ran.ok ? ok(ran.value.stdout) : ran;
  };
}
