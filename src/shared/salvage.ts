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
  let open = '';
  let best = '';
  // A string is passed over whole, whatever brackets stand in it.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},]/gs)) {
    if (token === '{') open = `}${open}`;
    else if (token === '[') open = `]${open}`;
    else if (token === ',') best = text.slice(0, index) + open;
    else if (token === '}' || token === ']') {
      open = open.slice(1);
      best = text.slice(0, index + 1) + open;
    }
  }
  return best;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
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
      list.splice(0, list.length, ...list.filter((_item, place) => !gaps.has(place)));
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
