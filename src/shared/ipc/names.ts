// Kept apart from the contract because preload needs these few names and must stay tiny: no schema library in it.

/** The window's pages come from our own scheme: `file://` would make every file on this machine same-origin. */
export const APP_SCHEME = 'leasehold';
export const APP_HOST = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/** The one name under which all calls travel; the channel is part of the message, so an unknown one gets an answer. */
export const IPC_CALL = 'leasehold:call';

/** Where files lie that a person dropped on the window: preload tells main, and the page never hears it. */
export const IPC_DROPPED = 'leasehold:dropped';

/** What main sends by itself; each travels under its own name with this prefix. */
export const IPC_EVENT_PREFIX = 'leasehold:event:';
export const eventNames = ['stream:batch', 'command'] as const;
export type EventName = (typeof eventNames)[number];

/** Main hands over the port of a terminal under this name, with the terminal's id. */
export const IPC_TERMINAL_PORT = 'leasehold:terminal-port';
/** What preload then posts to the page, together with the port. */
export interface TerminalPortMessage {
  readonly kind: typeof IPC_TERMINAL_PORT;
  readonly terminalId: string;
}
