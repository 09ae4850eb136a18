import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

export type QuitAnswer = 'tray' | 'quit' | 'stay';

const ANSWERS: readonly QuitAnswer[] = ['tray', 'quit', 'stay'];

/** What nobody would be told of while Leasehold is closed, and the way to keep it open out of sight. */
export async function askBeforeQuit(
  window: BrowserWindow | null,
  reasons: readonly string[],
): Promise<QuitAnswer> {
  const question: MessageBoxOptions = {
    type: 'question',
    title: 'Leasehold',
    message: 'Quit Leasehold?',
    detail: `${reasons.join('\n')}\n\nNobody tells you of it while Leasehold is closed. In the tray it keeps watching.`,
    buttons: ['Keep watching in the tray', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(question)
    : dialog.showMessageBox(window, question));
  return ANSWERS[response] ?? 'stay';
}
