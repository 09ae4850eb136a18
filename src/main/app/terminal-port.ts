import { MessageChannelMain, type BrowserWindow, type MessagePortMain } from 'electron';
import { IPC_TERMINAL_PORT } from '../../shared/ipc/names.ts';
import type { TerminalPort } from '../terminal/terminal.ts';
import type { Terminals } from '../terminal/terminals.ts';

/**
 * SECURITY: the port goes to the main frame of the window that asked, right after the router has checked who asked; whoever
 * holds the other end can type into that one terminal and nothing else.
 */
export function handOverPort(
  window: BrowserWindow | null,
  clientId: number,
  terminalId: string,
): TerminalPort | null {
  if (window === null || window.webContents.id !== clientId) return null;
  const { port1, port2 } = new MessageChannelMain();
  window.webContents.postMessage(IPC_TERMINAL_PORT, terminalId, [port2]);
  port1.start();
  return wrap(port1);
}

function wrap(port: MessagePortMain): TerminalPort {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }) => listener(data)),
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  };
}

/** A page that goes away takes its terminals along, also where the loss of a port is noticed late. */
export function closeTerminalsWith(window: BrowserWindow, terminals: Terminals): void {
  const { id } = window.webContents;
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) terminals.closeOfClient(id);
  });
  window.webContents.on('render-process-gone', () => terminals.closeOfClient(id));
  window.on('closed', () => terminals.closeOfClient(id));
}
