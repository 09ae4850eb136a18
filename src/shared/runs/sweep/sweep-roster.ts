import { isFields } from '../../yaml/path.ts';
import type { RunRequest } from '../launch/run-request.ts';

/** One job of a sweep, the same wherever it runs. */
export interface RosterCell {
  /** What it is known by everywhere. */
  readonly name: string;
  /** Whole: every placeholder is filled in. */
  readonly command: string;
  /** Its own folder, from the sweep's folder on or as a whole path. */
  readonly results: string;
}

/**
 * All that a sweep is to do. No box, queue or scheduler is named in it: queues of boxes are compiled from it, and so can arrays of
 * Slurm and Jobs of Kubernetes be.
 */
export interface SweepRoster {
  readonly id: string;
  readonly name: string;
  /** What every cell begins with. */
  readonly base: SweepBase;
  readonly cells: readonly RosterCell[];
}

/** What a request says beside the command, the same for every cell. */
export type SweepBase = Omit<RunRequest, 'name' | 'command' | 'results' | 'successLine' | 'push'>;

/** Cells that one run was given, by their place in the roster. */
export interface SweepShare {
  /** The run whose folder holds their queue. */
  readonly run: string;
  /** What the place is called where the sweep was launched. */
  readonly place: string;
  readonly cells: readonly number[];
}

/** What a run tells of the sweep that it is part of. */
export interface SweepRef {
  readonly id: string;
  /** SHA-256 of the roster. */
  readonly digest: string;
}

const SWEEP_ID = /^s-\d{8}-\d{6}-[0-9a-f]{8}$/;
export const isSweepId = (id: string): boolean => SWEEP_ID.test(id);

/** One text for one roster, whatever order its fields came in: its digest is taken of this. */
export const rosterText = (roster: SweepRoster): string => JSON.stringify(inOrder(roster));

/** A function that JSON.stringify asks for each value takes three times as long, and ten thousand cells have forty thousand. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isFields(value)) return value;
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value).sort()) fields.push([name, inOrder(value[name])]);
  return Object.fromEntries(fields);
}
