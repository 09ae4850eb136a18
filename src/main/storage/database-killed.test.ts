import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addBoxes, idsIn, makeDatabase } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { letGoOfFiles, runAndKill, runFixture, withFolder } from './disk.fixture.ts';

const FIXTURE = new URL('./database.fixture.ts', import.meta.url);

describe('kill -9', () => {
  it.each([1, 2, 3, 5, 8, 13, 21, 34, 89, 233])(
    'after %d commits loses none that was told',
    (after) =>
      withFolder(async (folder) => {
        const told = await runAndKill(FIXTURE, ['write', folder], after);
        const { database, problems } = openDatabase({ folder });
        expect(problems).toEqual([]);
        const found = new Set(idsIn(database));
        expect(told.filter((id) => !found.has(id))).toEqual([]);
        // At most the one that was committed and not told any more.
        expect(found.size - told.length).toBeLessThanOrEqual(1);
        for (const id of found) {
          expect(database.hostKeys.current(id)).toMatchObject({ ok: true, value: { type: 'k' } });
        }
        database.close();
        const tool = openConnection(join(folder, DATABASE_FILE), 0);
        expect(tool.pragma('integrity_check')).toBe('ok');
        tool.close();
      }),
  );

  it('in the middle of a transaction without WAL: the half-done part is undone', () =>
    withFolder(async (folder) => {
      makeDatabase(folder, 3);
      await letGoOfFiles();
      const { signal, stderr } = await runFixture(
        FIXTURE,
        ['spill', folder],
        (_line, _count, child) => child.kill('SIGKILL'),
      );
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
      expect(statSync(join(folder, `${DATABASE_FILE}-journal`)).size).toBeGreaterThan(0);
      expect(readFileSync(join(folder, DATABASE_FILE), 'latin1')).toContain('half done');
      const { database, isKept, problems } = openDatabase({ folder });
      expect({ isKept, problems }).toEqual({ isKept: true, problems: [] });
      expect(database.boxes.list()).toMatchObject({
        value: { rows: [{ name: 'box 0' }, { name: 'box 1' }, { name: 'box 2' }], unreadable: [] },
      });
      database.close();
    }));

  // Told before it begins, so the kill meets it at some moment of the creation; the pauses spread those moments.
  it.each([0, 2, 5, 10, 20])(
    'about %d ms into the first start leaves a database or none, never a damaged one',
    (pauseMs) =>
      withFolder(async (folder) => {
        await runFixture(FIXTURE, ['open', folder], (line, _count, child) => {
          if (line === 'done') child.kill('SIGKILL');
          else setTimeout(() => child.kill('SIGKILL'), pauseMs);
        });
        const { database, isKept, problems } = openDatabase({ folder });
        expect({ isKept, problems }).toEqual({ isKept: true, problems: [] });
        addBoxes(database, 0, 1);
        database.close();
        expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([]);
      }),
  );
});
