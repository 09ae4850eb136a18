import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConnection } from './connection.ts';
import { withFolder } from './disk.fixture.ts';
import { isWalReadable } from './file-headers.ts';

/** A log as SQLite writes it. */
function realWal(folder: string): string {
  const file = join(folder, 'real.db');
  const connection = openConnection(file, 0);
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (v); INSERT INTO t VALUES (1)');
  const copy = join(folder, 'copy-wal');
  copyFileSync(`${file}-wal`, copy);
  connection.close();
  return copy;
}

describe('isWalReadable', () => {
  it('accepts what SQLite wrote, cut off anywhere', () =>
    withFolder((folder) => {
      const wal = realWal(folder);
      const bytes = readFileSync(wal);
      expect(bytes.length).toBeGreaterThan(4096);
      for (const length of [bytes.length, 5000, 100, 32, 31, 1, 0]) {
        writeFileSync(wal, bytes.subarray(0, length));
        expect(isWalReadable(wal)).toBe(true);
      }
    }));

  it('accepts none, and zeros, which a power cut leaves of a log nothing was committed to', () =>
    withFolder((folder) => {
      const wal = join(folder, 'w');
      expect(isWalReadable(wal)).toBe(true);
      writeFileSync(wal, Buffer.alloc(9000));
      expect(isWalReadable(wal)).toBe(true);
    }));

  it('refuses a header with any one byte changed', () =>
    withFolder((folder) => {
      const wal = realWal(folder);
      const bytes = readFileSync(wal);
      for (let at = 0; at < 32; at += 1) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at);
        writeFileSync(wal, changed);
        expect(isWalReadable(wal), `byte ${at}`).toBe(false);
      }
    }));
});
