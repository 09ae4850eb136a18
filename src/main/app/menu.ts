import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { WindowCommand } from '../../shared/ipc/contract.ts';

export interface MenuActions {
  readonly command: (command: WindowCommand) => void;
  readonly showLog: () => void;
  readonly quit: () => void;
  /** Developer tools and reload: not in what users get. */
  readonly isDevelopment: boolean;
}

export function setAppMenu(actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, process.platform)));
}

function menuTemplate(
  { command, showLog, quit, isDevelopment }: MenuActions,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const settings: MenuItemConstructorOptions = {
    label: isMac ? 'Settings…' : 'Settings',
    accelerator: 'CmdOrCtrl+,',
    click: () => command({ kind: 'open-settings' }),
  };
  const about: MenuItemConstructorOptions = {
    label: 'About Leasehold',
    click: () => command({ kind: 'open-about' }),
  };
  const addBox: MenuItemConstructorOptions = {
    label: 'Add box…',
    accelerator: 'CmdOrCtrl+N',
    click: () => command({ kind: 'add-box' }),
  };
  const quitItem: MenuItemConstructorOptions = {
    label: 'Quit Leasehold',
    accelerator: 'CmdOrCtrl+Q',
    click: quit,
  };
  const appMenu: MenuItemConstructorOptions = {
    label: 'Leasehold',
    submenu: [
      about,
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      quitItem,
    ],
  };
  const fileMenu: MenuItemConstructorOptions = {
    label: '&File',
    submenu: isMac
      ? [addBox, { type: 'separator' }, { role: 'close' }]
      : [addBox, { type: 'separator' }, settings, { type: 'separator' }, quitItem],
  };
  const developer: MenuItemConstructorOptions[] = isDevelopment
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : [];
  return [
    ...(isMac ? [appMenu] : []),
    fileMenu,
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { label: 'Fleet', click: () => command({ kind: 'show-fleet' }) },
        {
          label: 'Command palette…',
          accelerator: 'CmdOrCtrl+K',
          click: () => command({ kind: 'open-palette' }),
        },
        { type: 'separator' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'resetZoom' },
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Handbook', accelerator: 'F1', click: () => command({ kind: 'open-handbook' }) },
        { label: 'Show log', click: showLog },
        ...(isMac ? [] : [about]),
      ],
    },
  ];
}
