import type { LeaseholdBridge, WindowCommand } from '../../shared/ipc/contract.ts';
import { unreachable } from '../../shared/result.ts';
import { GOTCHA_ID, MAX_ID_CHARS } from '../../shared/gotchas/ids.ts';
import {
  alertsChosen,
  boxChosen,
  costsChosen,
  fleetChosen,
  handbookChosen,
  overlayOpened,
  runsChosen,
  settingsChosen,
  tabChosen,
  teardownChosen,
} from '../state/view.ts';

/** Follows main's menu, tray and notifications, shortcuts, and links into the handbook; returns how to stop. */
export function watchCommands(bridge: LeaseholdBridge): () => void {
  const stopCommands = bridge.on('command', obey);
  window.addEventListener('keydown', openOnShortcut);
  window.addEventListener('hashchange', followLink);
  followLink();
  return () => {
    stopCommands();
    window.removeEventListener('keydown', openOnShortcut);
    window.removeEventListener('hashchange', followLink);
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
    case 'open-handbook':
      return handbookChosen();
    case 'show-box':
      return boxChosen(command.boxId);
    case 'show-alerts':
      return alertsChosen(command.boxId);
    case 'show-runs':
      return runsChosen(command.boxId);
    case 'show-pull':
      return teardownChosen(command.boxId, 'pulled');
    case 'show-teardown':
      return tabChosen(command.boxId, 'teardown');
    case 'show-fleet':
      return fleetChosen();
    case 'show-costs':
      return costsChosen(null);
    default:
      return unreachable(command);
  }
}

/** Works without the menu bar too, which some Linux desktops do not show. */
function openOnShortcut(event: KeyboardEvent): void {
  if (event.altKey || event.shiftKey) return;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier && event.key.toLowerCase() === 'k') overlayOpened({ kind: 'palette' });
  else if (!hasModifier && event.key === 'F1') handbookChosen();
  else return;
  event.preventDefault();
}

/** A link to #U23 opens that entry, wherever it stands. Taken out of the address, so that it works a second time. */
function followLink(): void {
  const id = window.location.hash.slice(1, MAX_ID_CHARS + 2).toUpperCase();
  if (!GOTCHA_ID.test(id)) return;
  window.history.replaceState(null, '', window.location.pathname);
  handbookChosen(id);
}
