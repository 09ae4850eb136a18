import type { LaunchedRun } from '../runs/launch/launched-run.ts';
import { turnOf } from '../runs/resume/run-turn.ts';

/** A folder of a box whose files are brought home and proven: the results of a launched run, or a folder that a person has named. */
export type ResultRoot = Pick<
  LaunchedRun,
  'id' | 'name' | 'folder' | 'results' | 'keeps' | 'queue' | 'again'
>;

/** Where results lie, so that a box can list them. */
export interface ResultPlace extends Pick<LaunchedRun, 'folder'> {
  /** From where the run works on, or a whole path. */
  readonly results: string;
  /** Only what was written there since this run began: one that names no results folder may leave them anywhere in where it works. */
  readonly began?: string;
}

/** Runs that go on after each other have left what was written since the first of them began. */
export function placeOfResults(
  root: Pick<ResultRoot, 'id' | 'folder' | 'results' | 'queue' | 'again'>,
): ResultPlace {
  const { folder, results } = root;
  return results === null ? { folder, results: '.', began: turnOf(root).id } : { folder, results };
}

/** One that a person has named, on one box. */
export interface NamedFolder {
  /** "f-" and 16 digits, by its path: named again it is the same. */
  readonly id: string;
  /** As a whole path of the box. */
  readonly folder: string;
  readonly addedAtMs: number;
}

export const NAMED_FOLDER_ID = /^f-[0-9a-f]{16}$/;

export const rootOf = ({ id, folder }: Pick<NamedFolder, 'id' | 'folder'>): ResultRoot => ({
  ...{ id, name: folder, folder, results: folder },
});

/** The folder that holds everything else would be brought home with it. */
export const isTooWide = (folder: string): boolean => /^\/*$/.test(folder);
