import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';
import { call } from '../state/bridge.ts';
import { selectAllEntries, useFleet } from '../state/feeds.ts';

/** The boxes that are gone, as the evidence has them; null: being read. It is read again when a box comes to the archive or leaves it. */
export function useArchive(): Result<readonly ArchivedBox[], Problem> | null {
  const [archive, setArchive] = useState<Result<readonly ArchivedBox[], Problem> | null>(null);
  const listed = useFleet((feed) =>
    selectAllEntries(feed)
      .map(({ box }) => `${box.id} ${box.name} ${String(box.archivedAtMs)}`)
      .join(),
  );
  useEffect(() => {
    let isLeft = false;
    void call('teardown:archive', {}).then((read) => {
      if (!isLeft) setArchive(read);
    });
    return () => {
      isLeft = true;
    };
  }, [listed]);
  return archive;
}
