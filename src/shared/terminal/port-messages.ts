import type { AgentUse, TerminalState } from './terminal.ts';

// What travels over a terminal's own MessagePort. Main → window: bytes as they are (Uint8Array), or a `TerminalNews`.

/**
 * How many bytes may be on their way between the box and xterm's parser, which reads 10 to 40 MB/s. An echo
 * waits behind all of them (decision 13 has the figures): less starves the parser, more brings nothing.
 */
export const IN_FLIGHT_BYTES = 512 * 1024;
/** The window answers for that many bytes together: an answer to each message would cost both sides more than it brings. */
export const ACK_BYTES = 96 * 1024;
/**
 * The largest message with bytes, and a message of just this size is followed by another. Xterm parses it in a few milliseconds.
 * With its envelope it stays below 64 KiB: from there on Chromium makes a piece of shared memory for each message, which costs
 * main half as much again.
 */
export const BATCH_BYTES = 60 * 1024;

/** The window cuts longer input; a key press has a few bytes, a paste has many. */
export const MAX_INPUT_CHARS = 16 * 1024;
/** Input that the box has not taken yet. More is refused, and the window says so. */
export const MAX_PENDING_INPUT_BYTES = 2 * 1024 * 1024;

export type TerminalNews =
  | { readonly kind: 'state'; readonly state: TerminalState }
  /** The box does not read; this much input was not sent. */
  | { readonly kind: 'input-refused'; readonly bytes: number }
  /** The box had the lent agent sign, or asked it for something that no box gets. */
  | { readonly kind: 'agent-use'; readonly use: AgentUse };
