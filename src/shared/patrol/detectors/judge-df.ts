import { figure, type Clue, type Concluded, type Severity } from '../../detectors/finding.ts';
import { phrase, says, type Says } from '../../detectors/says.ts';
import type { MountUsage } from '../../probes/df.ts';
import { gigabytes, isFull, wholePct } from './disks.ts';
import { judgeInodes } from './inode-lines.ts';

/** Nobody saves to these: images that are full by their nature, and what the kernel shows of itself. */
const NO_DISK = /^\/(?:dev|proc|sys|run|snap|var\/lib\/snapd)(?:\/|$)/;
const IMAGE = /^(?:squashfs|iso9660|erofs|cramfs|udf)$/;

/** U6 and U7 from the text of `df` alone: what a patrol says of the same disks, without what it knows of runs beside it. */
export function judgeDf(rows: readonly MountUsage[]): readonly Concluded[] {
  return merged(rows).filter(isDisk).flatMap(judgeMount);
}

function isDisk({ device, type, mount }: MountUsage): boolean {
  return !/^\/dev\/loop\d/.test(device) && !IMAGE.test(type ?? '') && !NO_DISK.test(mount);
}

/** `df -k` and `df -i` of one box stand one after the other, and each tells its half. */
function merged(rows: readonly MountUsage[]): readonly MountUsage[] {
  const mounts = new Map<string, MountUsage>();
  for (const row of rows) {
    const told = Object.entries(row).filter(([, value]) => value !== null);
    const before = mounts.get(row.mount) ?? row;
    mounts.set(row.mount, { ...before, ...(Object.fromEntries(told) as Partial<MountUsage>) });
  }
  return [...mounts.values()];
}

function judgeMount(usage: MountUsage): readonly Concluded[] {
  const { mount, device, type, freeKiB, totalKiB } = usage;
  const isBytesFull = isFull(usage, false) === true;
  const inodes = judgeInodes(
    {
      ...{ id: mount, path: mount, source: device, type: type ?? '', device: '' },
      ...{ isReadOnly: false, usage, because: null },
    },
    false,
  );
  const bytes: readonly Clue[] = [
    ...(freeKiB === null ? [] : [figure(`Free on ${mount}`, gigabytes(freeKiB), 'GB')]),
    ...(totalKiB === null ? [] : [figure(`Size of ${mount}`, gigabytes(totalKiB), 'GB')]),
  ];
  return [
    ...(isBytesFull ? [told('U6', 'critical', says('U6', 'full', { mount }), mount, bytes)] : []),
    ...(inodes.kind === 'low'
      ? [
          told(
            'U7',
            inodes.severity,
            says('U7', 'inodes', {
              mount,
              used:
                inodes.usedPct === null
                  ? phrase('U7', 'none-left')
                  : phrase('U7', 'share-used', { share: wholePct(inodes.usedPct) }),
            }),
            mount,
            inodes.clues,
          ),
        ]
      : []),
  ];
}

function told(
  detector: 'U6' | 'U7',
  severity: Severity,
  words: Says,
  path: string,
  clues: readonly Clue[],
): Concluded {
  return {
    ...{ detector, severity, says: words, clues, subject: { kind: 'mount', path } },
    ...{ sinceMs: 0, lastSeenMs: 0, wastedShare: null, costPerHour: null },
    ...{ caveat: null, notSeenBecause: null },
  };
}
