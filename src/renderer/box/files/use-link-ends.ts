import { useEffect, useRef, useState } from 'react';
import type { BoxFile, LinkEnd } from '../../../shared/files/box-file.ts';
import { joinPath } from '../../../shared/files/box-path.ts';
import type { SortedFile } from '../../../shared/files/sort-files.ts';
import { call } from '../../state/bridge.ts';

/** As one request takes them. */
const MOST = 100;
const NO_ENDS: ReadonlyMap<number, LinkEnd> = new Map();

/**
 * Where the links in view lead. Others are not asked for: a folder may hold 100,000 of them. `first`: a folder that is listed again
 * has another one, and may hold other links under the same names.
 */
export function useLinkEnds(
  boxId: string,
  folder: string,
  first: BoxFile | null,
  inView: readonly SortedFile[],
): ReadonlyMap<number, LinkEnd> {
  const [known, setKnown] = useState({ first, ends: NO_ENDS });
  const asked = useRef({ first, ids: new Set<number>() });
  const wanted = inView
    .filter(({ file }) => file.kind === 'link' && file.hasUsableName)
    .slice(0, MOST);
  const key = wanted.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (asked.current.first !== first) asked.current = { first, ids: new Set() };
    const { ids } = asked.current;
    const missing = wanted.filter(({ id }) => !ids.has(id));
    if (missing.length === 0) return;
    for (const { id } of missing) ids.add(id);
    const paths = missing.map(({ file }) => joinPath(folder, file.name));
    void call('files:follow', { boxId, paths }).then((answer) => {
      // Where the box does not answer, a link stays a link: where it leads is not known.
      if (!answer.ok || asked.current.first !== first) return;
      setKnown((before) => {
        const ends = new Map(before.first === first ? before.ends : NO_ENDS);
        missing.forEach(({ id }, at) => {
          const end = answer.value[at];
          if (end !== undefined) ends.set(id, end);
        });
        return { first, ends };
      });
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` says all that changes of `wanted`
  }, [boxId, folder, first, key]);
  return known.first === first ? known.ends : NO_ENDS;
}
