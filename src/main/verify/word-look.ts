/** So many bytes are looked at in one go. */
export const BLOCK_BYTES = 64 * 1024;
/** What the program below reads between two questions. */
const STEP_BYTES = 64;

/** Node has it, and leaves its types to those of a browser, which this code is not built with. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: unknown };
    }
  | undefined;

/** What the program gives. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly look: (end: number, mask: bigint, step: bigint) => void;
}

/** Of two words that follow each other: the first, and the second. */
export type WordPair = readonly [first: number, second: number];

/** What all first and all second words of a block have together. */
export interface Look {
  /** The bits that are set in any `(word & mask) + step`. */
  readonly sums: WordPair;
  /** The bits that are set in any word. */
  readonly bits: WordPair;
}

/** A number in as many bytes as it takes, seven bits each. */
const leb = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
/** A part of a program, behind its length. */
const counted = (bytes: readonly number[]): readonly number[] => [...leb(bytes.length), ...bytes];
const section = (id: number, ...bytes: readonly number[]): readonly number[] => [
  id,
  ...counted(bytes),
];

// As the specification of WebAssembly 2.0 numbers them in its section 5.
const TYPE = { i32: 0x7f, i64: 0x7e, v128: 0x7b, func: 0x60, nothing: 0x40 };
const vector = (code: number): readonly number[] => [0xfd, ...leb(code)];
const OP = {
  ...{ get: 0x20, set: 0x21, tee: 0x22, loop: 0x03, branchIf: 0x0d, end: 0x0b },
  ...{ constant: 0x41, add: 0x6a, isLess: 0x49 },
  ...{ load: vector(0), store: vector(11), splat: vector(18) },
  ...{ and: vector(78), or: vector(80), addWords: vector(174) },
};
/** The first three are what it is called with. */
const LOCAL = {
  end: 0,
  maskPair: 1,
  stepPair: 2,
  at: 3,
  mask: 4,
  step: 5,
  sums: 6,
  bits: 7,
  word: 8,
};
const ALIGNED = 4;
const [SUMS_AT, BITS_AT] = [BLOCK_BYTES, BLOCK_BYTES + 16];

/** Four words, which lie so far behind where it stands. */
const lookAtFour = (offset: number): readonly number[] => [
  ...[OP.get, LOCAL.at, ...OP.load, ALIGNED, ...leb(offset), OP.tee, LOCAL.word],
  ...[OP.get, LOCAL.mask, ...OP.and, OP.get, LOCAL.step, ...OP.addWords],
  ...[OP.get, LOCAL.sums, ...OP.or, OP.set, LOCAL.sums],
  ...[OP.get, LOCAL.word, OP.get, LOCAL.bits, ...OP.or, OP.set, LOCAL.bits],
];

/** From the beginning of its memory to `end`; what it finds it puts behind the block. */
const LOOK_OVER: readonly number[] = [
  ...[2, 1, TYPE.i32, 5, TYPE.v128],
  ...[OP.get, LOCAL.maskPair, ...OP.splat, OP.set, LOCAL.mask],
  ...[OP.get, LOCAL.stepPair, ...OP.splat, OP.set, LOCAL.step],
  ...[OP.loop, TYPE.nothing],
  ...[0, 16, 32, 48].flatMap(lookAtFour),
  // A constant has a sign, which 64 in one byte would be.
  ...[OP.get, LOCAL.at, OP.constant, STEP_BYTES | 0x80, 0, OP.add, OP.tee, LOCAL.at],
  ...[OP.get, LOCAL.end, OP.isLess, OP.branchIf, 0, OP.end],
  ...[OP.constant, 0, OP.get, LOCAL.sums, ...OP.store, ALIGNED, ...leb(SUMS_AT)],
  ...[OP.constant, 0, OP.get, LOCAL.bits, ...OP.store, ALIGNED, ...leb(BITS_AT), OP.end],
];

const letters = (text: string): readonly number[] => counted([...Buffer.from(text)]);
const PROGRAM = Uint8Array.from([
  ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
  ...section(1, 1, TYPE.func, 3, TYPE.i32, TYPE.i64, TYPE.i64, 0),
  ...section(3, 1, 0),
  ...section(5, 1, 0, 2),
  ...section(7, 2, ...letters('memory'), 2, 0, ...letters('look'), 0, 0),
  ...section(10, 1, ...counted(LOOK_OVER)),
]);

/**
 * Looks over words four at a time, which no loop of JavaScript does: it takes a tenth of what their hash takes, and a loop a third and more
 * (`npm run bench -- verify`). It is a program for the processor's vectors, in the bytes that every runtime since 2021 translates. Where it does not
 * (`--jitless`, an old processor), there is the loop.
 */
export class WordLook {
  readonly #look: Exports['look'] | null;
  readonly #memory: Uint8Array;
  readonly #mask: WordPair;
  readonly #step: WordPair;
  /** The block that was looked at last. */
  readonly words: Int32Array;

  constructor(mask: WordPair, step: WordPair) {
    const program = newProgram();
    const buffer = program?.memory.buffer ?? new ArrayBuffer(BLOCK_BYTES);
    this.#look = program?.look ?? null;
    this.#memory = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    [this.#mask, this.#step] = [mask, step];
  }

  /** @param block No longer than one. What is missing to the end of its last words is taken as zero. */
  at(block: Uint8Array): Look {
    const end = Math.ceil(block.length / STEP_BYTES) * STEP_BYTES;
    this.#memory.set(block);
    this.#memory.fill(0, block.length, end);
    if (this.#look === null) return this.#lookOneByOne(end >> 2);
    this.#look(end, asOne(this.#mask), asOne(this.#step));
    return { sums: this.#pairAt(SUMS_AT), bits: this.#pairAt(BITS_AT) };
  }

  #pairAt(at: number): WordPair {
    const [a = 0, b = 0, c = 0, d = 0] = this.words.subarray(at >> 2, (at >> 2) + 4);
    return [a | c, b | d];
  }

  #lookOneByOne(words: number): Look {
    const [sums, bits]: [[number, number], [number, number]] = [
      [0, 0],
      [0, 0],
    ];
    for (let at = 0; at < words; at += 1) {
      const word = this.words[at] ?? 0;
      const side = at % 2 === 0 ? 0 : 1;
      sums[side] |= (word & this.#mask[side]) + this.#step[side];
      bits[side] |= word;
    }
    return { sums, bits };
  }
}

/** Null: this runtime or this processor has no such programs. Nothing is kept: one of some hundred bytes is translated at once. */
function newProgram(): Exports | null {
  if (typeof WebAssembly === 'undefined') return null;
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(PROGRAM)).exports as Exports;
  } catch {
    return null; // The loop finds the same.
  }
}

const asOne = ([first, second]: WordPair): bigint =>
  (BigInt(second >>> 0) << 32n) | BigInt(first >>> 0);
