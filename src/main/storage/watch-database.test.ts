import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';
import { watchDatabase } from './watch-database.ts';

it.each<[string, (file: string) => void]>([
  ['removed', (file) => rmSync(file)],
  [
    'replaced',
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
])('a database that is %s while it is open is told once', (_what, take) =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const told: Problem[] = [];
    const stop = watchDatabase(folder, silentLog, (found) => told.push(found));
    try {
      take(join(folder, DATABASE_FILE));
      await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 60_000 });
      expect(told[0]?.message).toContain('lost when Leasehold quits');
    } finally {
      stop();
      database.close();
    }
  }),
);

/** Often enough for a test; what it finds is waited for, however long that takes. */
const SOON_MS = 20;

it('tells once that it cannot be looked at, and that it was replaced when it can be', () =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const file = join(folder, DATABASE_FILE);
    const told: Problem[] = [];
    const stop = watchDatabase(folder, silentLog, (found) => told.push(found), SOON_MS);
    try {
      renameSync(file, `${file}.own`);
      symlinkSync(DATABASE_FILE, `${file}.loop`);
      renameSync(`${file}.loop`, file); // a link to itself: ELOOP
      await vi.waitFor(() => expect(told).not.toEqual([]), { timeout: 60_000 });
      expect(told).toMatchObject([
        { message: expect.stringContaining('cannot see whether its database is still') },
      ]);
      copyFileSync(`${file}.own`, `${file}.copy`);
      renameSync(`${file}.copy`, file);
      await vi.waitFor(() => expect(told).toHaveLength(2), { timeout: 60_000 });
      expect(told[1]?.message).toContain('removed or replaced');
    } finally {
      stop();
      database.close();
    }
  }));

it('tells that a folder further up was moved', () =>
  withFolder(async (parent) => {
    const folder = join(parent, 'up', 'data');
    mkdirSync(folder, { recursive: true });
    const { database } = openDatabase({ folder });
    const told: Problem[] = [];
    const stop = watchDatabase(folder, silentLog, (found) => told.push(found), SOON_MS);
    try {
      renameSync(join(parent, 'up'), join(parent, 'elsewhere'));
      await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 60_000 });
      expect(told[0]?.message).toContain('removed or replaced');
    } finally {
      stop();
      database.close();
    }
  }));
