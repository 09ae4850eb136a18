/** A kernel or log line is far shorter; a line without an end must not become memory. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Cuts a stream into lines, whatever pieces it comes in. Of an endless line only the beginning is handed over, once. */
export class LineSplitter {
  readonly #onLine: (line: string, isCut: boolean) => void;
  readonly #isExact: boolean;
  #carry = '';
  #isSkipping = false;

  /** `isExact`: a carriage return at its end belongs to the line, as where it ends with the name of a file. */
  constructor(onLine: (line: string, isCut: boolean) => void, { isExact = false } = {}) {
    this.#onLine = onLine;
    this.#isExact = isExact;
  }

  push(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      this.#finish(chunk.slice(start, end));
      start = end + 1;
    }
    if (this.#isSkipping) return;
    this.#carry += chunk.slice(start);
    if (this.#carry.length <= MAX_LINE_CHARS) return;
    this.#isSkipping = true;
    this.#onLine(this.#carry.slice(0, MAX_LINE_CHARS), true);
    this.#carry = '';
  }

  /** The stream is over: the last line may lack its newline. */
  end(): void {
    if (this.#carry !== '') this.#finish('');
    this.#isSkipping = false;
  }

  #finish(rest: string): void {
    const line = this.#carry + rest;
    const isRestOfCut = this.#isSkipping;
    this.#carry = '';
    this.#isSkipping = false;
    if (isRestOfCut) return;
    if (line.length > MAX_LINE_CHARS) this.#onLine(line.slice(0, MAX_LINE_CHARS), true);
    else this.#onLine(!this.#isExact && line.endsWith('\r') ? line.slice(0, -1) : line, false);
  }
}
