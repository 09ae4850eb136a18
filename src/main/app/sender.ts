import { isAppUrl } from './app-url.ts';
import type { Sender } from './ipc-router.ts';

interface Frame {
  readonly url: string;
}

/** What is asked of a message's origin. */
export interface MessageOrigin {
  readonly sender: { readonly id: number; readonly mainFrame: Frame };
  /** Null: the frame is gone. */
  readonly senderFrame: Frame | null;
}

export interface OwnWindow {
  isDestroyed(): boolean;
  readonly webContents: { readonly id: number };
}

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
