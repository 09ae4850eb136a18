import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Connection } from './connection.ts';
import { copyDatabase } from './copy-database.ts';
import { timeInName } from './keep-aside.ts';

const KEPT_BACKUPS = 2;

/**
 * Copies the database before it is migrated, for example to `leasehold.before-v2-<time>.db`. Throws when there is no
 * room for it: then nothing is migrated.
 */
export function backUp(
  connection: Connection,
  file: string,
  { fromVersion, toVersion, atMs }: { fromVersion: number; toVersion: number; atMs: number },
): void {
  const stem = basename(file, '.db');
  const copy = join(dirname(file), `${stem}.before-v${toVersion}-${timeInName(atMs)}.db`);
  copyDatabase(connection, copy, fromVersion);
  dropOldBackups(file);
}

function dropOldBackups(file: string): void {
  const isBackup = new RegExp(
    `^${basename(file, '.db')}\\.before-v\\d+-(\\d{4}-\\d{2}-\\d{2}T\\d{2}-\\d{2}-\\d{2}Z)\\.db(\\.tmp)?$`,
  );
  const found = readdirSync(dirname(file)).flatMap((name) => {
    const [, time, unfinished] = isBackup.exec(name) ?? [];
    return time === undefined ? [] : [{ name, time, isFinished: unfinished === undefined }];
  });
  const finished = found.filter(({ isFinished }) => isFinished);
  finished.sort((a, b) => a.time.localeCompare(b.time));
  const dropped = [
    ...finished.slice(0, -KEPT_BACKUPS),
    // What a killed process left half-written.
    ...found.filter(({ isFinished }) => !isFinished),
  ];
  for (const { name } of dropped) rmSync(join(dirname(file), name));
}
