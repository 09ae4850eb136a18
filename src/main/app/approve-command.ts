import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

type Question = Pick<MessageBoxOptions, 'message' | 'detail'>;

/** SECURITY: a ProxyCommand runs on this machine, so the page alone may not bring one in: it may be taken over. */
export const approveCommand = (window: BrowserWindow | null, command: string): Promise<boolean> =>
  ask(window, {
    message: 'Run this command on this computer whenever the box is connected?',
    detail: command,
  });

/** SECURITY: so does a rehearsal. */
export const approveRehearsal = (
  window: BrowserWindow | null,
  command: string,
  folder: string,
): Promise<boolean> =>
  ask(window, {
    message: 'Run this command on this computer now?',
    detail: `${command}\n\nIn the folder ${folder}, as you. It can do there what you can.`,
  });

/** The system's own question, out of the page's reach; the safe button is the one that Enter and Escape press. */
async function ask(window: BrowserWindow | null, asked: Question): Promise<boolean> {
  const question: MessageBoxOptions = {
    type: 'question',
    title: 'Leasehold',
    ...asked,
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
