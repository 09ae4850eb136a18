import type { FileFault } from '../yaml/file-fault.ts';
import type { Profile } from './profile.ts';

export interface LoadedProfile {
  readonly profile: Profile;
  /** `overridden`: shipped, with fields of the person's own. */
  readonly origin: 'shipped' | 'overridden' | 'own';
}

export interface Profiles {
  /** By id. */
  readonly all: readonly LoadedProfile[];
  /** Files that are not used, and why. What they were meant to change is as it was shipped. */
  readonly faults: readonly FileFault[];
}
