import { FollowedLog, type FollowedLogOptions } from '../followed-log.ts';
import { logKey, type LogName } from '../log-bytes.ts';

/** More than anybody reads at a time; those that nobody looks at go first. */
const MAX_OPEN = 8;

/** The logs of cells of one box: there may be thousands, of which some few are ever looked at. */
export class CellLogs {
  readonly #options: Omit<FollowedLogOptions, 'log' | 'runOf' | 'progressOf'>;
  readonly #logs = new Map<string, FollowedLog>();
  readonly #closing = new Set<Promise<void>>();

  constructor({
    boxId,
    hub,
    roster,
    scripts,
    redact,
  }: Omit<FollowedLogOptions, 'log' | 'runOf' | 'progressOf'>) {
    this.#options = { boxId, hub, roster, scripts, redact };
  }

  open(log: LogName, progressOf: FollowedLogOptions['progressOf']): void {
    const key = logKey(this.#options.boxId, log);
    if (this.#logs.has(key)) return;
    for (const [known, each] of this.#logs) {
      if (this.#logs.size < MAX_OPEN) break;
      if (!each.isWatched) this.#drop(known);
    }
    if (this.#logs.size < MAX_OPEN) {
      this.#logs.set(
        key,
        new FollowedLog({ ...this.#options, log, progressOf, runOf: () => null }),
      );
    }
  }

  /** The link is up. */
  look(): void {
    for (const log of this.#logs.values()) log.look();
  }

  /** The box is another machine. */
  drop(): void {
    for (const key of [...this.#logs.keys()]) this.#drop(key);
  }

  async close(): Promise<void> {
    this.drop();
    await Promise.allSettled(this.#closing);
  }

  #drop(key: string): void {
    const closing = this.#logs
      .get(key)
      ?.close()
      .finally(() => this.#closing.delete(closing as Promise<void>));
    this.#logs.delete(key);
    if (closing !== undefined) this.#closing.add(closing);
  }
}
