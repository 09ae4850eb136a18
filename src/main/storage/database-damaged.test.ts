import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addBoxes, idsIn, makeDatabase, plant } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

const NOON = Date.parse('2025-11-21T12:00:00Z');
const KEPT = 'leasehold.corrupt-2025-11-21T12-00-00Z.db';

/** So many places, spread over all of its pages and over each part of a page; each costs a database, written and read. */
function placesIn({ length }: Buffer, from: number, count: number): number[] {
  const step = Math.floor((length - from) / count) | 1;
  return Array.from({ length: count }, (_, index) => from + index * step);
}

describe('a damaged database', () => {
  function expectMovedAside(folder: string, original: Uint8Array, what: string): void {
    const { database, isKept, problems } = openDatabase({ folder, now: () => NOON });
    expect({ isKept, codes: problems.map(({ code }) => code) }, what).toEqual({
      isKept: true,
      codes: ['database-corrupt'],
    });
    expect(problems[0]?.message, what).toContain(join(folder, KEPT));
    expect(readFileSync(join(folder, KEPT)).equals(original), what).toBe(true);
    expect(idsIn(database), what).toEqual([]);
    addBoxes(database, 0, 1);
    database.close();
    const again = openDatabase({ folder });
    expect(again.problems, what).toEqual([]);
    expect(idsIn(again.database), what).toHaveLength(1);
    again.database.close();
  }

  it('is moved aside byte for byte when it is empty or no database', () =>
    withFolder((folder) => {
      const page = Buffer.alloc(4096);
      for (const [what, bytes] of [
        ['empty', Buffer.alloc(0)],
        ['one byte', Buffer.from('S')],
        ['a text', Buffer.from('SQLite format 3 was here, once')],
        ['zeros', page],
        ['garbage', randomBytes(20_000)],
        [
          'the magic and garbage',
          Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(9000)]),
        ],
      ] as const) {
        plant(folder, bytes);
        expectMovedAside(folder, bytes, what);
      }
    }));

  it('is moved aside byte for byte when it was cut off anywhere', () =>
    withFolder((folder) => {
      const whole = makeDatabase(folder, 60);
      expect(whole.length).toBeGreaterThan(7 * 4096);
      const lengths = [1, 15, 16, 50, 99, 100, 101, 4095, 4096, 4097, whole.length - 1];
      for (const length of placesIn(whole, 512, 40)) lengths.push(length);
      for (const length of placesIn(whole, 8192, 10)) lengths.push(length - (length % 4096));
      for (const length of lengths) {
        const cut = whole.subarray(0, length);
        plant(folder, cut);
        expectMovedAside(folder, cut, `cut to ${length}`);
      }
    }));

  it('is never read wrong or lost after one flipped byte in its header', () =>
    withFolder((folder) => {
      const whole = makeDatabase(folder, 20);
      const all = idsIn(openDatabase({ folder }).database);
      const outcomes = { harmless: 0, moved: 0, newer: 0 };
      for (let at = 0; at < 100; at += 1) {
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(flipped.readUInt8(at) ^ 0xff, at);
        plant(folder, flipped);
        const { database, isKept, problems } = openDatabase({ folder, now: () => NOON });
        const [code] = problems.map((found) => found.code);
        if (code === undefined) {
          outcomes.harmless += 1;
          expect(idsIn(database), `byte ${at}`).toEqual(all);
        } else if (code === 'database-newer') {
          outcomes.newer += 1;
          expect(isKept).toBe(false);
          expect(readFileSync(join(folder, DATABASE_FILE)).equals(flipped), `byte ${at}`).toBe(
            true,
          );
        } else {
          outcomes.moved += 1;
          expect(code, `byte ${at}`).toBe('database-corrupt');
          expect(readFileSync(join(folder, KEPT)).equals(flipped), `byte ${at}`).toBe(true);
        }
        database.close();
      }
      expect(outcomes.moved).toBeGreaterThan(20);
      expect(outcomes.harmless + outcomes.moved + outcomes.newer).toBe(100);
    }));

  it('never ends the process nor loses the file, whichever byte of its content is flipped', () =>
    withFolder((folder) => {
      const whole = makeDatabase(folder, 20);
      for (const at of placesIn(whole, 100, 300)) {
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(flipped.readUInt8(at) ^ 0xff, at);
        plant(folder, flipped);
        const { database, problems } = openDatabase({ folder, now: () => NOON });
        const listed = database.boxes.list();
        const ids = listed.ok ? listed.value.rows.map(({ id }) => id) : [];
        const keys = new Map(ids.map((id) => [id, database.hostKeys.current(id)]));
        database.close();
        if (problems.length > 0) {
          expect(problems, `byte ${at}`).toMatchObject([{ code: 'database-corrupt' }]);
          expect(readFileSync(join(folder, KEPT)).equals(flipped), `byte ${at}`).toBe(true);
        } else if (listed.ok) {
          const { rows, unreadable } = listed.value;
          expect(rows.length + unreadable.length, `byte ${at}`).toBe(20);
          for (const { id } of rows) {
            // Damaged, it may be unreadable; it must never look like a first contact.
            expect(keys.get(id), `byte ${at}`).not.toEqual({ ok: true, value: null });
          }
        }
      }
    }));

  it('is moved aside when it is somebody else’s', () =>
    withFolder((folder) => {
      const file = join(folder, DATABASE_FILE);
      for (const [what, sql] of [
        ['with tables, without version', 'CREATE TABLE theirs (v)'],
        ['with a version, without our mark', 'CREATE TABLE theirs (v); PRAGMA user_version = 1'],
        ['with a larger version', 'CREATE TABLE theirs (v); PRAGMA user_version = 50'],
      ] as const) {
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
        const tool = openConnection(file, 0);
        tool.exec(sql);
        tool.close();
        expectMovedAside(folder, readFileSync(file), what);
      }
    }));

  /** The three files as a killed process leaves them, all content in the log. */
  function plantWithLog(folder: string, count: number): { database: Buffer; log: Buffer } {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const { database } = openDatabase({ folder });
    addBoxes(database, 0, count);
    const files = {
      database: readFileSync(join(folder, DATABASE_FILE)),
      log: readFileSync(join(folder, `${DATABASE_FILE}-wal`)),
    };
    database.close();
    plant(folder, files.database);
    writeFileSync(join(folder, `${DATABASE_FILE}-wal`), files.log);
    return files;
  }

  it('reads what only its log holds', () =>
    withFolder((folder) => {
      plantWithLog(folder, 5);
      const { database, problems } = openDatabase({ folder });
      expect(problems).toEqual([]);
      expect(idsIn(database)).toHaveLength(5);
      database.close();
    }));

  it('keeps every whole transaction of a log that was cut off', () =>
    withFolder((folder) => {
      const whole = plantWithLog(folder, 5).log.length;
      const counts = [whole - 1, whole - 4120, whole - 9000, 40_000].map((length) => {
        const { log } = plantWithLog(folder, 5);
        writeFileSync(join(folder, `${DATABASE_FILE}-wal`), log.subarray(0, length));
        const { database, problems } = openDatabase({ folder });
        expect(problems).toEqual([]);
        const { length: count } = idsIn(database);
        database.close();
        return count;
      });
      expect(counts[0]).toBe(4);
      expect([...counts].sort((a, b) => b - a)).toEqual(counts);
    }));

  it('is moved aside with its log when the log is garbage', () =>
    withFolder((folder) => {
      const { database: bytes } = plantWithLog(folder, 5);
      const garbage = randomBytes(8000);
      writeFileSync(join(folder, `${DATABASE_FILE}-wal`), garbage);
      expectMovedAside(folder, bytes, 'garbage log');
      expect(readFileSync(join(folder, `${KEPT}-wal`)).equals(garbage)).toBe(true);
    }));

  it('is moved aside with its log, both unchanged, when the log belongs to another database', () =>
    withFolder((folder) => {
      const other = join(folder, 'other');
      mkdirSync(other);
      const tool = openConnection(join(other, 'x.db'), 0);
      tool.exec(
        `PRAGMA journal_mode = WAL; CREATE TABLE a (v); CREATE TABLE b (v);
         INSERT INTO a VALUES (hex(zeroblob(20000))); INSERT INTO b VALUES (1)`,
      );
      const foreign = readFileSync(join(other, 'x.db-wal'));
      tool.close();
      const whole = makeDatabase(folder, 60);
      plant(folder, whole);
      writeFileSync(join(folder, `${DATABASE_FILE}-wal`), foreign);
      expectMovedAside(folder, whole, 'foreign log');
      expect(readFileSync(join(folder, `${KEPT}-wal`)).equals(foreign)).toBe(true);
    }));

  it('does not start anew on top of a log whose database is gone', () =>
    withFolder((folder) => {
      const { log } = plantWithLog(folder, 5);
      rmSync(join(folder, DATABASE_FILE));
      const { database, problems } = openDatabase({ folder, now: () => NOON });
      expect(problems).toMatchObject([{ code: 'database-corrupt' }]);
      expect(readFileSync(join(folder, `${KEPT}-wal`)).equals(log)).toBe(true);
      expect(idsIn(database)).toEqual([]);
      database.close();
    }));

  it('never overwrites one that was moved aside in the same second', () =>
    withFolder((folder) => {
      for (const text of ['first', 'second']) {
        writeFileSync(join(folder, DATABASE_FILE), text);
        openDatabase({ folder, now: () => NOON }).database.close();
        for (const part of ['', '-wal', '-shm']) {
          rmSync(join(folder, DATABASE_FILE + part), { force: true });
        }
      }
      const kept = readdirSync(folder).filter((name) => name.includes('corrupt'));
      expect(kept.map((name) => readFileSync(join(folder, name), 'utf8')).sort()).toEqual([
        'first',
        'second',
      ]);
    }));
});
