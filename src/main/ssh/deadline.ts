/** A bound on somebody's slowness that does not run while we are the ones who keep them waiting. */
export interface Deadline {
  /** Returns how to go on; the time that was left is left. */
  pause(): () => void;
  stop(): void;
}

export function startDeadline(ms: number, onLate: () => void): Deadline {
  let leftMs = ms;
  let startedMs = performance.now();
  let timer: NodeJS.Timeout | null = setTimeout(onLate, leftMs);
  const halt = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  return {
    pause: () => {
      leftMs -= performance.now() - startedMs;
      halt();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        startedMs = performance.now();
        timer = setTimeout(onLate, Math.max(0, leftMs));
      };
    },
    stop: halt,
  };
}
