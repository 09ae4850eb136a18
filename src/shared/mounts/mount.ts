import type { MountUsage } from '../probes/df.ts';

/** One line of the kernel's list of mounts. */
export interface Mount {
  /** The mount point as the kernel writes it: blanks and line breaks as \040 and \012. */
  readonly id: string;
  /** The mount point itself. Bytes of the box: whoever shows it makes it visible. */
  readonly path: string;
  /** A device, a server's folder, or a word such as "overlay". */
  readonly source: string;
  readonly type: string;
  /** "8:1": mounts with the same one are the same file system. */
  readonly device: string;
  readonly isReadOnly: boolean;
}

export interface MeasuredMount extends Mount {
  readonly usage: MountUsage | null;
  /** Why the size is not known; null where it is. */
  readonly because: string | null;
}

/** Where a folder really lies. */
export type Place =
  | { readonly kind: 'there'; readonly path: string }
  /** No such folder can be seen by this user. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly because: string };

export interface NamedPlace {
  /** As the profile writes it: "~", "/scratch/$USER". */
  readonly name: string;
  /** With the box's own values in it. */
  readonly path: string;
  readonly place: Place;
}

/** What is mounted on a box, as far as it holds anybody's data. */
export interface BoxMounts {
  readonly atMs: number;
  readonly mounts: readonly MeasuredMount[];
  /** Real mounts beyond the bound, which nobody asked. */
  readonly leftOut: number;
  /** The folders that the profile's tiers name, as they are on this box. */
  readonly places: readonly NamedPlace[];
  readonly unreadable: readonly string[];
}
