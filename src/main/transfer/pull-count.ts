import type { PullFile, PullProgress, PullRetry } from '../../shared/transfer/pull.ts';
import type { PullWay } from '../../shared/transfer/pull-way.ts';
import type { PullOptions } from './one-pull.ts';
import { slowestOf } from './pace.ts';
import type { KeptPull } from './plan-pull.ts';

/** Bytes that come, until it is known what has become of them. */
export interface ByteCounter {
  readonly add: (bytes: number) => void;
  readonly undo: () => void;
}

/** How far a pull is, told with every piece of a file. Files of which a turn settles thousands are told together. */
export class PullCount {
  readonly #of: Pick<PullProgress, 'runId' | 'files' | 'bytes' | 'isRound'>;
  /** Of ten thousands of files it is summed up once. */
  readonly #bytesOf: ReadonlyMap<string, number>;
  readonly #options: Pick<PullOptions, 'onProgress' | 'paces'>;
  #stage: PullProgress['stage'] = 'hashing';
  #doneFiles = 0;
  #doneBytes = 0;
  #mostBytes = 0;
  #hashedBytes = 0;
  #hashedFiles = 0;
  #way: PullWay | undefined;
  #soon: NodeJS.Immediate | null = null;

  constructor(
    { run, shown, round }: KeptPull,
    wanted: readonly PullFile[],
    options: Pick<PullOptions, 'onProgress' | 'paces'>,
  ) {
    const isRound = round === undefined ? {} : ({ isRound: true } as const);
    this.#of = { runId: run.id, files: wanted.length, bytes: shown.bytes, ...isRound };
    this.#bytesOf = new Map(wanted.map((file) => [file.path, file.bytes]));
    this.#options = options;
  }

  /** How far it ever was: what was cut off counts no more as done, and is not sent again. */
  get mostBytes(): number {
    return this.#mostBytes;
  }

  tell(stage: PullProgress['stage'] = this.#stage, retry?: PullRetry): void {
    this.#stage = stage;
    if (this.#soon !== null) clearImmediate(this.#soon);
    this.#soon = null;
    const limit = slowestOf(this.#options.paces ?? []);
    this.#options.onProgress({
      ...{ ...this.#of, stage, doneFiles: this.#doneFiles, doneBytes: this.#doneBytes },
      ...{ hashedBytes: this.#hashedBytes, hashedFiles: this.#hashedFiles },
      ...(this.#way === undefined ? {} : { way: this.#way }),
      ...(retry === undefined ? {} : { retry }),
      ...(limit === null ? {} : { limitBytesPerS: limit }),
    });
  }

  goesBy(way: PullWay): void {
    this.#way = way;
    this.tell();
  }

  /** Small files come compressed from now on, or no longer. */
  packs(packs: boolean): void {
    if (this.#way === undefined || packs === (this.#way.packs === true)) return;
    const { over, because } = this.#way;
    this.#way = packs ? { over, because, packs } : { over, because };
    this.tell();
  }

  hashed(path: string): void {
    this.#hashedFiles += 1;
    this.#hashedBytes += this.#bytesOf.get(path) ?? 0;
    this.#tellSoon();
  }

  /** All of its bytes are here. */
  has({ bytes }: Pick<PullFile, 'bytes'>): void {
    this.#doneBytes += bytes;
  }

  settled(): void {
    this.#doneFiles += 1;
    this.#stage = 'pulling';
    this.#tellSoon();
  }

  /** What is still to be told is told now. */
  tellRest(): void {
    if (this.#soon !== null) this.tell();
  }

  #tellSoon(): void {
    this.#soon ??= setImmediate(() => this.tell());
  }

  counter(): ByteCounter {
    let counted = 0;
    return {
      add: (bytes) => {
        counted += bytes;
        this.#doneBytes += bytes;
        this.#mostBytes = Math.max(this.#mostBytes, this.#doneBytes);
        this.tell('pulling');
      },
      undo: () => {
        this.#doneBytes -= counted;
        counted = 0;
      },
    };
  }
}
