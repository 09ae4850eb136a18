import { newBox, newHostKey, TRUST } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { becomeOrdinaryUser, tell } from './disk.fixture.ts';
import { holdDataFolder } from './hold-data-folder.ts';

// `write <folder>`: adds one box with a host key after the other, each pair in one transaction, and tells each id once it
//   is committed, until it is killed.
// `open <folder>`: tells that it begins, opens, which creates the database, tells that it is done, until it is killed.
// `lock <folder> <how>`: takes a lock, tells it, and keeps it until it is killed.
// `hold <folder>`: keeps the data folder for itself, tells it, until it is killed.
// `spill <folder>`: without WAL, writes more than fits into memory in one transaction, and waits in the middle of it.
// `try <folder>`: as an ordinary user, opens, lists, adds, and prints what came of it as JSON.

const [task, folder = '', how] = process.argv.slice(2);

/** Keeps the process, and what it holds open: a libsql connection that nobody refers to is closed by the next collection. */
function wait(held: object): void {
  setInterval(() => held, 60_000);
}

switch (task) {
  case 'write':
    writeUntilKilled();
    break;
  case 'open': {
    tell('begins');
    const opened = openDatabase({ folder });
    tell('done');
    wait(opened);
    break;
  }
  case 'lock': {
    const connection = openConnection(`${folder}/${DATABASE_FILE}`, 0);
    connection.exec(
      how === 'everything'
        ? 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM boxes'
        : 'BEGIN IMMEDIATE',
    );
    tell('locked');
    wait(connection);
    break;
  }
  case 'hold': {
    const release = holdDataFolder(folder, silentLog);
    tell(release === null ? 'taken' : 'held');
    wait({ release });
    break;
  }
  case 'spill': {
    const connection = openConnection(`${folder}/${DATABASE_FILE}`, 0);
    connection.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; PRAGMA foreign_keys = OFF; BEGIN;
       UPDATE boxes SET name = 'half done';
       CREATE TABLE filler AS
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       SELECT i, hex(zeroblob(100)) FROM n`,
    );
    tell('in the middle');
    wait(connection);
    break;
  }
  case 'try': {
    becomeOrdinaryUser();
    const { database, isKept, problems } = openDatabase({ folder });
    const listed = database.boxes.list();
    const added = database.boxes.add(newBox(1));
    tell(JSON.stringify({ isKept, problems, listed, added }));
    break;
  }
  default:
    throw new Error(`unknown task ${String(task)}`);
}

function writeUntilKilled(): void {
  const { database } = openDatabase({ folder });
  for (let n = 0; ; n += 1) {
    const box = newBox(n);
    const done = database.transaction('not added', () => {
      const added = database.boxes.add(box);
      return added.ok ? database.hostKeys.store(box.id, newHostKey(), n, TRUST) : added;
    });
    if (!done.ok) throw new Error(done.error.message);
    tell(box.id);
  }
}
