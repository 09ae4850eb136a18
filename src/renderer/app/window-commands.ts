import type { LeaseholdBridge, WindowCommand } from '../../shared/ipc/contract.ts';
import { unreachable } from '../../shared/result.ts';
import {
  boxChosen,
  costsChosen,
  fleetChosen,
  overlayOpened,
  settingsChosen,
} from '../state/view.ts';

/** Follows main's menu, tray and notifications, and the palette's shortcut; returns how to stop. */
export function watchCommands(bridge: LeaseholdBridge): () => void {
  const stopCommands = bridge.on('command', obey);
  window.addEventListener('keydown', openPaletteOnShortcut);
  return () => {
    stopCommands();
    window.removeEventListener('keydown', openPaletteOnShortcut);
  };
}

function obey(command: WindowCommand): void {
  switch (command.kind) {
    case 'open-palette':
      return overlayOpened({ kind: 'palette' });
    case 'add-box':
      return overlayOpened({ kind: 'add-box' });
    case 'open-settings':
      return settingsChosen('settings');
    case 'open-about':
      return settingsChosen('about');
    case 'show-box':
      return boxChosen(command.boxId);
    case 'show-fleet':
      return fleetChosen();
    case 'show-costs':
      return costsChosen(null);
    default:
      return unreachable(command);
  }
}

/** Works without the menu bar too, which some Linux desktops do not show. */
function openPaletteOnShortcut(event: KeyboardEvent): void {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (!hasModifier || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
  event.preventDefault();
  overlayOpened({ kind: 'palette' });
}
