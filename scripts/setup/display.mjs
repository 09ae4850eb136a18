import { existsSync } from 'node:fs';
import { Refusal } from '../lib/refusal.mjs';

/** Refuses where a window could not be shown, before anything is installed or built for it. */
export function requireDisplay(
  env = process.env,
  platform = process.platform,
  hasXvfbRun = existsSync('/usr/bin/xvfb-run'),
) {
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return;
  const install = hasXvfbRun ? '' : 'after `apt-get install xvfb xauth` ';
  throw new Refusal(
    'There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set): start Leasehold from a desktop ' +
      `session, or ${install}on a screen in memory with: xvfb-run -a npm start`,
  );
}
