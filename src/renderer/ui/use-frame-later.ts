import { useEffect, useRef, useState } from 'react';

/**
 * The value a frame after it was given: for what is drawn anew at each sample beside much else, so that no frame has to bear all of
 * it. A window that nobody sees draws no frames; it catches up when it is seen.
 */
export function useFrameLater<T>(value: T): T {
  const [shown, setShown] = useState(value);
  const newest = useRef(value);
  const frame = useRef<number | null>(null);
  useEffect(() => {
    newest.current = value;
    // The one that waits already takes the newest: values that come faster than frames are skipped, never put off.
    if (value === shown || frame.current !== null) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = requestAnimationFrame(() => {
        frame.current = null;
        setShown(newest.current);
      });
    });
  }, [value, shown]);
  useEffect(
    () => () => {
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    },
    [],
  );
  return shown;
}
