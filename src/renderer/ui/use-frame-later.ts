import { useEffect, useState } from 'react';
import { paintNoMore, paintSoon } from './paint-queue.ts';

/**
 * The value some frames after it was given, behind the canvases that wait: for what is drawn anew at each sample beside much else, so
 * that no frame has to bear all of it. Values that come faster are skipped, and put off nothing.
 */
export function useFrameLater<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const [owner] = useState(() => ({}));
  useEffect(() => {
    if (value === shown) paintNoMore(owner);
    else paintSoon(owner, () => setShown(value));
  }, [owner, value, shown]);
  useEffect(() => () => paintNoMore(owner), [owner]);
  return shown;
}
