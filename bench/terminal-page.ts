// Runs inside the window, sent there as text: it must not refer to anything outside of itself.

export interface Flood {
  /** SHA-256 over the SHA-256 of each MiB, in order; null where nobody asked for it. */
  readonly hash: string | null;
  readonly bytes: number;
  /** From the first byte that arrived to the moment when xterm had parsed the last one. */
  readonly ms: number;
  /** From a key event to the frame that draws its echo. */
  readonly echoMs: readonly number[];
}

export interface BenchWindow {
  /**
   * Begins at the byte 0x01 and ends after `bytes` others, echoes (~) left out. Hashing costs the window and its core about a
   * tenth of what it measures, so what is timed is not hashed.
   */
  expectFlood(bytes: number, isHashed: boolean): Promise<Flood>;
}

/** Looks over the app's shoulder: the same port, a listener more, and an ear on what the app sends back. */
export function watchPorts(): void {
  const BLOCK = 1024 * 1024;
  const ECHO = 126;
  let onBytes: (bytes: Uint8Array) => void = () => undefined;
  /** Everything of this port so far; the app answers for several messages together. */
  let received = 0;
  let parsed = 0;
  let onParsed: () => void = () => undefined;
  window.addEventListener('message', (event: MessageEvent<{ kind?: unknown }>) => {
    const [port] = event.ports;
    if (port === undefined || event.data.kind !== 'leasehold:terminal-port') return;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!(data instanceof Uint8Array)) return;
      received += data.length;
      onBytes(data);
    });
    const post = port.postMessage.bind(port) as (message: unknown) => void;
    Object.assign(port, {
      postMessage: (message: { kind: string; bytes?: number }) => {
        if (message.kind === 'ack') {
          parsed += message.bytes ?? 0;
          onParsed();
        }
        post(message);
      },
    });
  });

  const bench: BenchWindow = {
    expectFlood: (expected, isHashed) =>
      new Promise((resolve) => {
        const block = new Uint8Array(BLOCK);
        const digests: Promise<ArrayBuffer>[] = [];
        const pressed: number[] = [];
        const echoMs: number[] = [];
        /** Key presses whose echo xterm has parsed, and not drawn yet. */
        let undrawn: number[] = [];
        const rows = document.querySelector('.xterm-rows');
        const drawn = new MutationObserver(() => {
          const nowMs = performance.now();
          for (const atMs of undrawn) echoMs.push(nowMs - atMs);
          undrawn = [];
        });
        // Echoes and the end wait until the message that they came in is acknowledged.
        const messages: { end: number; echoes: number; isLast: boolean }[] = [];
        let filled = 0;
        let total = 0;
        let startedMs: number | null = null;
        const flush = (): void => {
          digests.push(crypto.subtle.digest('SHA-256', block.slice(0, filled)));
          filled = 0;
        };
        const onKey = (event: KeyboardEvent): void => {
          if (event.key !== '~') return;
          pressed.push(event.timeStamp);
          if (rows !== null) drawn.observe(rows, { childList: true, subtree: true });
        };
        window.addEventListener('keydown', onKey, { capture: true });
        onBytes = (bytes) => {
          const message = { end: received, echoes: 0, isLast: false };
          messages.push(message);
          let at = 0;
          if (startedMs === null) {
            at = bytes.indexOf(1) + 1;
            if (at === 0) return;
            startedMs = performance.now();
          }
          if (!isHashed) {
            total += bytes.length - at;
            at = bytes.length;
          }
          const isClean = bytes.indexOf(ECHO, at) === -1;
          while (at < bytes.length && total < expected) {
            if (!isClean && bytes[at] === ECHO) {
              message.echoes += 1;
              at += 1;
              continue;
            }
            const stop = isClean ? bytes.length : at + 1;
            const take = Math.min(stop - at, BLOCK - filled, expected - total);
            block.set(bytes.subarray(at, at + take), filled);
            filled += take;
            total += take;
            at += take;
            if (filled === BLOCK) flush();
          }
          message.isLast = total >= expected;
        };
        onParsed = () => {
          let isOver = false;
          for (; messages[0] !== undefined && messages[0].end <= parsed; messages.shift()) {
            for (const atMs of pressed.splice(0, messages[0].echoes)) undrawn.push(atMs);
            isOver ||= messages[0].isLast;
          }
          if (!isOver) return;
          onBytes = () => undefined;
          onParsed = () => undefined;
          drawn.disconnect();
          window.removeEventListener('keydown', onKey, { capture: true });
          const ms = performance.now() - (startedMs ?? 0);
          if (!isHashed) {
            resolve({ hash: null, bytes: total, ms, echoMs });
            return;
          }
          if (filled > 0) flush();
          void Promise.all(digests)
            .then((parts) => new Blob(parts).arrayBuffer())
            .then((all) => crypto.subtle.digest('SHA-256', all))
            .then((digest) => {
              const hash = [...new Uint8Array(digest)]
                .map((byte) => byte.toString(16).padStart(2, '0'))
                .join('');
              resolve({ hash, bytes: total, ms, echoMs });
            });
        };
      }),
  };
  Object.assign(window, { bench });
}

export interface ParseRequest {
  readonly block: string;
  readonly blocks: number;
  readonly cols: number;
  readonly rows: number;
  readonly scrollback: number;
  readonly chunkBytes: number;
  readonly pendingBytes: number;
}

/** What xterm.js itself parses from memory, in the state of the app's own: same size, widths and focus, each frame drawn. Answers MB per second. */
export async function parseFromMemory(request: ParseRequest): Promise<number> {
  const { block, blocks, cols, rows, scrollback, chunkBytes, pendingBytes } = request;
  const { Terminal, Unicode11Addon } = window as unknown as {
    Terminal: new (options: object) => {
      open(host: HTMLElement): void;
      focus(): void;
      loadAddon(addon: object): void;
      readonly unicode: { activeVersion: string };
      write(bytes: Uint8Array, done: () => void): void;
      dispose(): void;
    };
    Unicode11Addon: { readonly Unicode11Addon: new () => object };
  };
  const source = new TextEncoder().encode(block);
  const host = document.createElement('div');
  host.style.cssText = 'position:fixed;inset:0;z-index:1000';
  document.body.append(host);
  const terminal = new Terminal({
    allowProposedApi: true,
    cols,
    rows,
    scrollback,
    fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace",
    fontSize: 13,
    minimumContrastRatio: 4.5,
  });
  terminal.loadAddon(new Unicode11Addon.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  terminal.open(host);
  terminal.focus();
  const total = source.length * blocks;
  const startedMs = performance.now();
  await new Promise<void>((resolve) => {
    let written = 0;
    let parsed = 0;
    const fill = (): void => {
      while (written < total && written - parsed < pendingBytes) {
        const at = written % source.length;
        const chunk = source.slice(at, at + Math.min(chunkBytes, source.length - at));
        written += chunk.length;
        terminal.write(chunk, () => {
          parsed += chunk.length;
          if (parsed === total) resolve();
          else fill();
        });
      }
    };
    fill();
  });
  const seconds = (performance.now() - startedMs) / 1000;
  terminal.dispose();
  host.remove();
  return total / 1e6 / seconds;
}
