import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRows } from './rows.ts';

const schema = z.strictObject({ id: z.string(), port: z.int() });

describe('readRows', () => {
  it('reports each row it cannot read and keeps the others', () => {
    const { rows, unreadable } = readRows(
      [
        { id: 'a', port: 1 },
        { id: new Uint8Array([255]), port: 2 },
        { id: 'c', port: null },
        { id: 'd', port: 1.5 },
        { id: 'e', port: 5 },
      ],
      schema,
      'A box',
    );
    expect(rows).toEqual([
      { id: 'a', port: 1 },
      { id: 'e', port: 5 },
    ]);
    expect(unreadable.map(({ code }) => code)).toEqual(Array(3).fill('database-corrupt'));
    expect(unreadable[0]?.message).toContain('A box');
    expect(unreadable[0]?.detail).toMatch(/^id: /);
  });
});
