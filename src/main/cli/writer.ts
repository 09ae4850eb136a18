import { once } from 'node:events';
import { printable, printableJson } from './printable.ts';

/** Whoever read our output has gone, as with `| head`. The rest of the work is for nobody. */
export class OutputClosed extends Error {}

/** The only way to the terminal: nothing passes unescaped, and nothing piles up when the reader is slow. */
export class Writer {
  readonly #stream: NodeJS.WritableStream;
  #failure: Error | null = null;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure = error.code === 'EPIPE' ? new OutputClosed('output closed') : error;
    });
  }

  line(text = ''): Promise<void> {
    return this.#write(`${printable(text)}\n`);
  }

  async lines(texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.line(text);
  }

  json(value: unknown): Promise<void> {
    return this.#write(`${printableJson(value)}\n`);
  }

  /** One value a line, for streams of them. */
  jsonLine(value: unknown): Promise<void> {
    return this.#write(`${printableJson(value, 0)}\n`);
  }

  /** Resolves when everything written has left this process. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => this.#stream.write('', () => resolve()));
    this.#check();
  }

  async #write(text: string): Promise<void> {
    this.#check();
    if (this.#stream.write(text)) return;
    try {
      await once(this.#stream, 'drain');
    } catch (cause) {
      this.#check();
      throw cause;
    }
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
