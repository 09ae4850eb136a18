/** What one folder of a box held, byte for byte, at one moment: kept under its digest, and never changed again. */
export interface Manifest extends ManifestSums {
  /** SHA-256 over every record in the order of the paths' bytes: path, hash, kind, size, both times, inode. */
  readonly digest: string;
  /** On the box, as it names the folder. */
  readonly folder: string;
  /** When it was listed for the last time. */
  readonly atMs: number;
  /** False: an unchanged stamp says less there, and each file was read for this one. */
  readonly tellsWrites: boolean;
}

export interface ManifestSums {
  readonly files: number;
  /** Of these. */
  readonly bytes: number;
  /** Links, pipes, devices: listed, and not read. */
  readonly others: number;
  /** Files without a hash: the box could not read them, or did not even tell their size and times, and those are in no other sum. */
  readonly unread: number;
  /** Files without a hash: they were written to each time the box had read them. */
  readonly unsettled: number;
}

/** How far one is. */
export interface ManifestProgress {
  readonly stage: 'listing' | 'comparing' | 'hashing';
  /** As they are told; while hashing, all of them. */
  readonly listedFiles: number;
  readonly hashedFiles: number;
  /** Of which nothing is known; all others are as an earlier manifest has them. */
  readonly toHashFiles: number;
  readonly toHashBytes: number;
}

/** What lies between two manifests of a folder. */
export interface ManifestChanges {
  readonly same: number;
  readonly added: number;
  readonly gone: number;
  /** Another content, or another stamp: nobody can say that it was not written to. */
  readonly changed: number;
  /** The first of them, by their paths. */
  readonly named: readonly ManifestChange[];
}

export interface ManifestChange {
  readonly kind: 'added' | 'gone' | 'changed';
  /** Hostile; what is no UTF-8 in it is replaced. */
  readonly path: string;
}

export const isUnchanged = ({ added, gone, changed }: ManifestChanges): boolean =>
  added + gone + changed === 0;
