import type { BrowserWindow } from 'electron';
import type { WindowCommand } from '../../shared/ipc/contract.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { sendEvent } from './ipc.ts';
import { followPace } from './window-pace.ts';
import { bringToFront } from './window.ts';

/** The app's one window: it may be closed and made again, while tray and links live on. */
export class MainWindow {
  #window: BrowserWindow | null = null;
  readonly #create: () => BrowserWindow;

  constructor(create: () => BrowserWindow) {
    this.#create = create;
  }

  get current(): BrowserWindow | null {
    return this.#window !== null && !this.#window.isDestroyed() ? this.#window : null;
  }

  get isInFront(): boolean {
    return this.current?.isFocused() ?? false;
  }

  show(): void {
    if (this.current !== null) bringToFront(this.current);
    else this.#window = this.#create();
  }

  /** Brings the window up and hands it a command, as menu, tray and notifications do. */
  command(command: WindowCommand): void {
    const wasOpen = this.current !== null;
    this.show();
    const send = (): void => sendEvent(this.#window, 'command', command);
    if (wasOpen) send();
    else this.#window?.webContents.once('did-finish-load', send);
  }
}

/** Tells the hub how visible the window is, so that nobody computes for a window that nobody sees. */
export function connectToHub(window: BrowserWindow, hub: StreamHub): void {
  const { id } = window.webContents;
  hub.addClient(id, (batch) => sendEvent(window, 'stream:batch', batch));
  followPace(window, (pace) => hub.setPace(id, pace));
  // A page that loads again has forgotten its subscriptions.
  window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) hub.resetClient(id);
  });
  window.on('closed', () => hub.removeClient(id));
}
