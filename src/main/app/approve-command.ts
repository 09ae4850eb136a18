import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { showHidden } from '../../shared/terminal/visible-text.ts';
import type { ApproveUpload } from '../files/file-transfers.ts';

interface Question extends Pick<MessageBoxOptions, 'message' | 'detail'> {
  /** What else the buttons say. */
  readonly no?: string;
  readonly yes?: string;
}

/** SECURITY: a ProxyCommand runs on this machine, so the page alone may not bring one in: it may be taken over. */
export const approveCommand = (window: BrowserWindow | null, command: string): Promise<boolean> =>
  ask(window, {
    message: 'Run this command on this computer whenever the box is connected?',
    detail: showHidden(command),
  });

/** SECURITY: so does a rehearsal. */
export const approveRehearsal = (
  window: BrowserWindow | null,
  command: string,
  folder: string,
): Promise<boolean> =>
  ask(window, {
    message: 'Run this command on this computer now?',
    detail: `${showHidden(command)}\n\nIn the folder ${folder}, as you. It can do there what you can.`,
  });

/** SECURITY: and what is dropped on the window leaves this computer. */
export const approveUpload: (
  window: BrowserWindow | null,
  ...asked: Parameters<ApproveUpload>
) => Promise<boolean> = (window, paths, to) =>
  ask(window, {
    message: `Send ${paths.length === 1 ? 'this' : `these ${String(paths.length)}`} to the box?`,
    detail: `${shownPaths(paths)}\n\nInto ${plainText(to, MAX_SHOWN_CHARS)}. A folder goes with all that it holds.`,
    no: 'Do not send',
    yes: 'Send',
  });

const MAX_SHOWN = 10;
const MAX_SHOWN_CHARS = 300;

function shownPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_SHOWN).map((path) => plainText(path, MAX_SHOWN_CHARS));
  const more = paths.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n');
}

/** The system's own question, out of the page's reach; the safe button is the one that Enter and Escape press. */
async function ask(
  window: BrowserWindow | null,
  { no = 'Do not use it', yes = 'Run it', ...asked }: Question,
): Promise<boolean> {
  const question: MessageBoxOptions = {
    type: 'question',
    title: 'Leasehold',
    ...asked,
    buttons: [no, yes],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return response === 1;
}
