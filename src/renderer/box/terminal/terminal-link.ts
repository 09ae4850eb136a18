import { IPC_TERMINAL_PORT, type TerminalPortMessage } from '../../../shared/ipc/names.ts';
import {
  ACK_BYTES,
  BATCH_BYTES,
  MAX_INPUT_CHARS,
  type TerminalNews,
} from '../../../shared/terminal/port-messages.ts';
import type { TerminalRequest } from '../../../shared/terminal/port-requests.ts';
import type { TerminalSize } from '../../../shared/terminal/terminal.ts';

export interface LinkEvents {
  /** Bytes for xterm; `done` when it has parsed them. */
  readonly onBytes: (bytes: Uint8Array, done: () => void) => void;
  readonly onNews: (news: TerminalNews) => void;
}

/** The window's end of a terminal's port. */
export interface TerminalLink {
  send(kind: 'input' | 'binary', text: string): void;
  resize(size: TerminalSize): void;
  close(): void;
}

// A port and the answer to `terminal:open` travel different ways; either can be the first.
const arrived = new Map<string, MessagePort>();
const awaited = new Map<string, (port: MessagePort) => void>();
let isListening = false;

/** Called before `terminal:open`, so that no port is missed. */
export function listenForPorts(): void {
  if (isListening) return;
  isListening = true;
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    // SECURITY: only preload, which runs in this very window, posts these.
    if (event.source !== window || !isPortMessage(event.data)) return;
    const { terminalId } = event.data;
    const [port] = event.ports;
    if (port === undefined) return;
    const take = awaited.get(terminalId);
    awaited.delete(terminalId);
    if (take === undefined) arrived.set(terminalId, port);
    else take(port);
  });
}

function isPortMessage(data: unknown): data is TerminalPortMessage {
  return (
    typeof data === 'object' && data !== null && 'kind' in data && data.kind === IPC_TERMINAL_PORT
  );
}

function takePort(terminalId: string): Promise<MessagePort> {
  const port = arrived.get(terminalId);
  arrived.delete(terminalId);
  if (port !== undefined) return Promise.resolve(port);
  return new Promise((resolve) => awaited.set(terminalId, resolve));
}

/** Takes the port that main has handed over for this terminal; for after main has said so. */
export async function takeLink(
  terminalId: string,
  { onBytes, onNews }: LinkEvents,
): Promise<TerminalLink> {
  const port = await takePort(terminalId);
  const post = (request: TerminalRequest): void => port.postMessage(request);
  let unanswered = 0;
  const parsed = (length: number): void => {
    unanswered += length;
    if (unanswered < ACK_BYTES && length === BATCH_BYTES) return; // another follows
    post({ kind: 'ack', bytes: unanswered });
    unanswered = 0;
  };
  port.onmessage = ({ data }: MessageEvent<Uint8Array | TerminalNews>) => {
    if (data instanceof Uint8Array) {
      const { length } = data;
      onBytes(data, () => parsed(length));
    } else {
      onNews(data);
    }
  };
  return {
    send: (kind, text) => {
      for (const part of cut(text)) post({ kind, text: part });
    },
    resize: (size) => post({ kind: 'resize', size }),
    close: () => {
      post({ kind: 'close' });
      port.close();
    },
  };
}

/** In pieces that main accepts, never through the middle of a character. */
export function cut(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + MAX_INPUT_CHARS, text.length);
    const isInsidePair = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const stop = isInsidePair ? end - 1 : end;
    parts.push(text.slice(at, stop));
    at = stop;
  }
  return parts;
}
