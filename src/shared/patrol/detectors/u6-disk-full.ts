import { figure, line } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  BOX,
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookSubject,
  type LookView,
} from '../look-detector.ts';
import type { Artefact } from '../patrol-look.ts';
import { diskOf, gigabytes, isFull, SHARED_MEMORY } from './disks.ts';
import { logEnds } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** Gotcha U6: "available below checkpoint size x 2 (suggested)". */
const ROOM_FOR_CHECKPOINTS = 2;
/** A disk that was too small for two is mended by room for three. */
const ROOM_TO_LEAVE = 3;

/** U6 */
export const diskFull: LookDetector = {
  id: 'U6',
  judge(view) {
    const disks = view.look.mounts.filter(({ path }) => path !== SHARED_MEMORY);
    if (disks.length === 0) return [...fromLogs(view), unknown('the box told of no disk')];
    return [...fromLogs(view), ...disks.map((disk) => judgeDisk(disk, view)), ...leftOut(view)];
  },
};

function leftOut({ look: { mountsLeftOut } }: LookView): readonly LookAnswer[] {
  return mountsLeftOut === 0
    ? []
    : [unknown(`${String(mountsLeftOut)} more mounts were not asked`, BOX)];
}

function judgeDisk(disk: MeasuredMount, view: LookView): LookAnswer {
  const subject: LookSubject = { kind: 'mount', path: disk.path };
  const { usage } = disk;
  const full = isFull(usage, view.wasFound(subject));
  if (full === null || usage === null) {
    return unknown(disk.because ?? 'the box did not say how full it is', subject);
  }
  const freeKiB = usage.freeKiB ?? 0;
  const clues = [
    figure(`Free on ${disk.path}`, gigabytes(freeKiB), 'GB'),
    figure(`Size of ${disk.path}`, gigabytes(usage.totalKiB ?? 0), 'GB'),
  ];
  if (full) {
    return found(subject, {
      severity: 'critical',
      says: says('U6', 'full', { mount: disk.path }),
      clues: [...clues, ...partials(disk, view)],
    });
  }
  const newest = newestCheckpoint(disk, view);
  const room = view.wasFound(subject) ? ROOM_TO_LEAVE : ROOM_FOR_CHECKPOINTS;
  if (newest === null || freeKiB * 1024 >= newest.bytes * room) return clear(subject);
  return found(subject, {
    severity: 'warn',
    says: says('U6', 'no-room', { mount: disk.path, count: ROOM_FOR_CHECKPOINTS }),
    clues: [...clues, figure(`Newest checkpoint ${newest.path}`, newest.bytes / 1e9, 'GB')],
  });
}

/** Of something that still runs: a checkpoint of last month needs no more room. */
function newestCheckpoint(disk: MeasuredMount, { look }: LookView): Artefact | null {
  const folders = look.runs.flatMap(({ folder }) => folder ?? []);
  return (
    look.artefacts.find(
      ({ kind, path }) =>
        kind === 'checkpoint' &&
        diskOf(path, look)?.path === disk.path &&
        folders.some((folder) => path.startsWith(`${folder.replace(/\/$/, '')}/`)),
    ) ?? null
  );
}

function partials(disk: MeasuredMount, { look }: LookView): LookAnswerClues {
  const left = look.artefacts.filter(
    ({ kind, path }) => kind === 'partial' && diskOf(path, look)?.path === disk.path,
  );
  return left.slice(0, 3).map(({ path, bytes }) => figure(`Left ${path}`, bytes / 1e9, 'GB'));
}
type LookAnswerClues = readonly ReturnType<typeof figure>[];

/** Where bytes are free and inodes are not, the words are U7's. */
function fromLogs(view: LookView): readonly LookAnswer[] {
  return logEnds(view).flatMap(({ run, subject, isGone, end, source }): readonly LookAnswer[] => {
    const ending = readLogEnding(end);
    if (ending?.ending !== 'disk-full') return [];
    const usage = diskOf(run.folder, view.look)?.usage ?? null;
    if (usage?.inodesFree === 0 && isFull(usage, false) === false) return [];
    const answer = found(subject, {
      severity: 'critical',
      says: says('U6', 'run-failed'),
      clues: [
        line(ending.line, source),
        ...(usage?.freeKiB === undefined || usage.freeKiB === null
          ? []
          : [figure('Free where it runs now', gigabytes(usage.freeKiB), 'GB')]),
      ],
    });
    return [isGone ? { ...answer, isEvent: true } : answer];
  });
}
