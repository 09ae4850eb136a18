import type { Terminal } from '@xterm/xterm';

/** What xterm.js (6.0) keeps to itself. */
interface Internals {
  readonly _core: { readonly _writeBuffer: { handleUserInput(): void } };
}

/**
 * Lets a terminal parse what is written next as xterm.js does after a key press: at once, unless older bytes still wait. It would
 * set a timer otherwise, a millisecond and more in which nothing is parsed, up to a second where the window is covered.
 */
export function parseAtOnce(terminal: Terminal): void {
  (terminal as unknown as Internals)._core._writeBuffer.handleUserInput();
}
