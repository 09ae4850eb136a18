import { ipcMain, type BrowserWindow } from 'electron';
import { IPC_CALL, IPC_DROPPED, IPC_EVENT_PREFIX, type EventName } from '../../shared/ipc/names.ts';
import type { IpcEvents } from '../../shared/ipc/contract.ts';
import type { DroppedFiles } from './dropped-files.ts';
import type { Route } from './ipc-router.ts';
import { identifySender } from './sender.ts';

export function serveIpc(route: Route, currentWindow: () => BrowserWindow | null): void {
  ipcMain.handle(IPC_CALL, (event, channel: unknown, input: unknown) =>
    route(identifySender(event, currentWindow()), channel, input),
  );
}

/** What a person drops on the window. */
export function serveDrops(drops: DroppedFiles, currentWindow: () => BrowserWindow | null): void {
  ipcMain.on(IPC_DROPPED, (event, paths: unknown) => {
    if (identifySender(event, currentWindow()).isTrusted) drops.dropped(paths);
  });
}

export function sendEvent<E extends EventName>(
  window: BrowserWindow | null,
  event: E,
  payload: IpcEvents[E],
): void {
  if (window === null || window.isDestroyed() || window.webContents.isCrashed()) return;
  window.webContents.send(IPC_EVENT_PREFIX + event, payload);
}
