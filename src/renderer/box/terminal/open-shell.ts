import { tabChosen } from '../../state/view.ts';
import { terminalSelected } from './terminals-store.ts';

// xterm.js comes with the first terminal.
const terminals = () => import('./terminals.ts');
const ways = () => import('./usual-terminal.ts');

/** Shows a new shell on the box. `typed` stands at its prompt and is not run. */
export async function openShell(boxId: string, typed = ''): Promise<void> {
  const { openTerminal } = await terminals();
  tabChosen(boxId, 'terminal');
  openTerminal(boxId, { kind: 'shell' }, typed);
}

/** One more, as the strip of terminals opens it; shown once it is there, since a box without one opens the usual one. */
export async function terminalAdded(boxId: string): Promise<void> {
  await (await ways()).openNextTerminal(boxId);
  tabChosen(boxId, 'terminal');
}

export async function sessionOpened(boxId: string): Promise<void> {
  await (await ways()).openNewSession(boxId);
  tabChosen(boxId, 'terminal');
}

/** The page on which a session or a shell is chosen. */
export function chooserShown(boxId: string): void {
  terminalSelected(boxId, null);
  tabChosen(boxId, 'terminal');
}

export async function lettersChanged(change: 'larger' | 'smaller'): Promise<void> {
  (await terminals()).fontSizeChanged(change);
}
