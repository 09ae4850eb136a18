import { isNoCommands } from '../../../shared/boxes/flavour/no-commands.ts';
import { usualSession } from '../../../shared/terminal/tmux.ts';
import type { TerminalTarget } from '../../../shared/terminal/terminal.ts';
import { call } from '../../state/bridge.ts';
import { useView } from '../../state/view.ts';
import { suggestSessionName } from './session-name.ts';
import { keyOf, openTerminal } from './terminals.ts';
import { selectTabs, terminalSelected, useTerminals } from './terminals-store.ts';

/** Boxes that are asked for their sessions. */
const asked = new Set<string>();

/**
 * The terminal that a person wants who asks for one and says no more: their tmux session, or a new one; a plain shell where the box has
 * no tmux or runs no commands. Where that cannot be told, the page with the choice
 * says why. Nothing is opened for who has gone elsewhere meanwhile.
 */
export async function openUsualTerminal(boxId: string): Promise<void> {
  if (asked.has(boxId)) return;
  asked.add(boxId);
  const target = await usualTarget(boxId);
  asked.delete(boxId);
  if (!isAwaited(boxId)) return;
  if (target === null) terminalSelected(boxId, null);
  else openTerminal(boxId, target);
}

function isAwaited(boxId: string): boolean {
  const { page } = useView.getState();
  const isShown = page.kind === 'box' && page.boxId === boxId && page.tab === 'terminal';
  const state = useTerminals.getState();
  return isShown && state.selected[boxId] === undefined && selectTabs(boxId)(state).length === 0;
}

async function usualTarget(boxId: string): Promise<TerminalTarget | null> {
  const answer = await call('tmux:list', { boxId });
  if (!answer.ok) return isNoCommands(answer.error) ? { kind: 'shell' } : null;
  if (answer.value.kind === 'not-installed') return { kind: 'shell' };
  const { sessions } = answer.value;
  const usual = usualSession(sessions);
  if (usual !== null) return { kind: 'tmux', session: keyOf(usual) };
  return { kind: 'new-tmux', name: suggestSessionName(boxId, sessions) };
}

/** One more terminal beside those that are open: a session of its own. */
export async function openNextTerminal(boxId: string): Promise<void> {
  const answer = await call('tmux:list', { boxId });
  const hasTmux = answer.ok && answer.value.kind === 'installed';
  if (!answer.ok && !isNoCommands(answer.error)) terminalSelected(boxId, null);
  else if (!hasTmux) openTerminal(boxId, { kind: 'shell' });
  else
    openTerminal(boxId, {
      kind: 'new-tmux',
      name: suggestSessionName(boxId, answer.value.sessions),
    });
}

/** A new tmux session; where the box has no tmux, the page with the choice says so. */
export async function openNewSession(boxId: string): Promise<void> {
  const answer = await call('tmux:list', { boxId });
  if (!answer.ok || answer.value.kind !== 'installed') terminalSelected(boxId, null);
  else {
    const { sessions } = answer.value;
    openTerminal(boxId, { kind: 'new-tmux', name: suggestSessionName(boxId, sessions) });
  }
}
