import { randomUUID } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  NO_TUNNELS,
  tunnelsStream,
  type TunnelsDelta,
  type TunnelsState,
} from '../../shared/streams/tunnels-stream.ts';
import { CHECK_EVERY_MS } from '../../shared/tunnels/judge-tunnel.ts';
import type { Tunnel, TunnelDraft, TunnelRow } from '../../shared/tunnels/tunnel.ts';
import type { Log } from '../log/log.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { openBulkWay, type BulkWay } from './bulk-way.ts';
import { LiveTunnel, newRow, type TunnelWay } from './live-tunnel.ts';
import type { TunnelStore } from './tunnel-store.ts';

export interface BoxTunnelsOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly store: TunnelStore;
  readonly log: Pick<Log, 'info'>;
  readonly now?: () => number;
  /** Something that was kept could not be read. */
  readonly onProblem: (problem: Problem) => void;
}

/** All tunnels of one box, bound to the life of its link. */
export class BoxTunnels {
  readonly #options: BoxTunnelsOptions;
  readonly #now: () => number;
  readonly #topic: Topic<TunnelsState, TunnelsDelta>;
  readonly #live = new Map<string, LiveTunnel>();
  #connection: SshConnection | null = null;
  #way: TunnelWay | null = null;
  #bulk: BulkWay | null = null;
  #leave = new AbortController();
  #cadence: NodeJS.Timeout | null = null;

  constructor(options: BoxTunnelsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#topic = options.hub.addTopic('tunnels', options.boxId, {
      kind: tunnelsStream,
      initial: NO_TUNNELS,
      onOpened: () => this.#watched(),
    });
    const listed = options.store.list(options.boxId);
    for (const found of listed.ok ? listed.value.unreadable : [listed.error])
      options.onProblem(found);
    for (const tunnel of listed.ok ? listed.value.rows : []) this.#show(tunnel);
  }

  get rows(): readonly TunnelRow[] {
    return this.#topic.state.rows;
  }

  get connection(): SshConnection | null {
    return this.#connection;
  }

  /** The link is up with this connection, or down. Everything that is on follows. */
  useConnection(connection: SshConnection | null): void {
    this.#leave.abort();
    this.#leave = new AbortController();
    this.#connection = connection;
    this.#bulk?.close();
    this.#bulk = null;
    this.#way = connection === null ? null : this.#wayOver(connection);
    for (const live of this.#live.values()) void live.use(this.#way);
  }

  add(draft: TunnelDraft): Result<Tunnel, Problem> {
    return this.#keep({ ...draft, id: randomUUID(), isOn: true });
  }

  change(tunnelId: string, draft: TunnelDraft): Promise<Result<Tunnel, Problem>> {
    return this.#replace(tunnelId, (old) => ({ ...draft, id: old.id, isOn: old.isOn }));
  }

  async setOn(tunnelId: string, isOn: boolean): Promise<Result<null, Problem>> {
    const done = await this.#replace(tunnelId, (old) => ({ ...old, isOn }));
    return done.ok ? ok(null) : done;
  }

  async remove(tunnelId: string): Promise<Result<null, Problem>> {
    const removed = this.#options.store.remove(this.#options.boxId, tunnelId);
    if (!removed.ok) return removed;
    await this.#hide(tunnelId);
    this.#topic.publish({ kind: 'remove', tunnelId });
    return ok(null);
  }

  async check(tunnelId: string): Promise<Result<null, Problem>> {
    const live = this.#live.get(tunnelId);
    if (live?.isListening !== true) {
      return err(
        problem('tunnel-not-open', 'The tunnel is not open, so nothing can be asked through it.'),
      );
    }
    await live.check();
    return ok(null);
  }

  find(tunnelId: string): Result<TunnelRow, Problem> {
    const row = this.rows.find(({ tunnel }) => tunnel.id === tunnelId);
    return row === undefined
      ? err(problem('no-such-tunnel', 'That tunnel is not in the list any more.'))
      : ok(row);
  }

  /** The row once the tunnel is open, or cannot be. */
  async settled(tunnelId: string): Promise<Result<TunnelRow, Problem>> {
    await this.#live.get(tunnelId)?.settled();
    return this.find(tunnelId);
  }

  /** Frees every port; for a box that goes. */
  async close(): Promise<void> {
    this.useConnection(null);
    if (this.#cadence !== null) clearInterval(this.#cadence);
    this.#cadence = null;
    this.#options.hub.removeTopic('tunnels', this.#options.boxId);
    await Promise.all([...this.#live.values()].map((live) => live.close()));
    this.#live.clear();
  }

  async #replace(
    tunnelId: string,
    change: (old: Tunnel) => Tunnel,
  ): Promise<Result<Tunnel, Problem>> {
    const found = this.find(tunnelId);
    if (!found.ok) return found;
    const next = change(found.value.tunnel);
    const kept = this.#options.store.put(this.#options.boxId, next);
    if (!kept.ok) return kept;
    await this.#hide(tunnelId);
    this.#show(next);
    return ok(next);
  }

  #keep(tunnel: Tunnel): Result<Tunnel, Problem> {
    const kept = this.#options.store.put(this.#options.boxId, tunnel);
    if (!kept.ok) return kept;
    this.#show(tunnel);
    return ok(tunnel);
  }

  #show(tunnel: Tunnel): void {
    this.#topic.publish({ kind: 'put', row: newRow(tunnel) });
    if (!tunnel.isOn) return;
    const live = new LiveTunnel({
      tunnel,
      now: this.#now,
      publish: (part) => this.#topic.publish({ kind: 'change', tunnelId: tunnel.id, part }),
      onTraffic: (bytes) => this.#bulk?.count(bytes),
    });
    this.#live.set(tunnel.id, live);
    void live.use(this.#way);
  }

  async #hide(tunnelId: string): Promise<void> {
    const live = this.#live.get(tunnelId);
    this.#live.delete(tunnelId);
    await live?.close();
  }

  #wayOver(connection: SshConnection): TunnelWay {
    const bulk = openBulkWay({ connection, log: this.#options.log });
    this.#bulk = bulk;
    return {
      openStream: bulk.openStream,
      listenOnBox: (at, accept) => connection.listenOnBox(at, accept),
      gone: this.#leave.signal,
    };
  }

  /** Somebody looks: what was not proven lately is asked now, and again and again until nobody looks any more. */
  #watched(): void {
    this.#checkStale();
    this.#cadence ??= setInterval(() => {
      if (this.#topic.isWatched) {
        this.#checkStale();
      } else if (this.#cadence !== null) {
        clearInterval(this.#cadence);
        this.#cadence = null;
      }
    }, CHECK_EVERY_MS);
    this.#cadence.unref();
  }

  #checkStale(): void {
    const nowMs = this.#now();
    for (const { tunnel, answeredAtMs } of this.rows) {
      const ageMs = nowMs - (answeredAtMs ?? -Infinity);
      // A negative age comes from a clock that was set back, and proves nothing.
      if (ageMs >= CHECK_EVERY_MS || ageMs < 0) void this.#live.get(tunnel.id)?.check();
    }
  }
}
