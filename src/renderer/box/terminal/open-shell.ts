import { tabChosen } from '../../state/view.ts';

/** Shows a new shell on the box. `typed` stands at its prompt and is not run. */
export async function openShell(boxId: string, typed = ''): Promise<void> {
  // xterm.js comes with the first terminal.
  const { openTerminal } = await import('./terminals.ts');
  tabChosen(boxId, 'terminal');
  openTerminal(boxId, { kind: 'shell' }, typed);
}
