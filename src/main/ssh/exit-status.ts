import type { ClientChannel } from 'ssh2';
import type { Problem } from '../../shared/problem.ts';
import { onEnd } from './until-end.ts';

/** What `ssh` itself answers when its connection broke. From a box it comes from such an ssh in between: it says nothing. */
const BROKEN_CONNECTION = 255;

/** How a command on the box ended. Unknown is neither success nor failure: whoever changed something looks again (U1). */
export type ExitStatus =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  /** `because`: why the connection is gone; null where it is not, and the box closed the channel without a word. */
  | { readonly kind: 'unknown'; readonly because: Problem | null };

export function describeEnd(end: ExitStatus): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${end.code}`;
    case 'signalled':
      return `signal ${end.signal}`;
    case 'unknown':
      return end.because?.message ?? 'no exit status';
  }
}

/** The life of the connection under a channel. */
export interface ConnectionLife {
  /** Settles with the reason, which may take a moment to find out. */
  readonly closed: Promise<Problem>;
  /** At once, also while the reason is still being looked for. */
  readonly isGone: () => boolean;
}

/** Settles when the channel is closed, or the connection under it. Never rejects. */
export function exitOf(channel: ClientChannel, life: ConnectionLife): Promise<ExitStatus> {
  let told: ExitStatus | null = null;
  channel.on('exit', (code: number | null, signal?: string) => {
    if (code === BROKEN_CONNECTION) return;
    told = code === null ? signalled(signal) : { kind: 'exited', code };
  });
  // An error on a channel is followed by its close, and the close is what everybody waits for.
  channel.on('error', () => undefined);
  return new Promise((resolve) => {
    const settle = (status: ExitStatus): void => {
      leave();
      resolve(status);
    };
    // A channel whose output nobody read does not report its close when the connection goes.
    const leave = onEnd(life.closed, (because) => resolve(told ?? { kind: 'unknown', because }));
    channel.once('close', () => {
      if (told !== null) settle(told);
      // The channels of a lost connection close first, and the connection right after them.
      else setImmediate(() => life.isGone() || settle({ kind: 'unknown', because: null }));
    });
  });
}

function signalled(signal: string | undefined): ExitStatus {
  return signal === undefined ? { kind: 'unknown', because: null } : { kind: 'signalled', signal };
}
