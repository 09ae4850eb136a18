import type { NumberSpan } from '../number-scan.ts';
import { isThing, type NumberArray, type Tensor, type Thing, type Value } from './values.ts';

const MAX_NAME_CHARS = 200;

/** A tensor or an array, by the names under which it lies. */
export interface Leaf {
  readonly name: string;
  readonly thing: Tensor | NumberArray;
}

/** Each thing once, however often it is repeated: a value that holds itself ten times over ten levels would never end. */
export function* leavesOf(root: Value): Generator<Leaf, void> {
  const seen = new Set<Thing>();
  const open: { readonly name: string; readonly value: Value }[] = [{ name: '', value: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (!isThing(value) || seen.has(value)) continue;
    seen.add(value);
    if (value.kind === 'tensor' || value.kind === 'array') yield { name, thing: value };
    // One by one: a call takes no hundred thousand arguments.
    for (const part of namedParts(value, name).reverse()) open.push(part);
  }
}

function namedParts(thing: Thing, name: string): { name: string; value: Value }[] {
  if (thing.kind === 'made' || thing.kind === 'array') {
    return thing.parts.map((value) => ({ name, value }));
  }
  if (!('items' in thing)) return [];
  if (thing.kind !== 'dict') {
    return thing.items.map((value, index) => ({ name: joined(name, String(index)), value }));
  }
  return thing.items.flatMap((key, index) => {
    if (index % 2 !== 0) return [];
    const value = thing.items[index + 1] ?? null;
    // A tensor may be what something is named by.
    return [
      { name, value: key },
      { name: joined(name, isThing(key) ? '' : String(key)), value },
    ];
  });
}

const joined = (name: string, part: string): string =>
  [name, part]
    .filter((each) => each !== '')
    .join('.')
    .slice(0, MAX_NAME_CHARS);

/** The numbers of arrays that stand in the pickle itself, in their order. */
export function spansOf(leaves: readonly Leaf[]): NumberSpan[] {
  const spans = new Map<number, NumberSpan>();
  for (const { name, thing } of leaves) {
    if (thing.kind !== 'array' || thing.data === null) continue;
    const { at, length } = thing.data;
    const type = thing.type?.scan ?? null;
    if (at === null || length === 0 || type === null) continue;
    spans.set(at, { tensor: name, at, bytes: length, type });
  }
  return [...spans.values()].sort((a, b) => a.at - b.at);
}
