import type { LaunchedRun } from '../runs/launch/launched-run.ts';

/** A folder of a box whose files are brought home and proven: the results of a launched run, or a folder that a person has named. */
export type ResultRoot = Pick<LaunchedRun, 'id' | 'name' | 'folder' | 'results' | 'keeps'>;

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
