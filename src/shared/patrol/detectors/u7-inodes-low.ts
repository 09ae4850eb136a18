import { figure, line, type Clue } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookSubject,
  type LookView,
} from '../look-detector.ts';
import { diskOf, gigabytes, isFull, SHARED_MEMORY, wholePct } from './disks.ts';
import { forecast, type Forecast } from '../growth.ts';
import { judgeInodes } from './inode-lines.ts';
import { logEnds } from './log-words.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Where what fills a disk is looked for at all: resources/onbox/patrol.sh. */
const NEARLY_FULL_PCT = 90;
/** Half of a disk that is a cache outweighs what the runs wrote (chosen for Leasehold). */
const CACHE_FROM_SHARE = 0.5;

/** U7 */
export const inodesLow: LookDetector = {
  id: 'U7',
  judge(view) {
    const disks = view.look.mounts.filter(({ path }) => path !== SHARED_MEMORY);
    if (disks.length === 0) return [unknown('the box told of no disk')];
    return disks.map((disk) => judgeDisk(disk, view));
  },
};

function judgeDisk(disk: MeasuredMount, view: LookView): LookAnswer {
  const subject: LookSubject = { kind: 'mount', path: disk.path };
  const inodes = judgeInodes(disk, view.wasFound(subject));
  if (inodes.kind === 'low') {
    return found(subject, {
      severity: inodes.severity,
      says: says('U7', 'inodes', {
        mount: disk.path,
        used:
          inodes.usedPct === null
            ? phrase('U7', 'none-left')
            : phrase('U7', 'share-used', { share: wholePct(inodes.usedPct) }),
      }),
      clues: [...inodes.clues, ...bytesOf(disk), ...failedWrites(disk, view)],
    });
  }
  const cache = cacheOn(disk, view);
  if (cache !== null) return found(subject, cache);
  const growth = growthOf(disk, view);
  if (growth !== null) return found(subject, fillsSoon(disk, growth));
  return inodes.kind === 'unknown' ? unknown(inodes.because, subject) : clear(subject);
}

/** Half a night; whoever sleeps longer is told before it (chosen for Leasehold). */
const SOON_HOURS = 6;
/** A rate goes up and down: what was told stays until it is clearly over. */
const LEAVES_HOURS = 9;
const URGENT_HOURS = 2;

function growthOf(disk: MeasuredMount, view: LookView): Forecast | null {
  const { look, before, wasFound } = view;
  if (disk.usage === null || before === null) return null;
  const growth = forecast(disk.usage, { ...disk, atMs: look.atMs }, before.disks);
  const limit = wasFound({ kind: 'mount', path: disk.path }) ? LEAVES_HOURS : SOON_HOURS;
  return growth !== null && growth.hoursLeft <= limit ? growth : null;
}

function fillsSoon(
  { path }: MeasuredMount,
  { what, hoursLeft, perHour, overMs }: Forecast,
): Parameters<typeof found>[1] {
  const isBytes = what === 'bytes';
  const left =
    hoursLeft < 1
      ? phrase('U7', 'under-an-hour')
      : phrase('U7', 'hours', { count: Math.floor(hoursLeft) });
  return {
    severity: hoursLeft <= URGENT_HOURS ? 'warn' : 'info',
    says: isBytes
      ? says('U7', 'fills', { mount: path, left })
      : says('U7', 'runs-out', { mount: path, left }),
    clues: [
      isBytes
        ? figure(`Written on ${path} (estimated)`, gigabytes(perHour), 'GB/h', overMs)
        : figure(`New files on ${path} (estimated)`, perHour, 'inodes/h', overMs),
      figure('Time left (estimated)', hoursLeft, 'h'),
    ],
    caveat: phrase('U7', 'estimate'),
  };
}

function bytesOf({ path, usage }: MeasuredMount): readonly Clue[] {
  const freeKiB = usage?.freeKiB ?? null;
  return freeKiB === null ? [] : [figure(`Free on ${path}`, gigabytes(freeKiB), 'GB')];
}

function failedWrites(disk: MeasuredMount, view: LookView): readonly Clue[] {
  if (isFull(disk.usage, false) !== false) return [];
  return logEnds(view).flatMap(({ run, end, source }) => {
    const ending = readLogEnding(end);
    return ending?.ending === 'disk-full' && diskOf(run.folder, view.look)?.path === disk.path
      ? [line(ending.line, source)]
      : [];
  });
}

function cacheOn(disk: MeasuredMount, { look }: LookView): Parameters<typeof found>[1] | null {
  const { fills } = look;
  const folder = fills?.cacheFolder ?? null;
  const [usedKiB, usedPct] = [disk.usage?.usedKiB ?? null, disk.usage?.usedPct ?? null];
  if (fills === null || folder === null || usedKiB === null || usedPct === null) return null;
  if (usedPct < NEARLY_FULL_PCT || diskOf(folder, look)?.path !== disk.path) return null;
  const bytes = fills.models.reduce((sum, model) => sum + model.bytes, 0);
  if (bytes < usedKiB * 1024 * CACHE_FROM_SHARE) return null;
  return {
    severity: 'warn',
    says: says('U7', 'cache', { mount: disk.path, used: wholePct(usedPct) }),
    clues: [
      line(`the cache lies in ${folder}`),
      ...fills.models.slice(0, 5).map((model) => figure(model.path, model.bytes / 1e9, 'GB')),
    ],
  };
}
