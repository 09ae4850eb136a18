import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import { isAppUrl } from './app-url.ts';
import type { Sender } from './ipc-router.ts';

/** What is asked of a message's origin. */
export type MessageOrigin = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>;
export type OwnWindow = Pick<BrowserWindow, 'isDestroyed' | 'webContents'>;

/** SECURITY: trusted is only our own page, in the main frame of the window that we made. */
export function identifySender(
  { senderFrame, sender }: MessageOrigin,
  window: OwnWindow | null,
): Sender {
  const url = senderFrame?.url ?? '';
  const isMainFrame = senderFrame !== null && senderFrame === sender.mainFrame;
  const isOurs = window !== null && !window.isDestroyed() && sender.id === window.webContents.id;
  return { clientId: sender.id, isTrusted: isMainFrame && isOurs && isAppUrl(url), url };
}
