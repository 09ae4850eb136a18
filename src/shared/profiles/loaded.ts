import type { FileFault } from '../yaml/file-fault.ts';
import type { Profile } from './profile.ts';

/** A field of the person's own over a shipped one. */
export interface ProfileChange {
  /** `storage › volume disk › rates › stopped`. */
  readonly field: string;
  readonly line: number;
  /** As the file that ships says it; null: it says nothing there. */
  readonly was: string | null;
  readonly now: string;
}

export interface LoadedProfile {
  readonly profile: Profile;
  /** `overridden`: shipped, with fields of the person's own. */
  readonly origin: 'shipped' | 'overridden' | 'own';
  /** The person's own file; null: there is none. */
  readonly file: string | null;
  /** What that file changes, in its order. */
  readonly changes: readonly ProfileChange[];
}

export interface Profiles {
  /** The folder of the person's own files, whether or not it is there. */
  readonly ownFolder: string;
  /** By id. */
  readonly all: readonly LoadedProfile[];
  /** What the demo box pretends to be rented from: no choice for a real box. Null: no demo box is at hand. */
  readonly demo: LoadedProfile | null;
  /** Files that are not used, and why. What they were meant to change is as it was shipped. */
  readonly faults: readonly FileFault[];
}
