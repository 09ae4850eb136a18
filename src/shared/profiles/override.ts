import { child, isFields, type Path } from '../yaml/path.ts';

/** Lists whose entries have a name: an override changes the entry of that name, or adds one. */
const NAMED_BY: Readonly<Record<string, string>> = {
  prices: 'what',
  storage: 'name',
  actions: 'verb',
  clocks: 'id',
  flavours: 'name',
};

export interface OverrideFault {
  /** In the override, not in the result. */
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

/**
 * The person's file over a shipped one, field by field. A fact with a stamp keeps the shipped month only as long as nothing of
 * it is changed: who changes it says when they looked.
 */
export function applyOverride(
  shipped: unknown,
  override: unknown,
): { readonly merged: unknown; readonly faults: readonly OverrideFault[] } {
  const faults: OverrideFault[] = [];
  return { merged: merge(shipped, override, [], faults), faults };
}

function merge(base: unknown, over: unknown, path: Path, faults: OverrideFault[]): unknown {
  if (!isFields(base) || !isFields(over)) return over;
  const isStamped = 'verified' in base;
  if (isStamped && !('verified' in over)) {
    faults.push({
      path,
      message: 'changes a fact without saying when it was verified',
      fix: 'Add "verified: YYYY-MM" with the month in which you looked.',
    });
  }
  const merged: Record<string, unknown> = { ...base };
  // The short name of a clock says what its consequence is, and is true only beside the one that it was written for.
  if (path.at(-2) === 'clocks' && 'consequence' in over) delete merged['event'];
  if (isStamped && !('source' in over)) merged['source'] = 'your own profile';
  for (const [key, value] of Object.entries(over)) {
    const name = NAMED_BY[key];
    merged[key] =
      name !== undefined && Array.isArray(base[key]) && Array.isArray(value)
        ? mergeNamed(base[key], value, name, [...path, key], faults)
        : merge(base[key], value, [...path, key], faults);
  }
  return merged;
}

function mergeNamed(
  base: readonly unknown[],
  over: readonly unknown[],
  name: string,
  path: Path,
  faults: OverrideFault[],
): readonly unknown[] {
  const nameOf = (entry: unknown): unknown => (isFields(entry) ? entry[name] : undefined);
  const merged = [...base];
  for (const [index, entry] of over.entries()) {
    const at = base.findIndex(
      (each) => nameOf(each) !== undefined && nameOf(each) === nameOf(entry),
    );
    if (at < 0) merged.push(entry);
    else merged[at] = merge(base[at], entry, [...path, index], faults);
  }
  return merged;
}

/** One field that an override says, and what the shipped profile says there; undefined: nothing. */
export interface ChangedField {
  /** In the override. */
  readonly path: Path;
  /** Of a list's entry its name, and not its place. */
  readonly names: readonly string[];
  readonly was: unknown;
  readonly now: unknown;
}

/** Every field of an override, in its order, down to what is no further field. */
export function changedFields(shipped: unknown, override: unknown): readonly ChangedField[] {
  const found: ChangedField[] = [];
  const walk = (was: unknown, now: unknown, path: Path, names: readonly string[]): void => {
    const name = NAMED_BY[String(path.at(-1))];
    if (name !== undefined && Array.isArray(now)) {
      for (const [at, entry] of (now as readonly unknown[]).entries()) {
        const called = child(entry, name);
        const same = Array.isArray(was)
          ? (was as readonly unknown[]).find((each) => child(each, name) === called)
          : undefined;
        walk(same, entry, [...path, at], [...names, String(called)]);
      }
    } else if (isFields(now) && isFields(was)) {
      for (const [key, value] of Object.entries(now)) {
        if (key !== NAMED_BY[String(path.at(-2))]) {
          walk(child(was, key), value, [...path, key], [...names, key]);
        }
      }
    } else found.push({ path, names, was, now });
  };
  walk(shipped, override, [], []);
  return found;
}

/** Where in the override stands what is at `path` of the result; as near as there is something. */
export function pathInOverride(override: unknown, merged: unknown, path: Path): Path {
  const found: (string | number)[] = [];
  let [over, whole] = [override, merged];
  for (const [depth, key] of path.entries()) {
    const at = Array.isArray(over) ? placeOf(over, whole, key, path[depth - 1]) : key;
    const next = child(over, at);
    if (at === null || next === undefined) break;
    found.push(at);
    [over, whole] = [next, child(whole, key)];
  }
  return found;
}

function placeOf(
  over: readonly unknown[],
  whole: unknown,
  key: string | number,
  list: string | number | undefined,
): string | number | null {
  const name = NAMED_BY[String(list)];
  if (name === undefined) return key;
  const wanted = child(child(whole, key), name);
  const at = over.findIndex((entry) => wanted !== undefined && child(entry, name) === wanted);
  // Without a name there is nothing to find it by but its place at the end of the list.
  if (at < 0) return wanted === undefined ? over.length - 1 : null;
  return at;
}
