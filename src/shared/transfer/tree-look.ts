import type { PlaceKind, Room } from '../runs/launch/run-preflight.ts';
import type { SeenEntry } from './tree.ts';

/** What a box says of the folder that a working tree belongs into. */
export interface TreeLook {
  /** As a whole path. */
  readonly folder: string;
  readonly kind: PlaceKind;
  /** Of what there is of the way to it, where it is missing. */
  readonly near: PlaceKind;
  readonly room: Room | null;
  readonly hasTar: boolean;
  /** Whether it has a tool that computes SHA-256. */
  readonly hasHasher: boolean;
  /** Of the tree that was put there last; null: none was. */
  readonly record: string | null;
  /** The same by where the folder really is, whatever name led there; null also where that stopped in the middle. */
  readonly noted: string | null;
  /** By path; what was asked for and is not here is missing. */
  readonly seen: ReadonlyMap<string, SeenEntry>;
}
