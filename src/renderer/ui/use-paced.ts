import { useEffect, useRef, useState } from 'react';

/** The value as it was at most so long ago: for what costs too much to draw as often as it changes. The first change comes at once. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [paced, setPaced] = useState(value);
  const lastMs = useRef(-Infinity);
  useEffect(() => {
    if (value === paced) return undefined;
    const take = (): void => {
      lastMs.current = performance.now();
      setPaced(value);
    };
    const dueMs = lastMs.current + everyMs - performance.now();
    const timer = setTimeout(take, Math.max(0, dueMs));
    return () => clearTimeout(timer);
  }, [value, paced, everyMs]);
  return paced;
}
