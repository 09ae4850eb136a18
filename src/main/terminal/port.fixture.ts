import type { TerminalNews } from '../../shared/terminal/port-messages.ts';
import type { TerminalPort } from './terminal.ts';

/** Stands where Electron's port stands: the window that holds the other end consumes what it gets. */
export interface FakeWindowPort extends TerminalPort {
  /** Everything that was printed so far. */
  readonly text: string;
  readonly news: readonly TerminalNews[];
  readonly isClosed: boolean;
  /** Sends from the window to main. */
  send(message: unknown): void;
  /** The window goes away. */
  vanish(): void;
  /** Resolves when text and news satisfy. */
  until(isEnough: (port: FakeWindowPort) => boolean): Promise<void>;
}

export function fakeWindowPort({ acknowledges = true } = {}): FakeWindowPort {
  let text = '';
  let isClosed = false;
  const news: TerminalNews[] = [];
  let listener: (message: unknown) => void = () => undefined;
  let onClose: () => void = () => undefined;
  const waiting = new Set<() => void>();
  const port: FakeWindowPort = {
    get text() {
      return text;
    },
    get isClosed() {
      return isClosed;
    },
    news,
    post: (message) => {
      if (message instanceof Uint8Array) {
        text += Buffer.from(message).toString('utf8');
        if (acknowledges) listener({ kind: 'ack', bytes: message.length });
      } else {
        news.push(message);
      }
      for (const check of [...waiting]) check();
    },
    onMessage: (next) => (listener = next),
    onClose: (next) => (onClose = next),
    close: () => (isClosed = true),
    send: (message) => listener(message),
    vanish: () => onClose(),
    until: (isEnough) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isEnough(port)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  return port;
}

export const lastState = ({ news }: FakeWindowPort): unknown =>
  news.flatMap((each) => (each.kind === 'state' ? [each.state] : [])).at(-1);
