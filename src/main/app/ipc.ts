import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron';
import { IPC_CALL, IPC_EVENT_PREFIX, type EventName } from '../../shared/ipc/names.ts';
import type { IpcEvents } from '../../shared/ipc/contract.ts';
import { isAppUrl } from './app-url.ts';
import type { Route, Sender } from './ipc-router.ts';

/** SECURITY: trusted is only our own page, in the main frame of the window that we made. */
function identify(event: IpcMainInvokeEvent, window: BrowserWindow | null): Sender {
  const { senderFrame, sender } = event;
  const url = senderFrame?.url ?? '';
  const isMainFrame = senderFrame !== null && senderFrame === sender.mainFrame;
  const isOurs = window !== null && !window.isDestroyed() && sender.id === window.webContents.id;
  return { clientId: sender.id, isTrusted: isMainFrame && isOurs && isAppUrl(url), url };
}

export function serveIpc(route: Route, currentWindow: () => BrowserWindow | null): void {
  ipcMain.handle(IPC_CALL, (event, channel: unknown, input: unknown) =>
    route(identify(event, currentWindow()), channel, input),
  );
}

export function sendEvent<E extends EventName>(
  window: BrowserWindow | null,
  event: E,
  payload: IpcEvents[E],
): void {
  if (window === null || window.isDestroyed() || window.webContents.isCrashed()) return;
  window.webContents.send(IPC_EVENT_PREFIX + event, payload);
}
