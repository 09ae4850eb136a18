import type { z } from 'zod';

/** What of a stored value fits its schema. */
export interface Salvaged<T> {
  readonly value: T;
  /** The stored value without what does not fit. */
  readonly fitting: unknown;
  /** What was left out, as `runs.3.tracker`: empty where all of it fits. */
  readonly dropped: readonly string[];
}

/**
 * Reads piece by piece what another version wrote or a disk has damaged: a field that does not fit costs that field (its default
 * takes its place, or "unknown" where the schema has that), one that cannot be missing costs the entry of the list that it stands in,
 * and only what holds the whole together costs the whole. Null: nothing fits.
 */
export function salvage<T>(schema: z.ZodType<T>, stored: unknown): Salvaged<T> | null {
  const draft = new Draft(copyOf(stored));
  for (;;) {
    const read = schema.safeParse(draft.value);
    if (read.success) return { value: read.data, fitting: draft.value, dropped: draft.dropped };
    // One complaint a field: the next reading says what it comes to.
    const issues = new Map(
      read.error.issues.map((each) => [each.path.map(String).join('\n'), each]),
    );
    for (const issue of issues.values()) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) draft.drop([...issue.path, key]);
      } else if (issue.code === 'too_big' && issue.origin === 'array') {
        draft.shorten(issue.path, Number(issue.maximum));
      } else if (!draft.drop(issue.path)) return null;
    }
    draft.closeGaps();
  }
}

/** The same of a text that should be JSON, and of which the end may be missing. */
export function salvageText<T>(schema: z.ZodType<T>, text: string): Salvaged<T> | null {
  const whole = parseJson(text);
  if (whole !== undefined) return salvage(schema, whole);
  const read = salvage(schema, parseJson(closed(text)));
  return read === null ? null : { ...read, dropped: [...read.dropped, 'the end of it'] };
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** JSON up to the last value that ends within it, with the brackets that are missing then. */
function closed(text: string): string {
  const missing: string[] = [];
  let best = { end: 0, missing: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const token = text[at];
    if (token === '"') at = endOfString(text, at);
    else if (token === '{') missing.push('}');
    else if (token === '[') missing.push(']');
    else if (token === ',') best = { end: at, missing: missing.length };
    else if (token === '}' || token === ']') {
      missing.pop();
      best = { end: at + 1, missing: missing.length };
    }
  }
  // Behind the best place brackets are only opened, so those that were open there are the first ones still.
  return text.slice(0, best.end) + missing.slice(0, best.missing).reverse().join('');
}

/** Where the string that begins there ends, whatever brackets stand in it. By hand: a regular expression goes back in it. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Far deeper than any value of ours. */
const MAX_DEPTH = 64;

/** What stands deeper fits nothing and is left out: a few kB of brackets would be more than the stack holds. */
function copyOf(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((each) => copyOf(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, copyOf(each, depth + 1)]),
  );
}

type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

class Draft {
  readonly value: unknown;
  readonly #dropped = new Set<string>();
  /** Fields that were complained of when they were missing, and are "unknown" now. */
  readonly #nulled = new WeakMap<Container, Set<PropertyKey>>();
  readonly #gaps = new Map<unknown[], Set<number>>();

  constructor(value: unknown) {
    this.value = value;
  }

  get dropped(): readonly string[] {
    return [...this.#dropped];
  }

  /** False: it stands in nothing that could do without it. */
  drop(path: Path): boolean {
    const key = path.at(-1);
    if (key === undefined) return false;
    const container = this.#at(path.slice(0, -1));
    if (container === null) return true; // it has gone with what it stood in
    this.#dropped.add(path.map(String).join('.'));
    if (Array.isArray(container)) {
      const gaps = this.#gaps.get(container) ?? new Set<number>();
      this.#gaps.set(container, gaps.add(Number(key)));
      return true;
    }
    const nulled = this.#nulled.get(container) ?? new Set<PropertyKey>();
    this.#nulled.set(container, nulled);
    if (nulled.has(key)) return this.drop(path.slice(0, -1));
    if (Object.hasOwn(container, key)) Reflect.deleteProperty(container, key);
    else {
      container[key] = null;
      nulled.add(key);
    }
    return true;
  }

  shorten(path: Path, length: number): void {
    const list = this.#at(path);
    if (!Array.isArray(list) || list.length <= length) return;
    list.length = length;
    this.#dropped.add(`${path.map(String).join('.')}.${String(length)} and further`);
  }

  /** Between two readings, so that the places which a reading names stay what they are. */
  closeGaps(): void {
    for (const [list, gaps] of this.#gaps) {
      let length = 0;
      for (const [place, item] of list.entries()) {
        if (!gaps.has(place)) list[length++] = item;
      }
      list.length = length;
    }
    this.#gaps.clear();
  }

  #at(path: Path): Container | null {
    let at = this.value;
    for (const key of path) {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return null;
      at = (at as Container)[key];
    }
    return typeof at === 'object' && at !== null ? (at as Container) : null;
  }
}
