import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { Box } from '../../shared/boxes/box.ts';
import type { EvidenceEntry } from '../../shared/evidence/chain.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import type { HistoryGap } from '../../shared/telemetry/history.ts';
import type { SentSecret } from '../../shared/secrets/secret-on-box.ts';
import { decodeBuckets } from '../../shared/telemetry/history-codec.ts';
import { openConnection, type Connection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, type Database } from './database.ts';
import { whyNoSmallDisk, withFolder, withSmallDisk } from './disk.fixture.ts';
import { APPLICATION_ID } from './inspection.ts';
import { latestVersion, migrate, MIGRATIONS, type Migration } from './migrations.ts';

const SAMPLES = fileURLToPath(new URL('./migrations/samples/', import.meta.url));
const LATEST = latestVersion(MIGRATIONS);
const VERSIONS = MIGRATIONS.map(({ version }) => version);
const NOON = Date.parse('2025-11-21T12:00:00Z');

interface Content {
  readonly boxes: readonly Box[];
  readonly hostKeys: readonly (readonly unknown[])[];
  /** Absent before version 3. */
  readonly tunnels?: readonly (readonly unknown[])[];
  /** Of the first box, and of the project. Absent before version 11. */
  readonly notes?: readonly [string, string];
  /** Of the first box. Absent before version 10. */
  readonly idle?: readonly IdleSpan[];
  /** Of the first box, open. Absent before version 12. */
  readonly alerts?: readonly Alert[];
  /** Of the first box. Absent before version 9. */
  readonly sentSecrets?: readonly SentSecret[];
  /** Absent before version 6. */
  readonly history?: {
    readonly box: number;
    readonly gpus: readonly unknown[];
    readonly minutes: readonly unknown[];
    readonly gaps: readonly HistoryGap[];
    readonly throttle: readonly unknown[];
    readonly marks: readonly unknown[];
  };
  /** Absent before version 8. */
  readonly ledger?: unknown;
  /** Of the first box. Absent before version 15. */
  readonly evidence?: EvidenceEntry;
}

const NO_LEDGER = { intervals: [], transfers: [], corrections: [], nextNo: 1, unreadable: [] };

function sampleSql(version: number): string {
  return readFileSync(join(SAMPLES, `v${version}.sql`), 'utf8');
}

function expectedContent(version: number): Content {
  return JSON.parse(readFileSync(join(SAMPLES, `v${version}.json`), 'utf8')) as Content;
}

/** Writes the sample of that version as the database of `folder`. */
function plantSample(folder: string, version: number): void {
  const connection = openConnection(join(folder, DATABASE_FILE), 0);
  connection.exec(sampleSql(version));
  connection.close();
}

function schemaOf(connection: Connection): readonly unknown[] {
  return connection.rows(['name', 'sql'], 'sqlite_master ORDER BY name');
}

function schemaAfter(work: (connection: Connection) => void): readonly unknown[] {
  const connection = openConnection(':memory:', 0);
  work(connection);
  const schema = schemaOf(connection);
  connection.close();
  return schema;
}

function expectHistory(
  { history: table }: Database,
  boxes: readonly Box[],
  expected: Content['history'],
): void {
  if (expected === undefined) return;
  const { box, gpus, minutes, gaps, throttle, marks } = expected;
  expect(table.boxOf(boxes[0]?.id ?? '')).toEqual({ ok: true, value: box });
  const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const rows = (listed: readonly unknown[]) => ({
    ok: true,
    value: { rows: listed, unreadable: [] },
  });
  expect(table.gpus(box)).toEqual(rows(gpus));
  expect(table.gaps(box, always)).toEqual(rows(gaps));
  expect(table.throttle(box, always)).toEqual(rows(throttle));
  expect(table.marks(box, always)).toEqual(rows(marks));
  const read = table.read(box, 60, always, 10);
  if (!read.ok) throw new Error(read.error.message);
  const buckets = read.value.flatMap(({ startS, bytes }) =>
    decodeBuckets(bytes, startS * 1000, 60_000),
  );
  expect(buckets).toEqual(minutes);
}

/** What a later migration will look like; the tests of the machinery need more than one step. */
const LATER: readonly Migration[] = [
  ...MIGRATIONS,
  { version: LATEST + 1, sql: 'ALTER TABLE boxes ADD COLUMN note TEXT' },
  { version: LATEST + 2, sql: "UPDATE boxes SET note = 'kept ' || name" },
];

describe('MIGRATIONS', () => {
  it('are numbered without gaps, and each has its sample', () => {
    expect(VERSIONS).toEqual(MIGRATIONS.map((_migration, index) => index + 1));
    const samples = readdirSync(SAMPLES).sort();
    expect(samples).toEqual(VERSIONS.flatMap((n) => [`v${n}.json`, `v${n}.sql`]).sort());
  });

  it.each(VERSIONS)('still build exactly what version %d was released with', (version) => {
    const released = schemaAfter((connection) => connection.exec(sampleSql(version)));
    const built = schemaAfter((connection) => migrate(connection, MIGRATIONS.slice(0, version)));
    expect(built).toEqual(released);
  });

  it.each(VERSIONS)('take a database of version %d to today with all that was in it', (version) =>
    withFolder(async (folder) => {
      plantSample(folder, version);
      const { database, isKept, problems } = openDatabase({ folder });
      expect({ isKept, problems }).toEqual({ isKept: true, problems: [] });
      const { boxes, hostKeys, tunnels = [] } = expectedContent(version);
      expect(database.boxes.list()).toEqual({ ok: true, value: { rows: boxes, unreadable: [] } });
      for (const [index, { id }] of boxes.entries()) {
        expect(database.hostKeys.history(id)).toEqual({
          ok: true,
          value: { rows: hostKeys[index], unreadable: [] },
        });
        expect(database.tunnels.list(id)).toEqual({
          ok: true,
          value: { rows: tunnels[index] ?? [], unreadable: [] },
        });
      }
      expect(database.sentSecrets.list(boxes[0]?.id ?? '')).toEqual({
        ok: true,
        value: { rows: expectedContent(version).sentSecrets ?? [], unreadable: [] },
      });
      const notes = [boxes[0]?.id ?? '', null].map((about) => database.notes.read(about));
      expect(notes).toMatchObject(
        (expectedContent(version).notes ?? ['', '']).map((text) => ({ value: { text } })),
      );
      expectHistory(database, boxes, expectedContent(version).history);
      expect(database.ledger.readIdle(boxes[0]?.id ?? '')).toEqual({
        ok: true,
        value: expectedContent(version).idle ?? [],
      });
      expect(database.alerts.open()).toEqual({
        ok: true,
        value: {
          rows: (expectedContent(version).alerts ?? []).map((alert) => ({
            boxId: boxes[0]?.id,
            alert,
          })),
          unreadable: [],
        },
      });
      expect(database.ledger.read(boxes[0]?.id ?? '')).toEqual({
        ok: true,
        value: expectedContent(version).ledger ?? NO_LEDGER,
      });
      const { evidence } = expectedContent(version);
      const of = { kind: 'pull', boxId: boxes[0]?.id ?? '', about: 'r1' } as const;
      expect(database.evidence.newest(of)).toEqual({
        ok: true,
        value: { rows: evidence === undefined ? [] : [evidence], unreadable: [] },
      });
      expect(await database.evidence.check()).toMatchObject({ value: { fault: null } });
      database.close();
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      expect(schemaOf(file)).toEqual(schemaAfter((fresh) => migrate(fresh, MIGRATIONS)));
      expect(file.pragma('user_version')).toBe(LATEST);
      expect(file.pragma('application_id')).toBe(APPLICATION_ID);
      file.close();
    }),
  );

  it('lend no agent that an older Leasehold only took note of', () =>
    withFolder((folder) => {
      plantSample(folder, 4);
      const before = openConnection(join(folder, DATABASE_FILE), 0);
      before.exec(`UPDATE boxes SET login = json_set(login, '$.forwardAgent', json('true'))`);
      before.close();
      const { database } = openDatabase({ folder });
      expect(database.boxes.list()).toMatchObject({
        value: { rows: expectedContent(4).boxes, unreadable: [] },
      });
      expect(expectedContent(4).boxes.map(({ login }) => login.forwardAgent)).toEqual([
        false,
        false,
      ]);
      database.close();
    }));

  it('leave an alert that is damaged as it is, and the others readable', () =>
    withFolder((folder) => {
      plantSample(folder, 13);
      const before = openConnection(join(folder, DATABASE_FILE), 0);
      before.exec(
        `INSERT INTO alerts SELECT 'damaged', box_id, 1, NULL, '{"finding":' FROM alerts`,
      );
      before.close();
      const { database, isKept } = openDatabase({ folder });
      expect(isKept).toBe(true);
      expect(database.alerts.open()).toMatchObject({
        value: {
          rows: [{ alert: expectedContent(13).alerts?.[0] }],
          unreadable: [{ code: 'database-corrupt' }],
        },
      });
      database.close();
    }));

  it('do nothing to a database of today, and make no backup', () =>
    withFolder((folder) => {
      plantSample(folder, LATEST);
      openDatabase({ folder }).database.close();
      expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
    }));
});

describe('migrating a file', () => {
  it('takes all missing steps and keeps a copy of what was there, for the owner only', () =>
    withFolder((folder) => {
      plantSample(folder, LATEST);
      const { database, problems } = openDatabase({ folder, migrations: LATER, now: () => NOON });
      expect(problems).toEqual([]);
      database.close();
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      expect(file.pragma('user_version')).toBe(LATEST + 2);
      expect(file.rows(['note'], 'boxes ORDER BY added_at_ms')).toEqual([
        { note: 'kept train-a' },
        { note: "kept zwölf's sweep" },
      ]);
      file.close();
      const copy = join(folder, `leasehold.before-v${LATEST + 2}-2025-11-21T12-00-00Z.db`);
      if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);
      // The copy is a database of its own that the older Leasehold opens.
      const elsewhere = join(folder, 'elsewhere');
      mkdirSync(elsewhere);
      copyFileSync(copy, join(elsewhere, DATABASE_FILE));
      const older = openDatabase({ folder: elsewhere });
      expect(older.problems).toEqual([]);
      expect(older.database.boxes.list()).toMatchObject({
        value: { rows: expectedContent(LATEST).boxes },
      });
      older.database.close();
    }));

  it('keeps the last two copies and no stranger’s file', () =>
    withFolder((folder) => {
      const strange = 'leasehold.before-lunch.db';
      const unfinished = 'leasehold.before-v2-2025-11-20T00-00-00Z.db.tmp';
      for (const name of [strange, unfinished]) writeFileSync(join(folder, name), '');
      for (const [day, step] of [
        [21, 1],
        [22, 2],
        [23, 3],
        [24, 4],
      ] as const) {
        if (step === 1) plantSample(folder, LATEST);
        openDatabase({
          folder,
          now: () => Date.UTC(2025, 10, day),
          migrations: [
            ...MIGRATIONS,
            ...[1, 2, 3, 4]
              .slice(0, step)
              .map((n) => ({ version: LATEST + n, sql: `CREATE TABLE later_${n} (v)` })),
          ],
        }).database.close();
      }
      expect(
        readdirSync(folder)
          .filter((name) => name.includes('before'))
          .sort(),
      ).toEqual(
        [
          strange,
          `leasehold.before-v${LATEST + 3}-2025-11-23T00-00-00Z.db`,
          `leasehold.before-v${LATEST + 4}-2025-11-24T00-00-00Z.db`,
        ].sort(),
      );
    }));

  it.each([
    ['breaks off', 'CREATE TABLE half (v); INSERT INTO boxes SELECT * FROM boxes'],
    [
      'leaves rows that point nowhere',
      "CREATE TABLE half (box_id REFERENCES boxes (id)); INSERT INTO half SELECT 'gone' FROM boxes",
    ],
  ])('leaves the version before a step that %s, and runs in memory', (_what, sql) =>
    withFolder((folder) => {
      plantSample(folder, LATEST);
      const broken = [...LATER, { version: LATEST + 3, sql }];
      const { isKept, problems, database } = openDatabase({ folder, migrations: broken });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ code: 'database-unavailable' }]);
      database.close();
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      expect(file.pragma('user_version')).toBe(LATEST + 2);
      expect(file.rows(['name'], "sqlite_master WHERE name = 'half'")).toEqual([]);
      expect(file.rows(['id'], 'boxes')).toHaveLength(expectedContent(LATEST).boxes.length);
      file.close();
    }),
  );

  it('may rebuild a table that others point to', () =>
    withFolder((folder) => {
      plantSample(folder, LATEST);
      const pointer: Migration = {
        version: LATEST + 1,
        sql: `CREATE TABLE pointers (box_id TEXT REFERENCES boxes (id)) STRICT;
          INSERT INTO pointers SELECT id FROM boxes`,
      };
      const rebuild: Migration = {
        version: LATEST + 2,
        sql: `CREATE TABLE rebuilt AS SELECT * FROM boxes; DROP TABLE boxes;
          CREATE TABLE boxes (id TEXT PRIMARY KEY, name TEXT) STRICT;
          INSERT INTO boxes SELECT id, name FROM rebuilt; DROP TABLE rebuilt`,
      };
      openDatabase({ folder, migrations: [...MIGRATIONS, pointer, rebuild] }).database.close();
      const file = openConnection(join(folder, DATABASE_FILE), 0);
      expect(file.rows(['box_id'], 'pointers')).toHaveLength(expectedContent(LATEST).boxes.length);
      file.close();
    }));

  it('migrates nothing when there is no room for the copy', async ({ skip }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    await withSmallDisk(256, ({ folder, fill, free }) => {
      plantSample(folder, LATEST);
      // Room for the log and its index, not for a second database.
      fill(48 * 1024);
      const { isKept, problems } = openDatabase({ folder, migrations: LATER });
      expect(isKept).toBe(false);
      expect(problems).toMatchObject([{ code: 'disk-full' }]);
      expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
      free();
      const again = openDatabase({ folder });
      expect(again.problems).toEqual([]);
      expect(again.database.boxes.list()).toMatchObject({ value: { rows: { length: 2 } } });
      again.database.close();
    });
  });
});
