import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Interval, Transfer } from '../../shared/meter/interval.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, openTemporaryDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

const BOX = 'b7b7f0de-1111-4222-8333-444455556666';
const line: Interval = {
  no: 1,
  fromMs: 1000,
  ms: 60_000,
  phase: 'running',
  source: 'observed',
  charges: [
    { kind: 'compute', what: 'GPU time', rate: { micros: 1, currency: 'USD', per: 'hour' } },
  ],
  life: { id: 'boot/1', upForMs: 5 },
};
const put = (interval: Interval) => ({ boxId: BOX, change: { kind: 'put', interval } as const });
const correct = (no: number, voids: number) => ({
  boxId: BOX,
  change: {
    kind: 'correct',
    correction: { no, voids, atMs: 7, by: 'person', reason: 'it’s ours' },
  } as const,
});

describe('ledgerTable', () => {
  it('lets a line grow and change in no other way, whoever asks', () => {
    const { ledger } = openTemporaryDatabase();
    ledger.write([put(line)]);
    ledger.write([put({ ...line, ms: 90_000, phase: 'stopped', charges: [], fromMs: 0 })]);
    ledger.write([put({ ...line, ms: 10 })]);
    expect(ledger.read(BOX)).toMatchObject({
      value: { intervals: [{ ...line, ms: 90_000 }], nextNo: 2 },
    });
  });

  it('writes all changes or none', () => {
    const { ledger } = openTemporaryDatabase();
    expect(ledger.write([put(line), correct(2, 1)]).ok).toBe(true);
    expect(ledger.write([put({ ...line, no: 3 }), correct(2, 1)]).ok).toBe(false);
    expect(ledger.read(BOX)).toMatchObject({
      value: { intervals: [line], corrections: [{ voids: 1, reason: 'it’s ours' }], nextNo: 3 },
    });
  });

  it('keeps transfers once, and lets one grow and change in no other way', () => {
    const { ledger } = openTemporaryDatabase();
    const rate = { micros: 90_000, currency: 'USD', per: 'GB' } as const;
    const transfer = {
      no: 4,
      atMs: 9,
      what: 'pull',
      bytes: 41_000_000_000,
      rate,
      source: 'manual',
    } as const;
    const move = (part: Partial<Transfer>) => ({
      boxId: BOX,
      change: { kind: 'transfer', transfer: { ...transfer, ...part } } as const,
    });
    ledger.write([move({})]);
    ledger.write([move({ bytes: 5, rate: null, source: 'measured' })]);
    expect(ledger.read(BOX)).toMatchObject({ value: { transfers: [transfer], nextNo: 5 } });
    ledger.write([move({ bytes: 41_000_000_001 })]);
    expect(ledger.read(BOX)).toMatchObject({ value: { transfers: [{ bytes: 41_000_000_001 }] } });
    expect(ledger.boxIds()).toEqual({ ok: true, value: [BOX] });
  });

  it.each([
    [
      'a price below zero',
      `'[{"kind":"compute","what":"x","rate":{"micros":-1,"currency":"USD","per":"hour"}}]'`,
    ],
    [
      'an absurd price',
      `'[{"kind":"compute","what":"x","rate":{"micros":1e15,"currency":"USD","per":"hour"}}]'`,
    ],
    [
      'an unknown currency',
      `'[{"kind":"compute","what":"x","rate":{"micros":1,"currency":"RMB","per":"hour"}}]'`,
    ],
    ['what is not JSON', `'[{'`],
  ])(
    'names a line with %s, computes nothing from it and gives its number to no other',
    (_what, charges) =>
      withFolder((folder) => {
        const { database } = openDatabase({ folder });
        database.ledger.write([put(line), put({ ...line, no: 7 })]);
        database.close();
        const file = openConnection(join(folder, DATABASE_FILE), 0);
        file.exec(`UPDATE ledger_intervals SET charges = ${charges} WHERE no = 7`);
        file.close();
        const reopened = openDatabase({ folder }).database;
        expect(reopened.ledger.read(BOX)).toMatchObject({
          value: { intervals: [line], nextNo: 8, unreadable: [{ code: 'database-corrupt' }] },
        });
        reopened.close();
      }),
  );
});

describe('entriesTable', () => {
  it('keeps the newest value of a key, for all boxes and for a stored one only', () => {
    const { entries } = openTemporaryDatabase();
    const schema = z.int();
    entries.write('', 'budget', 1, 1);
    entries.write('', 'budget', 2, 2);
    expect(entries.write(BOX, 'prices', 3, 3).ok).toBe(true);
    expect(entries.read('', 'budget', schema)).toEqual({ ok: true, value: 2 });
    expect(entries.read(BOX, 'prices', schema)).toEqual({ ok: true, value: null });
  });

  it('keeps what does not fit before another value takes its place, once', () => {
    const { entries } = openTemporaryDatabase();
    const both = (key: string) => entries.read('', key, z.union([z.int(), z.string()]));
    entries.write('', 'budget', 'a lot', 7);
    entries.read('', 'budget', z.int());
    entries.write('', 'budget', 2, 8);
    entries.write('', 'budget', 3, 9);
    expect(both('budget')).toEqual({ ok: true, value: 3 });
    expect(both('budget.unreadable-7')).toEqual({ ok: true, value: 'a lot' });
    expect(both('budget.unreadable-8')).toEqual({ ok: true, value: null });
  });

  it('names a value that does not fit, instead of passing over it', () => {
    const { entries } = openTemporaryDatabase();
    entries.write('', 'budget', 'a lot', 1);
    expect(entries.read('', 'budget', z.int())).toMatchObject({
      ok: false,
      error: { code: 'database-corrupt' },
    });
  });
});
