import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { todayOf } from '../../shared/meter/calendar.ts';
import type { Interval } from '../../shared/meter/interval.ts';
import { BOX } from '../meter/meter.fixture.ts';
import { openConnection } from '../storage/connection.ts';
import { DATABASE_FILE } from '../storage/database-file.ts';
import { openDatabase } from '../storage/database.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { run } from './cli.fixture.ts';

const line = (part: Partial<Interval> = {}): Interval => ({
  no: 1,
  // Of today, also where today has only just begun.
  fromMs: todayOf(Date.now()).fromMs,
  ms: 3_600_000,
  phase: 'running',
  source: 'observed',
  charges: [
    {
      kind: 'compute',
      what: 'GPU time',
      rate: { micros: 2_490_000, currency: 'USD', per: 'hour' },
    },
  ],
  life: null,
  ...part,
});

function seed(folder: string, intervals: readonly Interval[], name = BOX.name): void {
  const { database } = openDatabase({ folder });
  database.boxes.add({ ...BOX, name });
  database.ledger.write(
    intervals.map((interval) => ({ boxId: BOX.id, change: { kind: 'put', interval } })),
  );
  database.close();
}

const inFolder = (folder: string) => ({ env: { LEASEHOLD_DATA_FOLDER: folder } });

describe('meter sums', () => {
  it('prints exact sums, and leaves the database and its folder as they are', () =>
    withFolder(async (folder) => {
      seed(folder, [line()]);
      const before = readFileSync(join(folder, DATABASE_FILE));
      const files = readdirSync(folder);
      const ran = await run(['meter', 'sums', '--json'], inFolder(folder));
      expect(ran.code).toBe(0);
      const report = JSON.parse(ran.out) as { boxes: readonly Record<string, unknown>[] };
      expect(report.boxes).toMatchObject([
        {
          name: BOX.name,
          total: { known: [{ amount: '2.49', currency: 'USD' }], unresolvedMs: 0, idleWaste: [] },
        },
      ]);
      expect(readFileSync(join(folder, DATABASE_FILE)).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(files);
    }));

  it('says by its exit code that something is not known, and never writes it as nothing', () =>
    withFolder(async (folder) => {
      seed(folder, [line({ source: 'unresolved' })]);
      const ran = await run(['meter', 'sums'], inFolder(folder));
      expect(ran.code).toBe(1);
      expect(ran.out).toMatch(/train-a +– +– +– +– +\$2\.49/);
    }));

  it('reads beside a Leasehold that is running', () =>
    withFolder(async (folder) => {
      seed(folder, [line()]);
      const { database } = openDatabase({ folder });
      database.ledger.write([
        { boxId: BOX.id, change: { kind: 'put', interval: line({ ms: 7_200_000 }) } },
      ]);
      const ran = await run(['meter', 'sums', '--box', BOX.name], inFolder(folder));
      database.close();
      expect(ran.out).toContain('$4.98');
    }));

  it('names what cannot be read: no database, an older one, no such box', () =>
    withFolder(async (folder) => {
      const none = await run(['meter', 'sums'], inFolder(folder));
      expect(none).toMatchObject({ code: 2, out: '' });
      expect(none.err).toContain('There is no database');
      expect(readdirSync(folder)).toEqual([]);
      seed(folder, [line()]);
      const stranger = await run(['meter', 'sums', '--box', 'nobody'], inFolder(folder));
      expect(stranger).toMatchObject({ code: 2 });
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      file.exec('PRAGMA user_version = 8');
      file.close();
      const older = await run(['meter', 'sums'], inFolder(folder));
      expect(older.code).toBe(2);
      expect(older.err).toContain('Start Leasehold once');
    }));
});

describe('meter ledger', () => {
  it('prints the CSV of the window, without anything that a terminal would obey', () =>
    withFolder(async (folder) => {
      seed(folder, [line()], '=HYPERLINK("x")\u001b[31m');
      const ran = await run(['meter', 'ledger', '--csv'], inFolder(folder));
      expect(ran.code).toBe(0);
      const [head = '', row = ''] = ran.out.split('\n');
      expect(head.startsWith('box,box_id,platform,tags,line,from,to,seconds,')).toBe(true);
      expect(row.startsWith(`"'=HYPERLINK(""x"")\\x1b[31m",${BOX.id},`)).toBe(true);
      expect(row).toContain(',"GPU time",,2.49,USD,hour,2.49,yes,');
      expect(ran.out).not.toContain('\u001b');
    }));

  it('prints a line whose time no calendar can tell', () =>
    withFolder(async (folder) => {
      seed(folder, [line({ fromMs: 8_900_000_000_000_000 })]);
      for (const how of ['--csv', '--json']) {
        const ran = await run(['meter', 'ledger', how], inFolder(folder));
        expect(ran).toMatchObject({ code: 0, err: '' });
        expect(ran.out).toContain('8900000000000000 ms since 1970');
      }
      expect((await run(['meter', 'sums'], inFolder(folder))).code).not.toBe(70);
    }));

  it('prints the same as JSON and as a table, and refuses both at once', () =>
    withFolder(async (folder) => {
      seed(folder, [line(), line({ no: 2, source: 'unresolved' })]);
      const json = await run(['meter', 'ledger', '--json'], inFolder(folder));
      expect(JSON.parse(json.out)).toMatchObject({
        rows: [{ amount: '2.49', counts: 'yes' }, { counts: 'at most' }],
      });
      const table = await run(['meter', 'ledger'], inFolder(folder));
      expect(table.out).toContain('2.49 USD');
      expect((await run(['meter', 'ledger', '--json', '--csv'], inFolder(folder))).code).toBe(2);
    }));
});
