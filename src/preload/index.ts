import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron';
import type { LeaseholdBridge } from '../shared/ipc/contract.ts';
import {
  APP_ORIGIN,
  eventNames,
  IPC_CALL,
  IPC_DROPPED,
  IPC_EVENT_PREFIX,
  IPC_TERMINAL_PORT,
  type TerminalPortMessage,
} from '../shared/ipc/names.ts';

// SECURITY: the window gets these two functions and nothing else of Electron. Neither hands out an event object, and
// `on` listens to the listed names only; which calls exist and what they accept is decided in main.
const bridge: LeaseholdBridge = {
  call: (channel, input) => ipcRenderer.invoke(IPC_CALL, channel, input),
  on: (event, listener) => {
    if (!eventNames.includes(event)) throw new Error('no such event');
    const name = IPC_EVENT_PREFIX + event;
    const forward = (_event: IpcRendererEvent, payload: unknown): void => {
      listener(payload as Parameters<typeof listener>[0]);
    };
    ipcRenderer.on(name, forward);
    return () => void ipcRenderer.off(name, forward);
  },
};

contextBridge.exposeInMainWorld('leasehold', bridge);

// Where a dropped file lies goes to main past the page, which says afterwards where to. SECURITY: only a person's own drop, and main
// asks in the system's dialog before it reads any of them.
window.addEventListener(
  'drop',
  ({ isTrusted, dataTransfer }) => {
    if (!isTrusted || dataTransfer === null) return;
    ipcRenderer.send(IPC_DROPPED, [...dataTransfer.files].map(pathOf));
  },
  true,
);

/** The oldest runtime (decision 1) has no `webUtils`, and tells it in the file. */
function pathOf(file: File & { readonly path?: string }): string {
  return (webUtils as typeof webUtils | undefined)?.getPathForFile(file) ?? file.path ?? '';
}

// A port cannot cross the bridge, which copies; a message to our own origin can carry it. SECURITY: only main's message
// starts this, and a page of another origin would get nothing (decision 13).
ipcRenderer.on(IPC_TERMINAL_PORT, ({ ports }, terminalId: string) => {
  const message: TerminalPortMessage = { kind: IPC_TERMINAL_PORT, terminalId };
  window.postMessage(message, APP_ORIGIN, [...ports]);
});
