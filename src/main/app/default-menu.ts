import { Menu } from 'electron';

/**
 * Electron makes a menu of its own before the app is ready, with developer tools in it, unless it is told that there is none. Ours
 * comes with the services (menu.ts). On macOS an app without any menu could not be quit meanwhile.
 */
export function dropDefaultMenu(platform: NodeJS.Platform): void {
  if (platform !== 'darwin') Menu.setApplicationMenu(null);
}
