import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { todayOf } from '../../shared/meter/calendar.ts';
import { toMoney } from '../../shared/meter/exact.ts';
import { countedPart, sumLedgers } from '../../shared/meter/ledger.ts';
import type { Rate } from '../../shared/meter/rate.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { BoxAccount } from './box-account.ts';

const NOON = Date.parse('2026-03-28T12:00:00Z');
const HOUR_MS = 3_600_000;

const rate: fc.Arbitrary<Rate | null> = fc.option(
  fc.record({
    micros: fc.integer({ min: 0, max: 2_000_000 }),
    currency: fc.constantFrom('USD', 'CNY'),
    per: fc.constant('GB' as const),
  }),
  { freq: 3 },
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('arrive' as const),
      bytes: fc.integer({ min: 1, max: 40_000_000_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      // Days go by, and this machine's clock may be set back.
      kind: fc.constant('pass' as const),
      ms: fc.integer({ min: -2 * HOUR_MS, max: 30 * HOUR_MS }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('price' as const), rate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('price-of-all' as const), rate }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('write', 'kill', 'quit', 'take-out-all') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A piece that arrived: nothing is ever put together here. */
interface Piece {
  readonly bytes: number;
  readonly day: number;
  readonly rate: Rate | null;
}

describe('bytes that came from a box', () => {
  const database = openTemporaryDatabase();
  afterAll(() => database.close());
  const { ledger: table } = database;

  function read(boxId: string) {
    const stored = table.read(boxId);
    if (!stored.ok) throw new Error(stored.error.message);
    expect(stored.value.unreadable).toEqual([]);
    return stored.value;
  }

  function play(steps: readonly Step[]): { readonly boxId: string; readonly pieces: Piece[] } {
    const boxId = randomUUID();
    let wallMs = NOON;
    let current: Rate | null = null;
    let pieces: Piece[] = [];
    let saved: Piece[] = [];
    const now = () => ({ wallMs, upMs: 0 });
    const open = (): BoxAccount => {
      const account = new BoxAccount(read(boxId), []);
      account.recorder.reopen(now(), { running: [], stopped: [], destroyed: [] });
      return account;
    };
    let account = open();
    const write = (): void => {
      account.settleReceived(wallMs, current);
      account.collect();
      const changes = account.unwritten.map((change) => ({ boxId, change }));
      expect(table.write(changes)).toEqual({ ok: true, value: null });
      account.written();
      saved = [...pieces];
    };
    for (const each of steps) {
      switch (each.kind) {
        case 'arrive':
          account.received(each.bytes);
          account.settleReceived(wallMs, current);
          pieces.push({ bytes: each.bytes, day: todayOf(wallMs).fromMs, rate: current });
          break;
        case 'pass':
          wallMs += each.ms;
          break;
        case 'price':
          current = each.rate;
          break;
        case 'price-of-all':
          current = each.rate;
          account.repriceReceived(now(), 0, current);
          pieces = pieces.map((piece) => ({ ...piece, rate: each.rate }));
          break;
        case 'write':
          write();
          break;
        case 'quit':
          write();
          account = open();
          break;
        case 'kill':
          account = open();
          pieces = [...saved];
          break;
        case 'take-out-all':
          account.collect();
          for (const { no } of countedPart(account.ledger).transfers) {
            expect(account.takeOut(now(), no, 'the platform gave it back').ok).toBe(true);
          }
          pieces = [];
          break;
      }
    }
    write();
    return { boxId, pieces };
  }

  it('are counted once each, on their day and at the price of their time, whatever happens (U14)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { boxId, pieces } = play(steps);
        const ledger = read(boxId);
        const days = new Set(pieces.map(({ day }) => day));
        for (const day of days) {
          const on = pieces.filter((piece) => piece.day === day);
          const sums = sumLedgers([ledger], todayOf(day));
          expect(sums.receivedBytes).toBe(on.reduce((sum, { bytes }) => sum + bytes, 0));
          const parts: Record<string, bigint> = {};
          for (const { bytes, rate: priced } of on) {
            if (priced === null) continue;
            const thousandMillionths = BigInt(priced.micros) * BigInt(bytes);
            parts[priced.currency] = (parts[priced.currency] ?? 0n) + thousandMillionths;
          }
          const micros = Object.entries(parts).map(([currency, sum]) => ({
            micros: Number((sum + 500_000_000n) / 1_000_000_000n),
            currency,
          }));
          expect(toMoney(sums.known)).toEqual(
            micros.sort((a, b) => (a.currency < b.currency ? -1 : 1)),
          );
        }
        const all = sumLedgers([ledger]);
        expect(all.receivedBytes).toBe(pieces.reduce((sum, { bytes }) => sum + bytes, 0));
        expect(all.unpricedBytes).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('make one line a day and price, not one for each time that Leasehold is opened', () => {
    const arrive = { kind: 'arrive', bytes: 1000 } as const;
    const again = [arrive, { kind: 'quit' }, arrive, { kind: 'quit' }, arrive] as const;
    const { boxId } = play([...again, { kind: 'pass', ms: 24 * HOUR_MS }, ...again]);
    expect(read(boxId).transfers).toMatchObject([
      { what: 'received', bytes: 3000, source: 'measured', atMs: NOON },
      { bytes: 3000, atMs: NOON + 24 * HOUR_MS },
    ]);
  });
});
