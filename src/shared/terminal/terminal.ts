import { z } from 'zod';
import type { Problem } from '../problem.ts';

/** Columns and rows; a terminal beyond this is a mistake or an attack on the box's memory. */
const MAX_CELLS = 1000;
export const terminalSize = z.strictObject({
  cols: z.int().min(2).max(MAX_CELLS),
  rows: z.int().min(1).max(MAX_CELLS),
});
export type TerminalSize = z.infer<typeof terminalSize>;

/** tmux numbers its sessions `$0`, `$1` …, which is the only name for one that is safe to write into a command. */
export const tmuxSessionId = z.string().regex(/^\$\d{1,9}$/);

/** Which tmux session is meant. After a reboot another one has the same id; its time of creation tells them apart. */
export const tmuxSessionKey = z.strictObject({
  id: tmuxSessionId,
  createdAtS: z.int().min(0),
});
export type TmuxSessionKey = z.infer<typeof tmuxSessionKey>;

export interface TmuxSession extends TmuxSessionKey {
  /** As the box wrote it: anything but a line break can be in it. */
  readonly name: string;
  readonly windows: number;
  /** How many terminals show it right now. */
  readonly attached: number;
}

/** A name that Leasehold gives to a session: tmux changes dots and colons, and a shell reads the rest. */
export const newTmuxName = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);

/** What a terminal shows. */
export const terminalTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shell') }),
  z.strictObject({ kind: z.literal('tmux'), session: tmuxSessionKey }),
  z.strictObject({ kind: z.literal('new-tmux'), name: newTmuxName }),
]);
export type TerminalTarget = z.infer<typeof terminalTarget>;

/** What main answers when a terminal is open. Its bytes come over a port of its own. */
export interface OpenedTerminal {
  /** The session that is shown; null for a plain shell. */
  readonly session: TmuxSession | null;
  readonly agent: AgentLending;
}

/**
 * Whether programs in a terminal can use the person's SSH agent. `off`: this box is lent none. `missing`: there is none on
 * this machine. `refused`: the box does not take one.
 */
export type AgentLending = 'off' | 'lent' | 'missing' | 'refused';

/** What a box did with a lent agent, beyond looking at the list of keys. */
export type AgentUse = 'signed' | 'denied';

/** How a terminal stands. */
export type TerminalState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'live' }
  /** The link is gone; the tmux session goes on, and main attaches to it when the link is back. */
  | { readonly kind: 'lost' }
  /** `code` null: the box did not say. */
  | { readonly kind: 'ended'; readonly because: 'exited'; readonly code: number | null }
  /** A plain shell ends with its link. */
  | { readonly kind: 'ended'; readonly because: 'link-lost' }
  | { readonly kind: 'ended'; readonly because: 'failed'; readonly problem: Problem };

/** The answer to asking a box for its tmux sessions. */
export type TmuxListing =
  | { readonly kind: 'not-installed' }
  | {
      readonly kind: 'installed';
      readonly sessions: readonly TmuxSession[];
      /** Lines that could not be read, and sessions beyond the bound. */
      readonly leftOut: number;
    };
