import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openTemporaryDatabase, type Database } from './database.ts';
import { sessionEntries } from './session-entries.ts';

let database: Database | undefined;
afterEach(() => database?.close());

it('keeps a held key in memory, and every other one in the table', () => {
  database = openTemporaryDatabase();
  const { entries: table } = database;
  const entries = sessionEntries(table);
  const read = (from: typeof table, key: string) => from.read('', key, z.number());
  const letGo = entries.hold('', 'balance', 1, 10);
  expect(entries.write('', 'balance', 2, 20).ok).toBe(true);
  expect(entries.write('', 'limit', 3, 30).ok).toBe(true);

  expect(read(entries, 'balance')).toEqual({ ok: true, value: 2 });
  expect(entries.saidAtMs('', 'balance')).toEqual({ ok: true, value: 20 });
  expect(read(table, 'balance')).toEqual({ ok: true, value: null });
  expect(read(table, 'limit')).toEqual({ ok: true, value: 3 });
  letGo();
  expect(read(entries, 'balance')).toEqual({ ok: true, value: null });
});
