import type { Log } from '../log/log.ts';

/** Quitting waits this long for boxes and files; a hanging disk must not keep the app alive. */
const CLOSE_TIMEOUT_MS = 5000;

/** Resolves when everything is closed, or when it takes too long; what failed is in the log. */
export async function closeInTime(log: Log, closing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), CLOSE_TIMEOUT_MS);
  });
  try {
    const outcome = await Promise.race([closing, late]);
    if (outcome === 'late') log.error('not everything closed in time');
  } catch (cause) {
    log.error('closing failed', { cause });
  }
  clearTimeout(timer);
  log.info('stopped');
}
