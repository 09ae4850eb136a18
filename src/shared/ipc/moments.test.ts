import { z } from 'zod';
import { expect, it } from 'vitest';
import { ipcInputs } from './contract.ts';

const MOMENT = /(?:^|[a-z])(?:at|from|to|until|since|asOf|ends?|begins?|starts?)Ms$/i;

interface Found {
  readonly of: string;
  readonly schema: z.ZodType;
}

/** Without what may stand around it: a default, or that it may be absent. */
function unwrapped(schema: z.ZodType): unknown {
  const inner = (schema.def as { readonly innerType?: z.ZodType }).innerType;
  return inner === undefined ? schema : unwrapped(inner);
}

/** Every field with the name of a time, however deep. A schema that is met twice is walked once. */
function momentsIn(name: string, schema: unknown, seen = new Set<unknown>()): readonly Found[] {
  if (seen.has(schema) || typeof schema !== 'object' || schema === null) return [];
  seen.add(schema);
  if (Array.isArray(schema)) return schema.flatMap((each) => momentsIn(name, each, seen));
  if (!(schema instanceof z.ZodType)) return [];
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, each]) => {
      const of = `${name} ${key}`;
      const isTime = MOMENT.test(key) && !(unwrapped(each) instanceof z.ZodRecord);
      return isTime ? [{ of, schema: each }] : momentsIn(of, each, seen);
    });
  }
  return Object.values(schema.def).flatMap((part) => momentsIn(name, part, seen));
}

const moments = Object.entries(ipcInputs).flatMap(([channel, input]) => momentsIn(channel, input));
const NOW = Date.UTC(2026, 10, 28);
const FAR = [Date.UTC(2200, 0, 2), 8_900_000_000_000_000, Number.MAX_SAFE_INTEGER, NaN, Infinity];

it.each(moments)('$of takes a time that every calendar prints, and no other', ({ schema }) => {
  expect(schema.safeParse(NOW).success).toBe(true);
  for (const time of [-1, 0.5, ...FAR]) expect(schema.safeParse(time).success).toBe(false);
});

it('finds the calls that take a time', () => {
  expect(moments.map(({ of }) => of)).toEqual(
    expect.arrayContaining([
      'meter:add-line fromMs',
      'history:query toMs',
      'alerts:snooze untilMs',
      'settings:change patch costs ratesAtMs',
    ]),
  );
});
