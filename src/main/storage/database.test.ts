import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addBoxes, idsIn, makeDatabase, plant } from './boxes.fixture.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

describe('openDatabase', () => {
  it('creates a database for the owner only and opens it again', () =>
    withFolder((parent) => {
      const folder = join(parent, 'deep', 'data');
      const first = openDatabase({ folder });
      expect(first).toMatchObject({ isKept: true, problems: [] });
      const ids = addBoxes(first.database, 0, 3);
      if (process.platform !== 'win32') {
        expect(statSync(folder).mode & 0o777).toBe(0o700);
        for (const name of readdirSync(folder)) {
          expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
        }
      }
      first.database.close();
      const again = openDatabase({ folder });
      expect(again).toMatchObject({ isKept: true, problems: [] });
      expect(idsIn(again.database)).toEqual(ids);
      again.database.close();
    }));

  it('leaves one complete file behind when it closes', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const ids = addBoxes(database, 0, 3);
      database.close();
      const elsewhere = join(folder, 'copy');
      mkdirSync(elsewhere);
      copyFileSync(join(folder, DATABASE_FILE), join(elsewhere, DATABASE_FILE));
      const copy = openDatabase({ folder: elsewhere });
      expect(idsIn(copy.database)).toEqual(ids);
      copy.database.close();
    }));

  it('opens in a folder whose name means something in a URL', () =>
    withFolder((parent) => {
      const folder = join(parent, "a?mode=memory&b#c%41 'd'");
      const first = openDatabase({ folder });
      const ids = addBoxes(first.database, 0, 2);
      first.database.close();
      const again = openDatabase({ folder });
      expect(again.problems).toEqual([]);
      expect(idsIn(again.database)).toEqual(ids);
      again.database.close();
    }));

  it('leaves a newer database untouched and runs in memory', () =>
    withFolder((folder) => {
      const made = makeDatabase(folder, 3);
      made.writeUInt32BE(99, 60); // user_version in SQLite's header
      plant(folder, made);
      const { database, isKept, problems } = openDatabase({ folder });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ code: 'database-newer' }]);
      expect(problems[0]?.message).toContain(join(folder, DATABASE_FILE));
      addBoxes(database, 0, 1);
      database.close();
      expect(readFileSync(join(folder, DATABASE_FILE)).equals(made)).toBe(true);
    }));
});
