import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { BoxRoster } from './box-roster.ts';

/** A roster whose boxes have no link of their own: they are reached as the test says. */
export class ReachedRoster extends BoxRoster {
  readonly #reach: () => SshConnection | null;

  constructor(hub: StreamHub, reach: () => SshConnection | null) {
    super(hub);
    this.#reach = reach;
  }

  override connectionOf(): SshConnection | null {
    return this.#reach();
  }
}
