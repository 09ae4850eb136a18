import { powerMonitor } from 'electron';
import type { WakeWatchOptions } from '../boxes/wake-watch.ts';

/** What the system says of sleep. Not all do: Linux only over logind, and it does not tell of unlocking. */
export const watchSystem: WakeWatchOptions['watchSystem'] = (tell) => {
  const resumed = (): void => tell('resumed');
  const unlocked = (): void => tell('unlocked');
  powerMonitor.on('resume', resumed);
  powerMonitor.on('unlock-screen', unlocked);
  return () => {
    powerMonitor.off('resume', resumed);
    powerMonitor.off('unlock-screen', unlocked);
  };
};
