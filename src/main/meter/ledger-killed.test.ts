import { describe, expect, it } from 'vitest';
import { effectiveIntervals, sumLedgers } from '../../shared/meter/ledger.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { runAndKill, withFolder } from '../storage/disk.fixture.ts';
import { BoxAccount } from './box-account.ts';
import { BOX, BYTES_A_SECOND, LIFE, START_MS } from './ledger-life.fixture.ts';

const FIXTURE = new URL('./ledger-killed.fixture.ts', import.meta.url);

function read(database: Database) {
  const ledger = database.ledger.read(BOX);
  if (!ledger.ok) throw new Error(ledger.error.message);
  expect(ledger.value.unreadable).toEqual([]);
  return ledger.value;
}

const timeIn = (ledger: ReturnType<typeof read>): number =>
  effectiveIntervals(ledger).reduce((sum, { ms }) => sum + ms, 0);

describe('kill -9 while the ledger is written', () => {
  it.each([1, 2, 3, 4, 5, 7, 15, 35, 70, 211])(
    'after %d minutes loses at most the last one, for a while, and counts none twice',
    (after) =>
      withFolder(async (folder) => {
        const told = await runAndKill(FIXTURE, [folder], after);
        const lastToldMs = Number(told.at(-1));
        const { database } = openDatabase({ folder });
        const killed = read(database);
        // At most the one that was committed and not told any more.
        expect([lastToldMs, lastToldMs + 60_000]).toContain(timeIn(killed));
        // Bytes are of the same minutes: written with them or not at all.
        const bytes = (timeIn(killed) / 1000) * BYTES_A_SECOND;
        expect(sumLedgers([killed]).receivedBytes).toBe(bytes);

        // Half an hour later it is opened again, and the box says that it has run all the while.
        const account = new BoxAccount(killed, []);
        const { recorder } = account;
        const livedMs = lastToldMs + 59_000 + 1_800_000;
        const now = { wallMs: START_MS + livedMs, upMs: 5 };
        recorder.reopen(now, { running: [], stopped: [], destroyed: [] });
        recorder.answered(now, { id: LIFE, upForMs: livedMs });
        account.received(1);
        account.settleReceived(now.wallMs, null);
        account.collect();
        const changes = account.unwritten.map((change) => ({ boxId: BOX, change }));
        expect(database.ledger.write(changes)).toEqual({ ok: true, value: null });
        const whole = read(database);
        expect(timeIn(whole)).toBe(livedMs);
        expect(sumLedgers([whole])).toMatchObject({ unresolvedMs: 0, receivedBytes: bytes + 1 });
        database.close();
      }),
  );
});
