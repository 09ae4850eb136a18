import { StringDecoder } from 'node:string_decoder';
import { END_LINE, MarkSplitter } from './mark-splitter.ts';
import { MAX_NOISE_CHARS, type RemoteProcess } from './remote-process.ts';

/** What a command prints up to the mark that says that it has ended, and what that mark says. */
export class CommandOutput {
  readonly #remote: RemoteProcess;
  readonly #splitter: MarkSplitter;
  /** The command's own exit code; null: it has not said one. */
  code: number | null = null;
  /** What was printed behind the command. */
  after = '';
  /** All of it was read, up to the end of the channel. */
  isWhole = false;

  constructor(remote: RemoteProcess, mark: string) {
    this.#remote = remote;
    this.#splitter = new MarkSplitter(mark, END_LINE);
  }

  /** The command's own bytes. Read once. */
  async *bytes(): AsyncGenerator<Buffer, void> {
    const decoder = new StringDecoder('utf8');
    for await (const piece of this.#remote.bytes()) {
      if (this.code !== null) {
        this.after += decoder.write(piece);
        if (this.after.length > MAX_NOISE_CHARS) return;
        continue;
      }
      const { before, found } = this.#splitter.push(piece);
      if (found !== null) {
        this.code = Number(found.value);
        this.#remote.endSending();
        this.after = decoder.write(found.rest);
      }
      if (before.length > 0) yield before;
    }
    const rest = this.#splitter.end();
    if (rest.length > 0) yield rest;
    this.isWhole = true;
  }
}
