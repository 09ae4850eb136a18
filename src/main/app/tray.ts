import { Menu, nativeImage, Tray } from 'electron';
import { describeFleet, judgeStanding } from '../../shared/boxes/fleet-summary.ts';
import type { WindowCommand } from '../../shared/ipc/contract.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';

/** Menus longer than this do not help anybody; the window has the rest. */
const MAX_BOXES_IN_MENU = 20;

const MARK = {
  working: '●',
  up: '○',
  connecting: '…',
  'needs-you': '▲',
  'not-connected': '–',
} as const;

export interface AppTray {
  update(entries: readonly FleetEntry[]): void;
  dispose(): void;
}

export function createTray(
  iconFile: string,
  actions: {
    readonly command: (command: WindowCommand) => void;
    readonly showWindow: () => void;
    readonly quit: () => void;
  },
): AppTray {
  const icon = nativeImage.createFromPath(iconFile);
  icon.setTemplateImage(process.platform === 'darwin');
  const tray = new Tray(icon);
  tray.on('click', actions.showWindow);
  let shown = '';

  function update(entries: readonly FleetEntry[]): void {
    const summary = describeFleet(entries);
    const rows = entries.slice(0, MAX_BOXES_IN_MENU).map((entry) => ({
      id: entry.box.id,
      label: `${MARK[judgeStanding(entry)]} ${entry.box.name}`,
    }));
    // The fleet changes every second; the menu only when its words do.
    const words = JSON.stringify([summary, rows]);
    if (words === shown) return;
    shown = words;
    tray.setToolTip(summary);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: summary, enabled: false },
        { type: 'separator' },
        ...rows.map(({ id, label }) => ({
          label,
          click: () => actions.command({ kind: 'show-box', boxId: id }),
        })),
        { type: 'separator' },
        { label: 'Open Leasehold', click: actions.showWindow },
        { label: 'Add box…', click: () => actions.command({ kind: 'add-box' }) },
        { type: 'separator' },
        { label: 'Quit Leasehold', click: actions.quit },
      ]),
    );
  }

  update([]);
  return { update, dispose: () => tray.destroy() };
}
