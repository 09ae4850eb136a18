import { z } from 'zod';
import { expect, it } from 'vitest';
import { ipcInputs } from './contract.ts';

const MOMENT = /^(?:at|from|to|until|since)Ms$/;

const moments = Object.entries(ipcInputs).flatMap(([channel, input]) =>
  input instanceof z.ZodObject
    ? Object.entries(input.shape)
        .filter(([name]) => MOMENT.test(name))
        .map(([name, schema]) => ({ of: `${channel} ${name}`, schema: schema as z.ZodType }))
    : [],
);

it.each(moments)('$of takes a time that every calendar prints, and no other', ({ schema }) => {
  for (const time of [0, Date.UTC(2026, 10, 28), Date.UTC(2199, 11, 31)]) {
    expect(schema.safeParse(time).success).toBe(true);
  }
  for (const time of [-1, Date.UTC(2200, 0, 2), 8_900_000_000_000_000, Number.MAX_SAFE_INTEGER]) {
    expect(schema.safeParse(time).success).toBe(false);
  }
});

it('finds the calls that take a time', () => {
  expect(moments.map(({ of }) => of)).toEqual(
    expect.arrayContaining([
      'meter:add-line fromMs',
      'history:query toMs',
      'alerts:snooze untilMs',
    ]),
  );
});
