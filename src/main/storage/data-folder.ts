import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where everything that Leasehold keeps on this machine lives, for the window and the command line alike. */
export function dataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const named = env['LEASEHOLD_DATA_FOLDER'];
  return named !== undefined && named !== '' ? named : usualDataFolder(env, platform);
}

/** Of who is logged in, where they name no other. */
export function usualDataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Leasehold');
    case 'win32':
      return join(absolute(env['APPDATA']) ?? join(homedir(), 'AppData', 'Roaming'), 'Leasehold');
    default:
      return join(absolute(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), 'leasehold');
  }
}

/** The XDG specification tells us to pass over empty and relative values; anything else would depend on where we start. */
function absolute(folder: string | undefined): string | null {
  return folder !== undefined && isAbsolute(folder) ? folder : null;
}
