import { useEffect, useState } from 'react';
import type { FolderPart } from '../../../shared/files/box-file.ts';
import { keyed, type SortedFile } from '../../../shared/files/sort-files.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { call } from '../../state/bridge.ts';

export interface FolderLook {
  /** The folder that is shown, whole; null: none has been listed. */
  readonly folder: string | null;
  readonly files: readonly SortedFile[];
  /** Of the same folder more is on its way. */
  readonly isListing: boolean;
  /** There are more than are ever listed. */
  readonly isCut: boolean;
  readonly problem: Problem | null;
  /** When its last part came. */
  readonly atMs: number | null;
  /** How often a person had it listed again. */
  readonly times: number;
  readonly lookAgain: () => void;
}

interface Seen extends Omit<FolderLook, 'lookAgain' | 'times'> {
  readonly asked: string;
}

const NO_FILES: readonly SortedFile[] = [];
const NOTHING: Seen = {
  asked: '',
  folder: null,
  files: NO_FILES,
  isListing: false,
  isCut: false,
  problem: null,
  atMs: null,
};

/** A folder of a box, listed part by part from when it is shown. */
export function useFolder(boxId: string, wanted: string | null): FolderLook {
  const [times, setTimes] = useState(0);
  const asked = `${String(times)} ${wanted ?? ''}`;
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
    void list();
    return () => {
      isShown = false;
      void call('files:stop-listing', { boxId });
    };
  }, [boxId, wanted, asked]);
  const isCurrent = seen.asked === asked;
  return {
    ...(isCurrent ? seen : { ...NOTHING, isListing: true }),
    times,
    lookAgain: () => setTimes(times + 1),
  };
}

/** What came of a folder stays where the rest of it does not come. */
function merge(asked: string, before: Seen, answer: Result<FolderPart, Problem>): Seen {
  const known = before.asked === asked ? before : NOTHING;
  if (!answer.ok) return { ...known, asked, isListing: false, problem: answer.error };
  const { folder, files, rest, isCut } = answer.value;
  return {
    asked,
    folder,
    files: [...known.files, ...keyed(files, known.files.length)],
    isListing: rest !== null,
    isCut,
    problem: null,
    atMs: Date.now(),
  };
}
