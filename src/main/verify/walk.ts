import type { FormatName } from '../../shared/verify/loaded.ts';
import type { ByteSource } from './byte-source.ts';
import { Damaged } from './damage.ts';
import type { Format } from './reading.ts';

/** What a walk wants next of the bytes that pass by. */
export type Step =
  /** So many bytes at once, which are its own from then on. */
  | { readonly kind: 'need'; readonly bytes: number }
  /** The next byte, which stays where it is; none where the file ends. */
  | { readonly kind: 'peek' }
  /** So many bytes, in whatever pieces they come. */
  | { readonly kind: 'pass'; readonly bytes: number; readonly to: Taker<void> }
  /** All that comes, until it answers how many bytes of a piece were still for it. `before`: what is known of a file that ends meanwhile. */
  | { readonly kind: 'scan'; readonly to: Taker<number | null>; readonly before?: () => string }
  /** Nothing, until something else is done. */
  | { readonly kind: 'wait'; readonly until: () => Promise<void> };

type Taker<T> = (piece: Uint8Array) => T | Promise<T>;

/** The way through a file from its beginning to its end, which answers what it holds. It throws `Damaged` and `NotLoadable`. */
export type Walk<T = string> = Generator<Step, T, Buffer>;

/** More at once than any format has in one part that is not passed by. */
const MAX_NEED_BYTES = 1024 * 1024;
const NONE = Buffer.alloc(0);

export function* need(bytes: number): Walk<Buffer> {
  if (bytes > MAX_NEED_BYTES) throw new Error(`A walk may not ask for ${String(bytes)} bytes.`);
  return yield { kind: 'need', bytes };
}

export function* peek(): Walk<number | null> {
  const [byte] = yield { kind: 'peek' };
  return byte ?? null;
}

export function* pass(bytes: number, to: Taker<void> = () => undefined): Walk<void> {
  yield { kind: 'pass', bytes, to };
}

export function* scan(to: Taker<number | null>, before?: () => string): Walk<void> {
  yield { kind: 'scan', to, ...(before !== undefined && { before }) };
}

export function* wait(until: () => Promise<void>): Walk<void> {
  yield { kind: 'wait', until };
}

/** A format that is one walk. */
export function walkedFormat(
  name: FormatName,
  ends: RegExp,
  walk: (source: ByteSource) => Walk,
): Format {
  const open: Format['open'] = (source) => {
    const walker = new Walker(walk(source));
    return {
      take: (piece) => walker.take(piece),
      end: async () => ({ kind: 'loaded', format: name, holds: await walker.end() }),
    };
  };
  return { name, ends, open };
}

/** Leads one walk along the bytes of a file, whatever pieces they come in; it holds no more of them than the walk needs at once. */
export class Walker {
  readonly #walk: Walk;
  #next: IteratorResult<Step, string>;
  #held = NONE;
  #filled = 0;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#next = walk.next(NONE);
    this.#begin();
  }

  /** At once where no step waits for anything. */
  take(piece: Uint8Array): void | Promise<void> {
    return this.#take(piece, 0);
  }

  async end(): Promise<string> {
    for (;;) {
      if (this.#next.done === true) return this.#next.value;
      const step = this.#next.value;
      if (step.kind === 'wait') await step.until();
      else if (step.kind !== 'peek') throw new Damaged(cutOff(step));
      this.#answer(NONE);
    }
  }

  #take(piece: Uint8Array, from: number): void | Promise<void> {
    for (let at = from; at < piece.length;) {
      if (this.#next.done === true) throw new Damaged('there are bytes behind its end');
      const [here, used] = [at, this.#step(this.#next.value, piece.subarray(at))];
      if (typeof used !== 'number') return used.then((later) => this.#take(piece, here + later));
      at += used;
    }
  }

  /** How many of these bytes it took. */
  #step(step: Step, rest: Uint8Array): number | Promise<number> {
    switch (step.kind) {
      case 'peek':
        this.#answer(Buffer.from(rest.subarray(0, 1)));
        return 0;
      case 'wait':
        return step.until().then(() => {
          this.#answer(NONE);
          return 0;
        });
      case 'need': {
        const part = rest.subarray(0, step.bytes - this.#filled);
        this.#held.set(part, this.#filled);
        this.#filled += part.length;
        if (this.#filled === step.bytes) this.#answer(this.#held);
        return part.length;
      }
      case 'pass': {
        const part = rest.subarray(0, step.bytes - this.#filled);
        return after(step.to(part), () => {
          this.#filled += part.length;
          if (this.#filled === step.bytes) this.#answer(NONE);
          return part.length;
        });
      }
      case 'scan':
        return after(step.to(rest), (used) => {
          if (used === null) return rest.length;
          this.#answer(NONE);
          return used;
        });
    }
  }

  #answer(bytes: Buffer): void {
    this.#next = this.#walk.next(bytes);
    this.#begin();
  }

  /** What is of no length has come already. */
  #begin(): void {
    for (;;) {
      this.#filled = 0;
      if (this.#next.done === true) return;
      const step = this.#next.value;
      if (step.kind === 'need') this.#held = Buffer.alloc(step.bytes);
      if ((step.kind !== 'need' && step.kind !== 'pass') || step.bytes > 0) return;
      this.#next = this.#walk.next(NONE);
    }
  }
}

function cutOff(step: Step): string {
  const before = step.kind === 'scan' ? step.before?.() : undefined;
  return before === undefined ? 'it is cut off' : `it is cut off: ${before}`;
}

/** At once where nothing is waited for: most steps are short. */
function after<T>(value: T | Promise<T>, go: (value: T) => number): number | Promise<number> {
  return value instanceof Promise ? value.then(go) : go(value);
}
