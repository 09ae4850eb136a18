import type { FileHandle } from 'node:fs/promises';

/** As often as a bar moves; a box that sends too much is noticed as soon. */
const LOOK_EVERY_MS = 50;
/** What is flushed on the way is not waited for at the end. */
const FLUSHED_BYTES = 64 * 1024 * 1024;

export interface FileGrowth {
  readonly grownBytes: number;
  /** Now, and not only when it is time. */
  look(): Promise<void>;
  stop(): void;
}

/** Tells how a file grows that another process writes, and has it flushed meanwhile. */
export function fileGrowth(
  file: FileHandle,
  from: number,
  onGrown: (bytes: number) => void,
): FileGrowth {
  let [grownBytes, flushedBytes] = [0, 0];
  let flushing: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const { size } = await file.stat();
    const more = size - from - grownBytes;
    if (more <= 0) return;
    grownBytes += more;
    onGrown(more);
    if (flushing !== null || grownBytes - flushedBytes < FLUSHED_BYTES) return;
    flushedBytes = grownBytes;
    // Whoever flushes it at the end hears of a fault.
    flushing = file.datasync().catch(() => undefined);
    await flushing;
    flushing = null;
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    // A fault of the disk meets the last look too, which tells it.
    looking = look().catch(() => undefined);
  }, LOOK_EVERY_MS);
  return {
    get grownBytes() {
      return grownBytes;
    },
    look: async () => {
      clearInterval(timer);
      await looking;
      await flushing;
      await look();
    },
    stop: () => clearInterval(timer),
  };
}
