import { isUnchanged, type Manifest, type ManifestChanges } from '../manifest/manifest.ts';
import type { PulledState } from './home.ts';

/**
 * Whether what a pull proved is still all that the box has, and still here. It is fast, since nothing is hashed: the box tells by its stamps, this
 * computer by sizes and times. What is deleted for it is hashed again (`HomeCheck`).
 */
export interface HomeLook {
  /** Of the entry of the evidence that it was held against. */
  readonly seq: number;
  /** Of the box as it is now. */
  readonly now: Manifest;
  /** Since that entry. */
  readonly changes: ManifestChanges;
  /** Files whose proven copy here is gone, or has another size or time; the first of them by name. */
  readonly missingCopies: Several;
  /** What that entry itself did not prove: left, damaged, short … */
  readonly unproven: readonly UnprovenFile[];
  /** Sets of files that are not whole, or not proven to be: their names. */
  readonly brokenSets: readonly string[];
}

export interface Several {
  readonly count: number;
  readonly named: readonly string[];
}

export interface UnprovenFile {
  readonly path: string;
  readonly bytes: number;
  readonly state: PulledState;
}

/** Only a yes is one: also what a person left there deliberately is not home. */
export const isAllHome = (look: HomeLook): boolean =>
  isUnchanged(look.changes) &&
  look.now.tellsWrites &&
  look.now.unread === 0 &&
  look.missingCopies.count + look.unproven.length + look.brokenSets.length === 0;
