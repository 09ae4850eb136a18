import type { PullFile } from '../../shared/transfer/pull.ts';

/** What is packed already: weights and pictures shrink by a tenth at most, archives by nothing. */
const PACKED =
  /\.(?:safetensors|pt|pth|bin|ckpt|onnx|gguf|h5|hdf5|keras|npz|zip|t?gz|bz2|xz|zst|7z|whl|png|jpe?g|gif|webp|mp4|webm|parquet|arrow|wandb)$/i;
/** Less is not worth the work on both sides. */
const LEAST_RATIO = 1.25;

export interface Came {
  /** What `begin` answered. */
  readonly beganMs: number;
  /** Of the files, as they are. */
  readonly fileBytes: number;
  /** That came over the link. */
  readonly sentBytes: number;
  readonly isPacked: boolean;
}

export interface PackingOptions {
  /** A slower link is worth compressing for. */
  readonly slowBytesPerS: number;
  /** As a person has set it; null: none. */
  readonly limitBytesPerS: number | null;
  readonly onPacks: (packs: boolean) => void;
}

/**
 * Whether small files come compressed: where the link is slow, they shrink, and more of them comes in a second so. Each is found by what comes: nothing
 * is compressed before the first of them are here, and nothing more once it was not worth it.
 */
export class Packing {
  readonly #slowBytesPerS: number;
  readonly #limitBytesPerS: number;
  readonly #onPacks: (packs: boolean) => void;
  /** As files came that were not compressed; null: none has. */
  #bytesPerS: number | null = null;
  #isWorth = true;
  #packs = false;
  #underWay = 0;
  /** One of them is under way, or about to be. */
  #hasFirst = false;
  readonly #waiting: (() => void)[] = [];

  constructor({ slowBytesPerS, limitBytesPerS, onPacks }: PackingOptions) {
    this.#slowBytesPerS = slowBytesPerS;
    this.#limitBytesPerS = limitBytesPerS ?? Infinity;
    this.#onPacks = onPacks;
  }

  /** Over once the first of these streams has come, where the next ones are to be asked for by what it says. */
  async first(): Promise<void> {
    if (this.#bytesPerS !== null) return;
    if (!this.#hasFirst) {
      this.#hasFirst = true;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Before they are asked for. */
  packs(files: readonly Pick<PullFile, 'path' | 'bytes'>[]): boolean {
    if (this.#bytesPerS === null || !this.#isWorth || this.#rate >= this.#slowBytesPerS) {
      return false;
    }
    let [all, packed] = [0, 0];
    for (const { path, bytes } of files) {
      all += bytes;
      if (PACKED.test(path)) packed += bytes;
    }
    if (packed * 2 > all) return false;
    this.#tell(true);
    return true;
  }

  /** A stream is asked for. */
  begin(): number {
    this.#underWay += 1;
    return performance.now();
  }

  /** Called for each that began; null: it did not come to its end. */
  end(came: Came | null): void {
    if (came !== null) this.#learn(came);
    this.#underWay -= 1;
    this.#hasFirst = false;
    for (const release of this.#waiting.splice(0)) release();
  }

  /** Nothing more is compressed: it was not worth it. Also called where nothing could be unpacked of what came. */
  giveUp(): void {
    this.#isWorth = false;
    this.#tell(false);
  }

  /** Of several at once each has a part of the link. */
  #learn({ beganMs, fileBytes, sentBytes, isPacked }: Came): void {
    const perS = (bytes: number): number =>
      (bytes / Math.max(1, performance.now() - beganMs)) * 1000 * this.#underWay;
    if (!isPacked) {
      // What runs beside it makes one late, and not each.
      this.#bytesPerS = Math.max(this.#bytesPerS ?? 0, perS(sentBytes));
      return;
    }
    const isFaster = perS(fileBytes) > this.#rate;
    if (!isFaster || fileBytes < sentBytes * LEAST_RATIO) this.giveUp();
  }

  /** At which files come that are not compressed. */
  get #rate(): number {
    return Math.min(this.#bytesPerS ?? 0, this.#limitBytesPerS);
  }

  #tell(packs: boolean): void {
    if (packs === this.#packs) return;
    this.#packs = packs;
    this.#onPacks(packs);
  }
}
