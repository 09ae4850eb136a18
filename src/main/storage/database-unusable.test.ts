import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { addBoxes, idsIn, makeDatabase, newBox, plant } from './boxes.fixture.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import {
  letGoOfFiles,
  makeReadOnly,
  runFixture,
  whyNoReadOnly,
  whyNoSmallDisk,
  withFolder,
  withSmallDisk,
} from './disk.fixture.ts';
import type { Listing } from './rows.ts';

const FIXTURE = new URL('./database.fixture.ts', import.meta.url);

describe('a database that cannot be used now', () => {
  interface Tried {
    readonly isKept: boolean;
    readonly problems: readonly Problem[];
    readonly listed: Result<Listing<Box>, Problem>;
    readonly added: Result<Box, Problem>;
  }

  it.for([
    ['a read-only folder', ['leasehold.db'], 'folder-read-only'],
    ['a read-only folder without a database', [], 'folder-read-only'],
  ] as const)(
    'runs in memory in %s and leaves everything as it was',
    ([, files, code], { skip }) => {
      skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
      return withFolder(async (folder) => {
        const made = files.length > 0 ? makeDatabase(folder, 3) : null;
        if (made !== null) plant(folder, made);
        makeReadOnly(folder, files);
        const { lines, stderr } = await runFixture(FIXTURE, ['try', folder]);
        const tried = JSON.parse(lines[0] ?? stderr) as Tried;
        expect(tried.isKept).toBe(false);
        expect(tried.problems).toMatchObject([{ code }]);
        expect(tried.problems[0]?.message).toMatch(/^Nothing is kept/);
        expect(tried.added.ok).toBe(true);
        expect(readdirSync(folder)).toEqual(files);
        if (made !== null)
          expect(readFileSync(join(folder, DATABASE_FILE)).equals(made)).toBe(true);
      });
    },
  );

  it('runs in memory when the folder is writable and the file is not', ({ skip }) => {
    skip(whyNoReadOnly !== null, whyNoReadOnly ?? '');
    return withFolder(async (parent) => {
      const folder = join(parent, 'data');
      const made = makeDatabase(folder, 3);
      plant(folder, made);
      makeReadOnly(folder, [DATABASE_FILE]);
      chmodSync(parent, 0o755);
      chmodSync(folder, 0o777);
      const { lines, stderr } = await runFixture(FIXTURE, ['try', folder]);
      const tried = JSON.parse(lines[0] ?? stderr) as Tried;
      expect(tried.isKept).toBe(false);
      expect(tried.problems).toMatchObject([{ code: 'folder-read-only' }]);
      expect(readFileSync(join(folder, DATABASE_FILE)).equals(made)).toBe(true);
    });
  });

  it('runs in memory where a file stands in the place of the folder', () =>
    withFolder((parent) => {
      const folder = join(parent, 'data');
      writeFileSync(folder, 'a file');
      const { isKept, problems } = openDatabase({ folder });
      expect(isKept).toBe(false);
      expect(problems).toHaveLength(1);
      expect(readFileSync(folder, 'utf8')).toBe('a file');
    }));

  it('runs in memory where a folder stands in the place of the file', () =>
    withFolder((folder) => {
      mkdirSync(join(folder, DATABASE_FILE, 'full'), { recursive: true });
      const { isKept, problems } = openDatabase({ folder });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ code: 'database-unavailable' }]);
      expect(existsSync(join(folder, DATABASE_FILE, 'full'))).toBe(true);
    }));

  it('runs in memory while the disk that a link leads to is away, and comes back to it', () =>
    withFolder(async (folder) => {
      const disk = join(folder, 'disk');
      makeDatabase(disk, 3);
      await letGoOfFiles();
      symlinkSync(join(disk, DATABASE_FILE), join(folder, DATABASE_FILE));
      renameSync(disk, `${disk}-away`);
      const { isKept, problems, database } = openDatabase({ folder });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ detail: expect.stringContaining('which is not there') }]);
      database.close();
      renameSync(`${disk}-away`, disk);
      const again = openDatabase({ folder });
      expect(idsIn(again.database)).toHaveLength(3);
      again.database.close();
    }));

  it.each(['everything', 'writing'])('says so while another process has locked %s', (how) =>
    withFolder(async (folder) => {
      makeDatabase(folder, 3);
      await letGoOfFiles();
      const locked = await runFixture(FIXTURE, ['lock', folder, how], (_line, _count, child) => {
        const { isKept, problems } = openDatabase({ folder, busyTimeoutMs: 20 });
        expect(isKept).toBe(false);
        expect(problems).toMatchObject([{ code: 'database-unavailable' }]);
        expect(problems[0]?.message).toContain('another program');
        child.kill('SIGKILL');
      });
      expect(locked.lines).toEqual(['locked']);
      const again = openDatabase({ folder });
      expect(again.problems).toEqual([]);
      expect(idsIn(again.database)).toHaveLength(3);
      again.database.close();
    }),
  );

  it('answers a problem, and works again, when another process locks it later', () =>
    withFolder(async (folder) => {
      const { database } = openDatabase({ folder, busyTimeoutMs: 20 });
      addBoxes(database, 0, 1);
      await runFixture(FIXTURE, ['lock', folder, 'writing'], (_line, _count, child) => {
        expect(database.boxes.forget(idsIn(database)[0] ?? '')).toMatchObject({
          ok: false,
          error: { code: 'database-unavailable' },
        });
        child.kill('SIGKILL');
      });
      addBoxes(database, 1, 1);
      expect(idsIn(database)).toHaveLength(2);
      database.close();
    }));
});

describe('a full disk', () => {
  it('loses nothing that was committed, and goes on when there is room', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(512, ({ folder, fill, free }) => {
      const { database } = openDatabase({ folder });
      const kept = [...addBoxes(database, 0, 5)];
      fill(20_000);
      let problem: Problem | null = null;
      for (let n = 5; problem === null; n += 1) {
        const added = database.boxes.add(newBox(n));
        if (added.ok) kept.push(added.value.id);
        else problem = added.error;
      }
      expect(problem.code).toBe('disk-full');
      expect(idsIn(database)).toEqual(kept);
      free();
      kept.push(...addBoxes(database, 1000, 1));
      database.close();
      const again = openDatabase({ folder });
      expect(again.problems).toEqual([]);
      expect(idsIn(again.database)).toEqual(kept);
      again.database.close();
    });
  });

  it('undoes the whole of a transaction that does not fit, and nothing of it slips in afterwards', async ({
    skip,
  }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(512, ({ folder, fill }) => {
      const { database } = openDatabase({ folder });
      const kept = addBoxes(database, 0, 2);
      fill(8192);
      const done = database.transaction('The import was not done', () => {
        let all: Result<Box, Problem> | null = null;
        for (let n = 0; n < 4000; n += 1) {
          const added = database.boxes.add({ ...newBox(10 + n), name: 'x'.repeat(2000) });
          // A caller that overlooks the failure and goes on.
          if (all === null || added.ok) all = added;
        }
        if (all === null) throw new Error('nothing tried');
        return all;
      });
      expect(done).toMatchObject({ ok: false, error: { code: 'disk-full' } });
      expect(idsIn(database)).toEqual(kept);
      database.close();
    });
  });

  it('runs in memory, and leaves no empty file that would look damaged', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(512, ({ folder, fill, free }) => {
      fill(0);
      const { isKept, problems, database } = openDatabase({ folder });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ code: 'disk-full' }]);
      addBoxes(database, 0, 1);
      database.close();
      free();
      expect(readdirSync(folder)).toEqual([]);
      expect(openDatabase({ folder })).toMatchObject({ isKept: true, problems: [] });
    });
  });
});
