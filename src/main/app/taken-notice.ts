import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';

/** Another Leasehold has this data, and could not be brought to the front. */
export async function tellTaken(window: BrowserWindow | null, folder: string): Promise<void> {
  const notice: MessageBoxOptions = {
    type: 'info',
    title: 'Leasehold',
    message: 'Leasehold is already running.',
    detail: `Another Leasehold has this data open (${folder}), and two at once would spoil it. This one quits; the other one goes on.`,
    buttons: ['Quit'],
  };
  await (window === null ? dialog.showMessageBox(notice) : dialog.showMessageBox(window, notice));
}
