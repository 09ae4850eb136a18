import type { ResultPlace } from '../../../shared/transfer/result-root.ts';
import { FollowedLog, type FollowedLogOptions } from '../followed-log.ts';
import { logKey, type LogName } from '../log-bytes.ts';

/** More than anybody reads at a time; those that nobody looks at go first. */
const MAX_OPEN = 8;

export interface CellLogsOptions extends Omit<
  FollowedLogOptions,
  'log' | 'resultsOf' | 'onListed' | 'onError' | 'isOver' | 'progressOf'
> {
  /** Where a cell of a queue keeps its results; null: nobody knows, as where the cells of a queue share a folder. */
  readonly cellResultsOf: (queue: string, index: number) => Promise<ResultPlace | null>;
}

/** The logs of cells of one box: there may be thousands, of which some few are ever looked at. */
export class CellLogs {
  readonly #options: CellLogsOptions;
  readonly #logs = new Map<string, FollowedLog>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ boxId, hub, roster, scripts, redact, cellResultsOf }: CellLogsOptions) {
    this.#options = { boxId, hub, roster, scripts, redact, cellResultsOf };
  }

  open(log: LogName, progressOf: FollowedLogOptions['progressOf']): void {
    const key = logKey(this.#options.boxId, log);
    if (this.#logs.has(key)) return;
    for (const [known, each] of this.#logs) {
      if (this.#logs.size < MAX_OPEN) break;
      if (!each.isWatched) this.#drop(known);
    }
    if (this.#logs.size < MAX_OPEN) {
      const { cell } = log;
      const { cellResultsOf, ...options } = this.#options;
      const resultsOf = (): Promise<ResultPlace | null> =>
        cell === undefined ? Promise.resolve(null) : cellResultsOf(cell.queueId, cell.index);
      this.#logs.set(
        key,
        new FollowedLog({
          ...{ ...options, log, progressOf, resultsOf, isOver: () => false },
          // The charts of a box tell of its runs; a thousand cells would hide them.
          ...{ onListed: () => undefined, onError: () => undefined },
        }),
      );
    }
  }

  /** Where the figures of one of them come from; null: from its log. */
  chooseMetrics(log: LogName, source: string | null): void {
    this.#logs.get(logKey(this.#options.boxId, log))?.chooseMetrics(source);
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
