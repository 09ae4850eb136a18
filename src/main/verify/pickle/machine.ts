import type { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { fillArray, fillType } from './numpy-values.ts';
import type { Refusals } from './refusals.ts';
import {
  isGroup,
  isKind,
  keyOf,
  type Global,
  type Group,
  type Thing,
  type Value,
  type Vocabulary,
} from './values.ts';

/** Memory for so much is taken, whatever a file claims; the checkpoints of large models have some ten thousand of each. */
const MAX_SLOTS = 4_000_000;
const MAX_THINGS = 1_000_000;
const MAX_TEXT_CHARS = 16 * 1024 * 1024;

/** Modules that have another name since Python 3. */
const MODULES: Readonly<Record<string, string>> = { __builtin__: 'builtins', copy_reg: 'copyreg' };

export interface Surroundings {
  readonly vocabulary: Vocabulary;
  readonly refusals: Refusals;
  /** What a name for something outside of the pickle stands for. Absent: there is nothing outside. */
  readonly persistent?: (id: Value) => Value;
}

/** The stack and the memo of a pickle. What Python would make is written down, and never made. */
export class Machine {
  readonly cursor: Cursor;
  readonly #surroundings: Surroundings;
  readonly #stack: Value[] = [];
  readonly #marks: number[] = [];
  readonly #memo = new Map<number, Value>();
  #slots = 0;
  #things = 0;
  #chars = 0;

  constructor(cursor: Cursor, surroundings: Surroundings) {
    this.cursor = cursor;
    this.#surroundings = surroundings;
  }

  push(value: Value): void {
    this.#count(1);
    this.#stack.push(value);
  }

  /** For what takes more than a place. */
  pushThing(thing: Thing): void {
    this.#things += 1;
    if (this.#things > MAX_THINGS) throw new NotLoadable(TOO_MUCH);
    this.push(thing);
  }

  pushText(text: string): void {
    this.#chars += text.length;
    if (this.#chars > MAX_TEXT_CHARS) throw new NotLoadable(TOO_MUCH);
    this.push(text);
  }

  pop(): Value {
    const value = this.#stack.length > this.#floor ? this.#stack.pop() : undefined;
    if (value === undefined) throw new Damaged('it takes values that are not there');
    return value;
  }

  top(): Value {
    const value = this.pop();
    this.#stack.push(value);
    return value;
  }

  mark(): void {
    this.#count(1);
    this.#marks.push(this.#stack.length);
  }

  /** All that was put there since the last mark. */
  popMark(): Value[] {
    const from = this.#marks.pop();
    if (from === undefined) throw new Damaged('it goes back to a mark that is not there');
    return this.#stack.splice(from);
  }

  /** A value, or the mark where no value follows it. */
  drop(): void {
    if (this.#marks.at(-1) === this.#stack.length) this.#marks.pop();
    else this.pop();
  }

  put(index: number): void {
    this.#count(1);
    this.#memo.set(index, this.top());
    if (this.#memo.size > MAX_THINGS) throw new NotLoadable(TOO_MUCH);
  }

  memoize(): void {
    this.put(this.#memo.size);
  }

  get(index: number): void {
    const value = this.#memo.get(index);
    if (value === undefined) throw new Damaged('it repeats a value that is not there');
    this.push(value);
  }

  group(kind: Group['kind'], items: Value[]): void {
    if (kind === 'dict' && items.length % 2 !== 0) throw new Damaged(ODD);
    this.pushThing({ kind, items });
  }

  /** Into the list, set or dict that lies below. */
  extend(kind: Group['kind'], items: readonly Value[]): void {
    if (kind === 'dict' && items.length % 2 !== 0) throw new Damaged(ODD);
    const into = this.top();
    this.#count(items.length);
    if (isGroup(into) && into.kind === kind) for (const item of items) into.items.push(item);
    else if (isKind(into, 'made')) for (const item of items) into.parts.push(item);
    else throw new Damaged('it adds to what holds nothing');
  }

  global(module: string, name: string): Global {
    const { vocabulary, refusals } = this.#surroundings;
    const known = Object.hasOwn(MODULES, module) ? (MODULES[module] ?? module) : module;
    // It puts the bytes of arrays between what is described, so that nobody knows where that goes on.
    if (known.startsWith('joblib.')) throw new NotLoadable('it was written by joblib');
    const rule = vocabulary.get(keyOf(known, name)) ?? null;
    if (rule === null) refusals.add(`${known}.${name}`);
    return { kind: 'global', module: known, name, rule };
  }

  /** What Python would call here, with these. */
  call(what: Value, args: readonly Value[]): void {
    if (!isKind(what, 'global')) this.refuse('what it made itself');
    else if (what.rule?.call !== undefined) return this.#push(what.rule.call(args));
    else if (what.rule !== null) this.refuse(`${what.module}.${what.name}`);
    this.pushThing({ kind: 'made', parts: [...args] });
  }

  /** What Python would set a thing's state to. */
  build(state: Value): void {
    const into = this.top();
    this.#count(2);
    if (isKind(into, 'made') || isKind(into, 'array')) into.parts.push(state);
    else if (isGroup(into) && into.kind === 'dict') into.items.push('', state);
    else if (!isKind(into, 'type')) return this.refuse('the state of a plain value');
    if (isKind(into, 'array')) fillArray(into, state);
    if (isKind(into, 'type')) fillType(into, state);
  }

  persistent(id: Value): void {
    const { persistent } = this.#surroundings;
    if (persistent !== undefined) return this.#push(persistent(id));
    this.refuse('what lies outside of it');
    this.pushThing({ kind: 'made', parts: [id] });
  }

  refuse(what: string): void {
    this.#surroundings.refusals.add(what);
  }

  /** The one value that is left. */
  end(): Value {
    const value = this.pop();
    if (this.#stack.length > 0 || this.#marks.length > 0) {
      throw new Damaged('it ends with values that belong to nothing');
    }
    return value;
  }

  get #floor(): number {
    return this.#marks.at(-1) ?? 0;
  }

  #push(value: Value): void {
    if (typeof value === 'object' && value !== null) this.pushThing(value);
    else this.push(value);
  }

  #count(slots: number): void {
    this.#slots += slots;
    if (this.#slots > MAX_SLOTS) throw new NotLoadable(TOO_MUCH);
  }
}

const TOO_MUCH = 'it describes more values than Leasehold looks at';
const ODD = 'it has a name without a value';
