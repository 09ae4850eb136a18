import type { z } from 'zod';

/** Chooses: a number from 0 up to, and without, this one. */
export type Pick = (below: number) => number;

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly items?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

const NUMBERS = [0, 1, 2, 7, 60, 1000, -1, 0.5, 2 ** 31, Number.MAX_SAFE_INTEGER];

/** Something that this schema may well take, made of what stands in the pool where it wants a text. Not every check of it is known here. */
export function inputFor(schema: z.ZodType, pick: Pick, pool: readonly string[]): unknown {
  const from = <T>(all: readonly T[]): T | undefined => all[pick(all.length)];
  const inner = (each: z.ZodType | undefined): unknown =>
    each === undefined ? null : inputFor(each, pick, pool);
  const def = (schema as unknown as { readonly _zod: { readonly def: Def } })._zod.def;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).flatMap(([key, each]) => {
          const made = inputFor(each, pick, pool);
          return made === undefined ? [] : [[key, made]];
        }),
      );
    case 'string':
      return from(pool);
    case 'number':
    case 'int':
      return from(NUMBERS);
    case 'boolean':
      return pick(2) === 0;
    case 'enum':
      return from(Object.values(def.entries ?? {}));
    case 'literal':
      return from(def.values ?? []);
    case 'union':
      return inner(from(def.options ?? []));
    case 'array':
      return Array.from({ length: pick(3) }, () => inner(def.element));
    case 'tuple':
      return (def.items ?? []).map(inner);
    case 'record':
      return pick(2) === 0 ? {} : { [from(pool) ?? '']: inner(def.valueType) };
    case 'nullable':
      return pick(3) === 0 ? null : inner(def.innerType);
    case 'optional':
      return pick(2) === 0 ? undefined : inner(def.innerType);
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return inner(def.innerType);
    case 'pipe':
      return inner(def.in);
    case 'lazy':
      return inner(def.getter?.());
    default:
      return from(pool);
  }
}

const JUNK: readonly unknown[] = [
  ...[null, undefined, 0, '', 'x', [], [[]], { __proto__: null }, { constructor: 1 }],
  ...['__proto__', { boxId: {} }, { boxId: [] }, new Map(), 'y'.repeat(2000)],
];

/** The same with one thing in it changed, taken away or put beside it. */
export function forged(input: unknown, pick: Pick, pool: readonly string[]): unknown {
  const junk = (): unknown => (pick(2) === 0 ? pool[pick(pool.length)] : JUNK[pick(JUNK.length)]);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return junk();
  const keys = Object.keys(input);
  const key = keys[pick(keys.length)] ?? 'boxId';
  const { [key]: changed, ...rest } = input as Record<string, unknown>;
  switch (pick(4)) {
    case 0:
      return rest;
    case 1:
      return { ...input, [pool[pick(pool.length)] ?? 'more']: junk() };
    case 2:
      return { ...rest, [key]: forged(changed, pick, pool) };
    default:
      return { ...rest, [key]: junk() };
  }
}

/** SECURITY: whatever was made up, nobody outside of this machine is dialled, and no server of it that is there. */
export function tamed(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(tamed);
  if (typeof input !== 'object' || input === null || input instanceof Map) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, each]) => {
      if (key === 'host') return [key, '127.0.0.1'];
      if (key === 'port') return [key, 1];
      // Anybody may set how long a reading of the copies counts; who judges here takes the usual hour.
      if (key === 'proofHoldsMin') return [key, 60];
      return [key, tamed(each)];
    }),
  );
}
