import {
  aboveError,
  findSharedFolder,
  folderAbove,
  folderPart,
  partError,
} from '../sweep/cell-folders.ts';
import type { QueueCell } from './queue-cell.ts';

/** Stands for the cell's name, as a folder can have it. */
const CELL = '{cell}';

/** A results folder, of which each cell of a queue has its own. */
export const isPerCell = (results: string | null): results is string =>
  results?.includes(CELL) ?? false;

/** Without what a folder may end in: its copy is called by its last part. */
export const inFolder = (results: string): string => results.replace(/(?<=[^/])\/+$/, '');

/** Each with the folder of its own. */
export function withResults(cells: readonly QueueCell[], pattern: string): readonly QueueCell[] {
  return cells.map((cell) => ({
    ...cell,
    results: inFolder(pattern.replaceAll(CELL, () => folderPart(cell.name))),
  }));
}

/** Why the cells cannot save by this pattern; null: each has a folder of its own, whatever the file system takes for the same. */
export function resultsError(cells: readonly QueueCell[], pattern: string): string | null {
  const named = withResults(cells, pattern).flatMap(({ name, results = '', isCommented }) =>
    isCommented ? [] : [{ name, results }],
  );
  const tooLong = named.map(({ results }) =>
    results
      .split('/')
      .map(partError)
      .find((each) => each !== null),
  );
  const [long] = tooLong.flatMap((each) => each ?? []);
  if (long !== undefined) return long;
  const shared = findSharedFolder(named);
  if (shared === null) return aboveError(pattern);
  const { one, other } = shared;
  return `“${one.name}” and “${other.name}” would save into one folder: give one another name.`;
}

/** The folder that holds those of all cells, from which their results are looked at. */
export const aboveResults = (cells: readonly QueueCell[]): string =>
  folderAbove(cells.map(({ results = '' }) => ({ results }))) ?? '.';

export const NEEDS_CELL =
  'Write {cell} into the results folder, such as results/{cell}: each cell of a queue copies its own.';
