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

/** How many bytes one element takes, by its type as numpy writes it: a name, or a list of fields that may be such lists themselves. */
export function elementBytesOf(text: string): number {
  const reader = new TypeReader(text);
  const bytes = reader.type(0);
  if (!reader.isAtEnd) throw unread();
  return bytes;
}

class TypeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  type(depth: number): number {
    if (depth > MAX_DEPTH) throw unread();
    if (!this.#skip('[')) return namedBytes(this.#quoted());
    let sum = 0;
    while (!this.#skip(']')) {
      this.#expect('(');
      this.#fieldName();
      this.#expect(',');
      const bytes = this.type(depth + 1);
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
    if (found === null) throw unread();
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
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) throw unread();
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

const unread = (): NotLoadable =>
  new NotLoadable('its elements are of a type that Leasehold does not read');

const PICKLED = 'it holds Python objects, which only running what it says could load';
