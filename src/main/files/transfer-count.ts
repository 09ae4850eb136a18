import type { FileTransfer } from '../../shared/files/file-transfer.ts';

/** Pieces come by the thousand; a bar moves smoothly with this. */
const TOLD_EVERY_MS = 50;

/** How far a transfer is, told now and then. */
export class TransferCount {
  readonly #way: FileTransfer['way'];
  readonly #size: Pick<FileTransfer, 'files' | 'bytes'>;
  readonly #tell: (transfer: FileTransfer) => void;
  #toldMs = -Infinity;
  /** Also of files that failed. */
  #passed = 0;
  doneFiles = 0;
  doneBytes = 0;

  constructor(
    way: FileTransfer['way'],
    jobs: readonly { readonly bytes: number }[],
    tell: (transfer: FileTransfer) => void,
  ) {
    this.#way = way;
    this.#size = { files: jobs.length, bytes: jobs.reduce((sum, { bytes }) => sum + bytes, 0) };
    this.#tell = tell;
    this.#publish();
  }

  add(bytes: number): void {
    this.doneBytes += bytes;
    if (performance.now() - this.#toldMs >= TOLD_EVERY_MS) this.#publish();
  }

  end(isDone: boolean): void {
    this.#passed += 1;
    if (isDone) this.doneFiles += 1;
    this.#publish();
  }

  #publish(): void {
    this.#toldMs = performance.now();
    this.#tell({
      ...this.#size,
      way: this.#way,
      doneFiles: this.#passed,
      doneBytes: this.doneBytes,
    });
  }
}
