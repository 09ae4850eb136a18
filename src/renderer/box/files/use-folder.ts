import { useEffect, useState } from 'react';
import type { BoxFile, FolderPart } from '../../../shared/files/box-file.ts';
import { withMore, type SortedFile } from '../../../shared/files/sort-files.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { call } from '../../state/bridge.ts';

export interface ShownFolder {
  /** The folder that is shown, whole; null: none has been listed. */
  readonly folder: string | null;
  /** By name, also while more of them come. */
  readonly files: readonly SortedFile[];
  /** What the box told first: another object where the folder was listed again. Null: nothing. */
  readonly first: BoxFile | null;
  /** Of the same folder more is on its way. */
  readonly isListing: boolean;
  /** There are more than are ever listed. */
  readonly isCut: boolean;
  /** A search could not look into all of it. */
  readonly isPartly: boolean;
  readonly problem: Problem | null;
  /** When its last part came. */
  readonly atMs: number | null;
  /** How often a person had it listed again. */
  readonly times: number;
  readonly lookAgain: () => void;
}

interface Seen extends Omit<ShownFolder, 'lookAgain' | 'times'> {
  readonly asked: string;
}

const NO_FILES: readonly SortedFile[] = [];
const NOTHING: Seen = {
  asked: '',
  folder: null,
  files: NO_FILES,
  first: null,
  isListing: false,
  isCut: false,
  isPartly: false,
  problem: null,
  atMs: null,
};

/** What is searched for, and in which folder. */
export interface Search {
  readonly folder: string;
  readonly wanted: string;
}

/** A folder of a box, listed part by part from when it is shown; or what is found in it and all that it holds, as it is found. */
export function useFolder(
  boxId: string,
  wanted: string | null,
  search: Search | null,
): ShownFolder {
  const [times, setTimes] = useState(0);
  const asked = JSON.stringify([times, wanted, search?.folder, search?.wanted]);
  const [seen, setSeen] = useState<Seen>(NOTHING);
  useEffect(() => {
    let isShown = true;
    const take = (answer: Result<FolderPart, Problem>): string | null => {
      if (!isShown) return null;
      setSeen((before) => merge(asked, before, answer));
      return answer.ok ? answer.value.rest : null;
    };
    const list = async (): Promise<void> => {
      let rest = take(await call('files:list', { boxId, folder: wanted }));
      while (rest !== null) rest = take(await call('files:more', { boxId, rest }));
    };
    const find = async (sought: Search): Promise<void> => {
      let rest = take(await call('files:find', { boxId, ...sought }));
      while (rest !== null) rest = take(await call('files:find-more', { boxId, rest }));
    };
    void (search === null ? list() : find(search));
    return () => {
      isShown = false;
      void call(search === null ? 'files:stop-listing' : 'files:stop-finding', { boxId });
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `asked` says all that changes of the others
  }, [boxId, asked]);
  const isCurrent = seen.asked === asked;
  // A search has its table, in which nothing is yet, at once.
  const beginning = { ...NOTHING, isListing: true, folder: search?.folder ?? null };
  return { ...(isCurrent ? seen : beginning), times, lookAgain: () => setTimes(times + 1) };
}

/** What came of a folder stays where the rest of it does not come. */
function merge(asked: string, before: Seen, answer: Result<FolderPart, Problem>): Seen {
  const known = before.asked === asked ? before : NOTHING;
  if (!answer.ok) return { ...known, asked, isListing: false, problem: answer.error };
  const { folder, files, rest, isCut, isPartly } = answer.value;
  return {
    asked,
    folder,
    files: withMore(known.files, files),
    first: known.first ?? files[0] ?? null,
    isListing: rest !== null,
    ...{ isCut, isPartly },
    problem: null,
    atMs: Date.now(),
  };
}
