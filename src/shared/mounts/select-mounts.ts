import type { Mount } from './mount.ts';

/** More than any box that people rent shows as disks of its own; each costs two questions. */
export const MAX_MEASURED = 24;

/** What a mount below these holds belongs to the system or to other containers. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/boot',
  '/snap',
  '/etc',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/var/snap',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/kubelet',
  '/var/lib/snapd',
  '/var/lib/lxcfs',
  '/var/lib/lxd',
];
/** Memory that data loaders share: small ones end runs. */
const SHARED_MEMORY = '/dev/shm';

/** Kept by this machine's own kernel: asking for their size ends. Every other kind may wait for somebody else. */
export const LOCAL_TYPES: ReadonlySet<string> = new Set(
  'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs overlay aufs tmpfs ramfs squashfs erofs vfat exfat iso9660'.split(
    ' ',
  ),
);

export function isLocal({ type }: Mount): boolean {
  return LOCAL_TYPES.has(type);
}

/** The mount that holds this path; null: none of them. */
export function holderOf<M extends Mount>(mounts: readonly M[], path: string): M | null {
  const holders = mounts.filter((mount) => isBelow(path, mount.path));
  return holders.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/**
 * What is worth asking, of maybe thousands: what holds a path that somebody cares for, and of the rest each file system once,
 * where it does not belong to the system.
 */
export function selectMounts(
  mounts: readonly Mount[],
  isWanted: (mount: Mount) => boolean,
  paths: readonly string[],
): { readonly chosen: readonly Mount[]; readonly leftOut: number } {
  const holders = new Set([...paths, '/', SHARED_MEMORY].map((path) => holderOf(mounts, path)));
  const wanted = mounts.filter((mount) => holders.has(mount) || isWanted(mount));
  const devices = new Set(wanted.map(({ device }) => device));
  const rest: Mount[] = [];
  for (const mount of [...mounts].sort(byLength)) {
    if (devices.has(mount.device) || SYSTEM_FOLDERS.some((folder) => isBelow(mount.path, folder)))
      continue;
    devices.add(mount.device);
    rest.push(mount);
  }
  const all = [...wanted, ...rest];
  const chosen = all.slice(0, MAX_MEASURED).sort((a, b) => (a.path < b.path ? -1 : 1));
  // What cannot hang is asked first: after some that did, no further one is.
  return {
    chosen: [...chosen.filter(isLocal), ...chosen.filter((mount) => !isLocal(mount))],
    leftOut: all.length - chosen.length,
  };
}

function byLength(a: Mount, b: Mount): number {
  return a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}
