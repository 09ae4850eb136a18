import { Damaged, NotLoadable } from './damage.ts';

/** Structures in structures; deeper ones nobody writes. */
const MAX_DEPTH = 20;
const MAX_DIMENSIONS = 64;

const NAMED = /^[<>|=]?([a-zA-Z?])(\d{0,9})(?:\[[^\]']{1,20}\])?$/;
/** The lengths that there are of numbers; what else has a length has any. */
const NUMBER_BYTES: Readonly<Record<string, readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [1, 2, 4, 8, 12, 16],
  c: [8, 16, 24, 32],
  m: [8],
  M: [8],
};
const ANY_LENGTH = 'SaUV';
const TEXT = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;
const SIZE = /\d{1,15}/y;
const ORDER = /True|False/y;
const KEYS = 3;
/** As Python takes them between the parts of a value in brackets. */
const BLANKS = ' \t\r\n\f';

export interface NpyHeader {
  /** The type of its elements as it stands there. */
  readonly type: string;
  readonly elementBytes: number;
  readonly sizes: readonly number[];
}

/** What a header says, in any way of writing it down that numpy takes: in any order, over several lines, with or without a line's end. */
export const npyHeaderOf = (text: string): NpyHeader => new HeaderReader(text).header();

class HeaderReader {
  readonly #text: string;
  #at = 0;
  /** What it means where something else stands than should. */
  #lost: () => Error = noArray;

  constructor(text: string) {
    this.#text = text;
  }

  header(): NpyHeader {
    const found = new Map<string, string>();
    let elementBytes = 0;
    let sizes: readonly number[] = [];
    this.#expect('{');
    while (!this.#skip('}')) {
      const key = this.#quoted();
      this.#expect(':');
      this.#skipBlanks();
      const from = this.#at;
      if (key === 'descr') elementBytes = this.#elementBytes();
      else if (key === 'shape') sizes = this.#shape();
      else if (key === 'fortran_order') this.#match(ORDER);
      else throw noArray();
      found.set(key, this.#text.slice(from, this.#at));
      if (this.#skip(',')) continue;
      this.#expect('}');
      break;
    }
    this.#skipBlanks();
    if (found.size !== KEYS || this.#at !== this.#text.length) throw noArray();
    return { type: found.get('descr') ?? '', elementBytes, sizes };
  }

  /** A type that is not read here may well be one that numpy has. */
  #elementBytes(): number {
    this.#lost = unread;
    const bytes = this.#type(0);
    this.#lost = noArray;
    return bytes;
  }

  #shape(): readonly number[] {
    const sizes: number[] = [];
    this.#expect('(');
    while (!this.#skip(')')) {
      if (sizes.length === MAX_DIMENSIONS) throw noArray();
      sizes.push(this.#size());
      if (this.#skip(',')) continue;
      // One number in brackets is no list to Python.
      if (sizes.length === 1) throw noArray();
      this.#expect(')');
      break;
    }
    return sizes;
  }

  #type(depth: number): number {
    if (depth > MAX_DEPTH) throw unread();
    if (!this.#skip('[')) return namedBytes(this.#quoted());
    let sum = 0;
    while (!this.#skip(']')) {
      this.#expect('(');
      this.#fieldName();
      this.#expect(',');
      const bytes = this.#type(depth + 1);
      sum += bytes * (this.#skip(',') ? this.#repeats() : 1);
      this.#expect(')');
      this.#skip(',');
    }
    return sum;
  }

  /** Its name alone, or a title before it. */
  #fieldName(): void {
    if (!this.#skip('(')) return void this.#quoted();
    this.#quoted();
    this.#expect(',');
    this.#quoted();
    this.#expect(')');
  }

  /** Of a field that is an array itself. */
  #repeats(): number {
    if (!this.#skip('(')) return this.#size();
    let product = 1;
    for (let no = 0; !this.#skip(')'); no += 1) {
      if (no === MAX_DIMENSIONS) throw unread();
      product *= this.#size();
      this.#skip(',');
    }
    return product;
  }

  #size(): number {
    const size = Number(this.#match(SIZE)[0]);
    // Written by Python 2.
    this.#skip('L');
    return size;
  }

  #quoted(): string {
    const [, single, double] = this.#match(TEXT);
    return single ?? double ?? '';
  }

  #match(pattern: RegExp): RegExpExecArray {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) throw this.#lost();
    this.#at = pattern.lastIndex;
    return found;
  }

  #skip(sign: string): boolean {
    this.#skipBlanks();
    const isThere = this.#text[this.#at] === sign;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #skipBlanks(): void {
    while (BLANKS.includes(this.#text[this.#at] ?? 'none')) this.#at += 1;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw this.#lost();
  }
}

function namedBytes(name: string): number {
  const [, letter = '', size = ''] = NAMED.exec(name) ?? [];
  if (letter === 'O') throw new NotLoadable(PICKLED);
  if (letter === '' || size === '') throw unread();
  const lengths = NUMBER_BYTES[letter];
  if (lengths === undefined ? !ANY_LENGTH.includes(letter) : !lengths.includes(Number(size))) {
    throw new Damaged('its elements are of a type that there is not');
  }
  return Number(size) * (letter === 'U' ? 4 : 1);
}

const noArray = (): Damaged => new Damaged('its header does not describe an array');

const unread = (): NotLoadable =>
  new NotLoadable('its elements are of a type that Leasehold does not read');

const PICKLED = 'it holds Python objects, which only running what it says could load';
