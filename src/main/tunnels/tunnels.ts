import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Endpoint } from '../../shared/tunnels/tunnel.ts';
import type { Log } from '../log/log.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { BoxTunnels } from './box-tunnels.ts';
import { SESSION_STORE, type TunnelStore } from './tunnel-store.ts';

/** What lives as long as a box is in the list and follows its link. */
export interface LinkFollower {
  useConnection(connection: SshConnection | null): void;
  close(): void;
}

export interface FollowedTunnels extends LinkFollower {
  /** Where the tunnels lead on the box. */
  targets(): readonly Endpoint[];
}

export interface TunnelsOptions {
  readonly hub: StreamHub;
  readonly store: TunnelStore;
  readonly log: Pick<Log, 'info'>;
  readonly onProblem: (problem: Problem) => void;
}

/** The tunnels of all boxes. */
export class Tunnels {
  readonly #options: TunnelsOptions;
  readonly #boxes = new Map<string, BoxTunnels>();
  /** Boxes that went and whose ports are still being freed. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: TunnelsOptions) {
    this.#options = options;
  }

  /** Shows a box's tunnels and keeps them on its link until it is closed. */
  follow(boxId: string, { isStored }: { readonly isStored: boolean }): FollowedTunnels {
    const { hub, store, log, onProblem } = this.#options;
    const tunnels = new BoxTunnels({
      boxId,
      hub,
      store: isStored ? store : SESSION_STORE,
      onProblem,
      log,
    });
    this.#boxes.set(boxId, tunnels);
    return {
      useConnection: (connection) => tunnels.useConnection(connection),
      targets: () =>
        tunnels.rows.flatMap(({ tunnel: { kind, target } }) =>
          kind === 'local' && target !== null ? [target] : [],
        ),
      close: () => {
        this.#boxes.delete(boxId);
        const closed = tunnels.close().finally(() => this.#closing.delete(closed));
        this.#closing.add(closed);
      },
    };
  }

  of(boxId: string): Result<BoxTunnels, Problem> {
    const tunnels = this.#boxes.get(boxId);
    return tunnels === undefined ? noSuchBox() : ok(tunnels);
  }

  /** Resolves when every port of closed boxes is free. */
  async settled(): Promise<void> {
    await Promise.all(this.#closing);
  }
}
