import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { readHostKey, type OfferedHostKey, type Trust } from '../ssh/host-key.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, type Database } from './database.ts';

// Made-up boxes, and databases full of them: shared by the tests of the database.

export function newBox(n: number): Box {
  return {
    id: randomUUID(),
    name: `box ${n}`,
    platform: 'generic-ssh',
    address: { host: `host-${n}.example`, port: 22, user: 'root' },
    ...USUAL_WAY,
    tags: [],
    addedAtMs: n,
  };
}

export const TRUST: Trust = {
  address: { host: 'host.example', port: 22 },
  by: 'confirmed',
  where: null,
};

export function newHostKey(): OfferedHostKey {
  return readHostKey(Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from('k'), randomBytes(32)]));
}

export function addBoxes(database: Database, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_none, index) => {
    const added = database.boxes.add(newBox(from + index));
    if (!added.ok) throw new Error(added.error.message);
    return added.value.id;
  });
}

export function idsIn(database: Database): readonly string[] {
  const listed = database.boxes.list();
  if (!listed.ok) throw new Error(listed.error.message);
  if (listed.value.unreadable.length > 0) throw new Error('an unreadable row');
  return listed.value.rows.map(({ id }) => id);
}

/** A database of `count` boxes with a host key each in one file, log and all written into it. */
export function makeDatabase(folder: string, count: number): Buffer {
  const { database } = openDatabase({ folder });
  for (const id of addBoxes(database, 0, count))
    database.hostKeys.store(id, newHostKey(), 1, TRUST);
  database.close();
  return readFileSync(join(folder, DATABASE_FILE));
}

/** Puts these bytes where the database is, alone. */
export function plant(folder: string, bytes: Uint8Array): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, DATABASE_FILE), bytes);
}
