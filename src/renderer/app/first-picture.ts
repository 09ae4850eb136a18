import { useFleet } from '../state/feeds.ts';

/** A window that is still empty after so long would look broken; then the frame has to do without the fleet. */
const PATIENCE_MS = 1000;

/**
 * Resolves when the first picture can be shown in one go, with the fleet in it and in its own fonts. Shown before, it is laid
 * out and painted for nothing; and a text without its font makes Chromium search the system's fonts for a stand-in, which
 * takes longer than all of that.
 */
export async function firstPictureReady(): Promise<void> {
  await Promise.all([fontsSettled(), fleetSettled()]);
}

/** Those that first-moments.js has asked for. One that does not load is no reason to stop: its text is drawn in the stand-in. */
async function fontsSettled(): Promise<void> {
  const loading = [...document.fonts].filter(({ status }) => status === 'loading');
  await Promise.allSettled(loading.map(({ loaded }) => loaded));
}

function fleetSettled(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, PATIENCE_MS);
    const stop = useFleet.subscribe(({ kind }) => {
      if (kind !== 'loading') done();
    });
  });
}
