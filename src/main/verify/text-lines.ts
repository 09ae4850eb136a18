import { Damaged } from './damage.ts';
import { StrictUtf8 } from './utf8.ts';

/** A line of a log or a table; what is longer is no line that anybody wrote. */
export const MAX_LINE_CHARS = 8 * 1024 * 1024;

/** A text that comes in pieces, line by line and strictly as UTF-8. */
export class TextLines {
  readonly #decoder = new StrictUtf8();
  readonly #onLine: (line: string, no: number) => void;
  #rest = '';
  #no = 0;

  constructor(onLine: (line: string, no: number) => void) {
    this.#onLine = onLine;
  }

  take(piece: Uint8Array): void {
    this.#add(this.#decoder.decode(piece, true));
  }

  /** The last line may lack its end. */
  end(): void {
    this.#add(this.#decoder.decode(new Uint8Array(0)));
    if (this.#rest !== '') this.#tell(this.#rest);
  }

  #add(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#tell(this.#rest + line);
      this.#rest = '';
    }
    this.#rest += last;
    if (this.#rest.length > MAX_LINE_CHARS) {
      throw new Damaged(`line ${String(this.#no + 1)} has no end`);
    }
  }

  #tell(line: string): void {
    this.#no += 1;
    this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line, this.#no);
  }
}
