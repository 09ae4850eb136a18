import { openDatabase } from '../storage/database.ts';
import { tell } from '../storage/disk.fixture.ts';
import { BoxAccount } from './box-account.ts';
import {
  BOX,
  BYTES_A_SECOND,
  LIFE,
  NOTHING_STORED,
  pricesAt,
  START_MS,
} from './ledger-life.fixture.ts';

// `<folder>`: lives through minute after minute of one running box, writes each to the ledger, and tells how much time it has
// lived through once that is committed, until it is killed. The clock is its own, so no minute takes one.

const [, , folder = ''] = process.argv;
const { database } = openDatabase({ folder });
const account = new BoxAccount(NOTHING_STORED, []);
const { recorder } = account;
let elapsedMs = 0;
const now = () => ({ wallMs: START_MS + elapsedMs, upMs: elapsedMs });
recorder.reopen(now(), pricesAt(0));
recorder.answered(now(), { id: LIFE, upForMs: 0 });
for (let minute = 1; ; minute += 1) {
  for (let second = 0; second < 60; second += 1) {
    elapsedMs += 1000;
    recorder.tick(now());
    account.received(BYTES_A_SECOND);
    account.settleReceived(now().wallMs, null);
  }
  // What makes the ledger write corrections: silence, and an answer after it.
  if (minute % 3 === 0) recorder.silent(now());
  if (minute % 5 === 0) recorder.answered(now(), { id: LIFE, upForMs: elapsedMs });
  if (minute % 7 === 0) recorder.usePrices(now(), pricesAt(minute));
  account.collect();
  const changes = account.unwritten.map((change) => ({ boxId: BOX, change }));
  const written = database.ledger.write(changes);
  if (!written.ok) throw new Error(written.error.message);
  account.written();
  tell(String(elapsedMs));
}
