import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { LedgerTable, StoredChange } from '../storage/ledger-table.ts';
import type { MeteredBox } from './metered-box.ts';

/** A crash loses no more than this of what was observed, and gets it back as inferred. */
const WRITE_EVERY_MS = 30_000;

interface LedgerWriterOptions {
  readonly ledger: Pick<LedgerTable, 'write'>;
  readonly onProblem: (found: Problem) => void;
  readonly upMs: () => number;
}

/** Brings to the disk what has happened, of all boxes at once. */
export class LedgerWriter {
  readonly #options: LedgerWriterOptions;
  #lastMs: number;
  /** Told once, not every half minute. */
  #isRefused = false;

  constructor(options: LedgerWriterOptions) {
    this.#options = options;
    this.#lastMs = options.upMs();
  }

  writeWhenDue(boxes: ReadonlyMap<string, MeteredBox>): void {
    if (this.#options.upMs() - this.#lastMs >= WRITE_EVERY_MS) this.write(boxes);
  }

  /** What the disk refuses is kept and tried again: the ledger loses nothing to a disk that is full for an hour. */
  write(boxes: ReadonlyMap<string, MeteredBox>): Result<null, Problem> {
    this.#lastMs = this.#options.upMs();
    const changes: StoredChange[] = [];
    for (const [boxId, { account, isKept }] of boxes) {
      account.collect();
      if (!isKept) account.written();
      for (const change of account.unwritten) changes.push({ boxId, change });
    }
    const written = this.#options.ledger.write(changes);
    if (written.ok) for (const { account } of boxes.values()) account.written();
    else if (!this.#isRefused) this.#options.onProblem(written.error);
    this.#isRefused = !written.ok;
    return written;
  }
}
