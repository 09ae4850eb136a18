import { problem } from '../../../shared/problem.ts';
import { plainLine } from '../../../shared/questions/hostile-text.ts';
import { call } from '../../state/bridge.ts';
import { actionFailed, tabChosen } from '../../state/view.ts';

/** Shows the tmux session of that name in a terminal. It may have ended since it was seen: then that is said. */
export async function attachTo(boxId: string, name: string): Promise<void> {
  const listed = await call('tmux:list', { boxId });
  if (!listed.ok) {
    actionFailed(listed.error);
    return;
  }
  const session =
    listed.value.kind === 'installed'
      ? listed.value.sessions.find((each) => each.name === name)
      : undefined;
  if (session === undefined) {
    const gone = `The tmux session “${plainLine(name, 60)}” is not on the box any more.`;
    actionFailed(problem('tmux-session-gone', gone));
    return;
  }
  // xterm.js comes with the first terminal.
  const { keyOf, openTerminal } = await import('../terminal/terminals.ts');
  tabChosen(boxId, 'terminal');
  openTerminal(boxId, { kind: 'tmux', session: keyOf(session) });
}
