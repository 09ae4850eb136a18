import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

/**
 * SECURITY: a ProxyCommand runs on this machine, so the page alone may not bring one in: it may be taken over. This
 * question is the system's own, out of the page's reach, and the safe button is the one that Enter and Escape press.
 */
export async function approveCommand(
  window: BrowserWindow | null,
  command: string,
): Promise<boolean> {
  const question: MessageBoxOptions = {
    type: 'question',
    title: 'Leasehold',
    message: 'Run this command on this computer whenever the box is connected?',
    detail: command,
    buttons: ['Do not use it', 'Run it'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return response === 1;
}
