import type { AgentUse, TerminalState } from './terminal.ts';

// What travels over a terminal's own MessagePort. Main → window: bytes as they are (Uint8Array), or a `TerminalNews`.

/**
 * How many bytes may be on their way between the box and xterm's parser, which reads 10 to 40 MB/s in slices of 12 ms. An echo
 * waits behind all of them (decision 13 has the figures): less starves the parser, more brings nothing.
 */
export const IN_FLIGHT_BYTES = 384 * 1024;

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
