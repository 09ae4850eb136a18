import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BOX } from '../meter/meter.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { run } from './cli.fixture.ts';

/** Port 9 of this computer, where nobody listens. */
const address = { ...BOX.address, host: '127.0.0.1', port: 9 };
const GONE = { ...BOX, address, id: randomUUID(), name: 'train-a' };
const KEPT = { ...GONE, id: randomUUID(), name: 'train-b', address: { ...address, user: 'other' } };

function seed(folder: string, ...living: readonly (typeof GONE)[]): void {
  const { database } = openDatabase({ folder });
  expect(database.boxes.add(GONE).ok).toBe(true);
  expect(database.boxes.archive(GONE.id, 1).ok).toBe(true);
  for (const box of living) expect(database.boxes.add(box).ok).toBe(true);
  database.close();
}

const patrol = (folder: string) =>
  run(['patrol', 'train-a'], { env: { LEASEHOLD_DATA_FOLDER: folder } });

describe('a box that is named on the command line', () => {
  it('is not reached where it is gone: another machine may be at its address', () =>
    withFolder(async (folder) => {
      seed(folder, KEPT);
      const { code, err } = await patrol(folder);
      expect(code).toBe(2);
      expect(err).toContain('train-a is gone, and in the archive.');
    }));

  it('is the living one, though one that is gone had its name', () =>
    withFolder(async (folder) => {
      seed(folder, { ...KEPT, name: 'train-a' });
      const { code, err } = await patrol(folder);
      expect(code).toBe(1);
      expect(err).not.toMatch(/Several boxes|archive/);
    }));
});
