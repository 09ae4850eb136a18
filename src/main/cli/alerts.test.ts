import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { advance } from '../../shared/alerts/advance.ts';
import { alertAt } from '../../shared/alerts/alert.fixture.ts';
import { BOX } from '../meter/meter.fixture.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { openDatabase } from '../storage/database.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { run } from './cli.fixture.ts';

const inFolder = (folder: string) => ({ env: { LEASEHOLD_DATA_FOLDER: folder } });
const open = alertAt(Date.parse('2025-11-21T12:00:00Z'));
const over = advance(alertAt(0, { detector: 'U24' }), { kind: 'clear', atMs: 60_000 });

function seed(folder: string): void {
  const { database } = openDatabase({ folder });
  database.boxes.add(BOX);
  database.alerts.write(BOX.id, [open, over]);
  database.close();
}

describe('alerts', () => {
  it('prints what is not over, with its times, and changes nothing', () =>
    withFolder(async (folder) => {
      seed(folder);
      const before = readFileSync(join(folder, DATABASE_FILE));
      const ran = await run(['alerts', '--box', BOX.name], inFolder(folder));
      expect(ran.code).toBe(1);
      expect(ran.out).toContain(open.finding.headline);
      expect(ran.out).toContain('2025-11-21T12:00:00');
      expect(ran.out).not.toContain('U24');
      expect(readFileSync(join(folder, DATABASE_FILE)).equals(before)).toBe(true);
    }));

  it('holds all of it as JSON, with what is over where that is wanted', () =>
    withFolder(async (folder) => {
      seed(folder);
      const { out } = await run(['alerts', '--all', '--json'], inFolder(folder));
      const told = JSON.parse(out) as { readonly alerts: readonly unknown[] };
      expect(told.alerts).toEqual([
        { boxId: BOX.id, box: BOX.name, ...open },
        { boxId: BOX.id, box: BOX.name, ...over },
      ]);
    }));

  it('is fine where nothing is open, and refuses a box that is not there', () =>
    withFolder(async (folder) => {
      const { database } = openDatabase({ folder });
      database.boxes.add(BOX);
      database.alerts.write(BOX.id, [over]);
      database.close();
      expect(await run(['alerts'], inFolder(folder))).toMatchObject({
        code: 0,
        out: 'No alert is open.\n',
      });
      expect(await run(['alerts', '--box', 'nobody'], inFolder(folder))).toMatchObject({
        code: 2,
        out: '',
      });
    }));
});
