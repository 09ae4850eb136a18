import { useEffect, useRef, useState } from 'react';
import { stepsOf } from '../../../shared/files/box-path.ts';
import type { FolderTree, KnownFolder } from '../../../shared/files/folder-tree.ts';
import { call } from '../../state/bridge.ts';

export interface FolderTreeState {
  readonly tree: FolderTree;
  readonly open: (path: string) => void;
  readonly close: (path: string) => void;
}

/**
 * The folders of a box, each asked for when it is opened. The way to the folder that the list shows is opened by itself. `times`: how often
 * the list was asked for again; then what is open is, too.
 */
export function useFolderTree(boxId: string, shown: string | null, times: number): FolderTreeState {
  const [tree, setTree] = useState<FolderTree>({ known: {}, open: new Set() });
  const latest = useRef(tree);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);

  const become = (next: FolderTree): void => {
    latest.current = next;
    setTree(next);
  };
  const learn = (path: string, found: KnownFolder): void => {
    const { known, open } = latest.current;
    become({ known: { ...known, [path]: found }, open });
  };
  const ask = async (path: string): Promise<void> => {
    const answer = await call('files:folders', { boxId, folder: path });
    if (!isThere.current) return;
    learn(
      path,
      answer.ok
        ? { kind: 'told', ...answer.value }
        : { kind: 'refused', because: answer.error.message },
    );
  };
  const openAll = (paths: readonly string[]): void => {
    const { known, open } = latest.current;
    const unknown = paths.filter((path) => known[path] === undefined);
    become({
      known: { ...known, ...Object.fromEntries(unknown.map((path) => [path, { kind: 'asked' }])) },
      open: new Set([...open, ...paths]),
    });
    for (const path of unknown) void ask(path);
  };

  useEffect(() => {
    if (shown !== null)
      openAll(
        stepsOf(shown)
          .slice(0, -1)
          .map(({ path }) => path),
      );
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each folder; what the tree does in between stays
  }, [boxId, shown]);
  useEffect(() => {
    if (times === 0) return;
    for (const path of latest.current.open) void ask(path);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- each time that the list is asked for again
  }, [times]);

  return {
    tree,
    open: (path) => openAll([path]),
    close: (path) => {
      const { known, open } = latest.current;
      become({ known, open: new Set([...open].filter((each) => each !== path)) });
    },
  };
}
