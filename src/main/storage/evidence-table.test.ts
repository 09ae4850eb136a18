import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { withFolder } from './disk.fixture.ts';
import { openConnection, type Connection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, openTemporaryDatabase, type Database } from './database.ts';
import { HEAD, headNote } from './evidence-head.ts';
import { openReadOnly } from './read-only.ts';

const ANY = 'a'.repeat(64);
const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';

function keep({ evidence }: Database, body: string, about = 'run-1'): void {
  const kept = evidence.append({ atMs: 1, kind: 'pull', boxId: BOX, about, body });
  expect(kept).toMatchObject({ ok: true });
}

/** What a person with a database tool can do, once the triggers are out of the way. */
async function edited(folder: string, sql: string) {
  const file: Connection = openConnection(join(folder, DATABASE_FILE), 0);
  file.exec(`DROP TRIGGER evidence_stays; DROP TRIGGER evidence_is_kept; ${sql}`);
  file.close();
  const { database } = openDatabase({ folder });
  const checked = await database.evidence.check();
  database.close();
  return checked;
}

it('keeps what is added, each entry holding the one before it', () =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    keep(database, '{"a":1}');
    keep(database, '{"a":2}', 'run-2');
    keep(database, '{"a":3}');
    const of = { kind: 'pull', boxId: BOX, about: 'run-1' } as const;
    expect(database.evidence.newest(of)).toMatchObject({
      value: { rows: [{ seq: 3, body: '{"a":3}' }] },
    });
    expect(await database.evidence.check()).toEqual({ ok: true, value: { count: 3, fault: null } });
    database.close();
  }));

/** Of an app that is closed. */
async function checked(folder: string) {
  const { database } = openDatabase({ folder });
  const check = await database.evidence.check();
  database.close();
  return check;
}

it('tells an older copy of the database from what was written, also once more is added to it', () =>
  withFolder(async (folder) => {
    const add = (...bodies: readonly string[]): void => {
      const { database } = openDatabase({ folder });
      for (const body of bodies) keep(database, body);
      database.close();
    };
    const file = join(folder, DATABASE_FILE);
    add('{"a":1}', '{"a":2}');
    copyFileSync(file, join(folder, 'older'));
    add('{"a":3}', '{"a":4}');
    expect(await checked(folder)).toMatchObject({ value: { count: 4, fault: null } });
    copyFileSync(join(folder, 'older'), file);
    const cutOff = { because: 'cut-off' };
    expect(await checked(folder)).toMatchObject({
      value: { count: 2, fault: { seq: 3, ...cutOff } },
    });
    add('{"b":3}');
    expect(await checked(folder)).toMatchObject({ value: { fault: { seq: 4, ...cutOff } } });
    add('{"b":4}', '{"b":5}');
    expect(await checked(folder)).toMatchObject({ value: { fault: { seq: 4, ...cutOff } } });
    const opened = openReadOnly(folder);
    if (!opened.ok) throw new Error(opened.error.message);
    const beside = await opened.value.evidence.check();
    opened.value.close();
    expect(beside).toMatchObject({ value: { fault: { seq: 4, ...cutOff } } });
    // Whoever begins with a new database begins with nothing that is proven.
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    expect(await checked(folder)).toMatchObject({ value: { count: 0, fault: null } });
  }));

it('says so where it could not note how far it had come, until it can, and shows all that it has meanwhile', () =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const note = join(folder, `${DATABASE_FILE}${HEAD}`);
    mkdirSync(note);
    keep(database, '{"a":1}');
    const notKnown = { message: expect.stringMatching(/is not known/) as string };
    expect(await database.evidence.check()).toMatchObject({ error: notKnown });
    expect(await database.evidence.all()).toMatchObject({
      value: {
        rows: [{ seq: 1 }],
        unreadable: [notKnown],
        check: { count: 1, fault: { seq: 2, because: 'end-unknown' } },
      },
    });
    rmdirSync(note);
    expect(await database.evidence.check()).toEqual({ ok: true, value: { count: 1, fault: null } });
    database.close();
    expect(await checked(folder)).toMatchObject({ value: { count: 1, fault: null } });
    // What was noted late is not noted in vain.
    expect(readdirSync(folder)).toContain(`${DATABASE_FILE}${HEAD}`);
  }));

/** What a folder is left with: the file alone, as a person copies it. */
function leave(folder: string, ...bodies: readonly string[]): void {
  const { database } = openDatabase({ folder });
  for (const body of bodies) keep(database, body);
  database.close();
}

const CUT_OFF = { value: { fault: { because: 'cut-off' } } };

it.each([
  ['was missing', (file: string) => rmSync(file)],
  ['was damaged', (file: string) => writeFileSync(file, 'SQLite format 3 was here, once')],
])('finds out an older copy also where the database %s at a start before', (_what, spoil) =>
  withFolder(async (folder) => {
    const file = join(folder, DATABASE_FILE);
    leave(folder, '{"a":1}', '{"a":2}');
    copyFileSync(file, join(folder, 'older'));
    leave(folder, '{"a":3}');
    copyFileSync(file, join(folder, 'newest'));
    spoil(file);
    expect(await checked(folder)).toMatchObject({ value: { count: 0, fault: null } });
    leave(folder, '{"b":1}');
    expect(await checked(folder)).toMatchObject({ value: { count: 1, fault: null } });
    const putBack = (copy: string): void => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      copyFileSync(join(folder, copy), file);
    };
    putBack('older');
    expect(await checked(folder)).toMatchObject(CUT_OFF);
    putBack('newest');
    expect(await checked(folder)).toMatchObject({ value: { count: 3, fault: null } });
  }),
);

it('notes at the next check what an app added that ended before it could note it, and changes nothing beside one', () =>
  withFolder(async (folder) => {
    const [file, note] = [join(folder, DATABASE_FILE), join(folder, `${DATABASE_FILE}${HEAD}`)];
    leave(folder, '{"a":1}');
    const before = readFileSync(note, 'utf8');
    copyFileSync(file, join(folder, 'older'));
    leave(folder, '{"a":2}');
    const after = readFileSync(note, 'utf8');
    writeFileSync(note, before);
    const opened = openReadOnly(folder);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(await opened.value.evidence.check()).toMatchObject({ value: { fault: null } });
    opened.value.close();
    expect(readFileSync(note, 'utf8')).toBe(before);
    expect(await checked(folder)).toMatchObject({ value: { count: 2, fault: null } });
    expect(readFileSync(note, 'utf8')).toBe(after);
    copyFileSync(join(folder, 'older'), file);
    expect(await checked(folder)).toMatchObject(CUT_OFF);
    // Nor of a record that was changed: then what was written would seem an older copy.
    copyFileSync(join(folder, 'older'), file);
    writeFileSync(note, before);
    leave(folder, '{"c":2}');
    writeFileSync(note, before);
    expect(await edited(folder, `UPDATE evidence SET hash = '${ANY}' WHERE seq = 2`)).toMatchObject(
      {
        value: { fault: { seq: 2, because: 'changed' } },
      },
    );
    expect(readFileSync(note, 'utf8')).toBe(before);
  }));

it('finds out an older copy from before the first entry, also once one is added to it, and none in a new database', () =>
  withFolder(async (folder) => {
    const [file, older] = [join(folder, DATABASE_FILE), join(folder, 'older')];
    leave(folder);
    copyFileSync(file, older);
    leave(folder, '{"a":1}');
    copyFileSync(file, join(folder, 'newest'));
    copyFileSync(older, file);
    const none = { value: { count: 0, fault: { seq: 1, because: 'empty' } } };
    expect(await checked(folder)).toMatchObject(none);
    rmSync(file);
    const whole = (count: number) => ({ value: { count, fault: null } });
    expect(await checked(folder)).toMatchObject(whole(0));
    expect(await checked(folder)).toMatchObject(whole(0));
    leave(folder, '{"b":1}');
    copyFileSync(older, file);
    leave(folder, '{"c":1}', '{"c":2}');
    expect(await checked(folder)).toMatchObject({
      value: { fault: { seq: 1, because: 'cut-off' } },
    });
    copyFileSync(join(folder, 'newest'), file);
    expect(await checked(folder)).toMatchObject(whole(1));
    rmSync(join(folder, `${DATABASE_FILE}${HEAD}`));
    copyFileSync(older, file);
    expect(await checked(folder)).toMatchObject(whole(0));
  }));

it('takes the one line that the version before noted as that of this database, which has the entry, and of no other', () =>
  withFolder(async (folder) => {
    leave(folder, '{"a":1}');
    const [file, note] = [join(folder, DATABASE_FILE), join(folder, `${DATABASE_FILE}${HEAD}`)];
    copyFileSync(file, join(folder, 'older'));
    leave(folder, '{"a":2}');
    copyFileSync(file, join(folder, 'newest'));
    const named = readFileSync(note, 'utf8');
    const unnamed = named.replace(/^\S+ /, '');
    writeFileSync(note, unnamed);
    copyFileSync(join(folder, 'older'), file);
    expect(await checked(folder)).toMatchObject({
      value: { fault: { seq: 2, because: 'cut-off' } },
    });
    leave(folder, '{"b":2}', '{"b":3}');
    expect(await checked(folder)).toMatchObject(CUT_OFF);
    expect(readFileSync(note, 'utf8')).toBe(unnamed);
    rmSync(file);
    expect(await checked(folder)).toMatchObject(CUT_OFF);
    copyFileSync(join(folder, 'newest'), file);
    expect(await checked(folder)).toMatchObject({ value: { count: 2, fault: null } });
    expect(readFileSync(note, 'utf8')).toBe(named);
    writeFileSync(note, unnamed);
    leave(folder, '{"a":3}');
    expect(readFileSync(note, 'utf8')).toMatch(new RegExp(`^${named.slice(0, 64)} 3 \\S+\n$`));
    copyFileSync(join(folder, 'newest'), file);
    expect(await checked(folder)).toMatchObject(CUT_OFF);
  }));

it('holds no database against the note of another, which that keeps', () =>
  withFolder((here) =>
    withFolder(async (there) => {
      const notedIn = (folder: string) => {
        const opened = openReadOnly(folder);
        if (!opened.ok) throw new Error(opened.error.message);
        const noted = opened.value.evidence.noted();
        opened.value.close();
        return noted;
      };
      leave(here, '{"a":1}', '{"a":2}', '{"a":3}');
      leave(there, '{"b":1}');
      const file = join(here, DATABASE_FILE);
      copyFileSync(file, join(here, 'of here'));
      copyFileSync(join(there, DATABASE_FILE), file);
      expect(await checked(here)).toMatchObject({ value: { count: 1, fault: null } });
      expect(notedIn(here)).toMatchObject({ value: { own: null, hasOthers: true } });
      leave(here, '{"b":2}');
      expect(notedIn(here)).toMatchObject({ value: { own: { seq: 2 }, hasOthers: true } });
      copyFileSync(join(there, DATABASE_FILE), file);
      expect(await checked(here)).toMatchObject(CUT_OFF);
      copyFileSync(join(here, 'of here'), file);
      expect(await checked(here)).toMatchObject({ value: { count: 3, fault: null } });
      expect(notedIn(here)).toMatchObject({ value: { own: { seq: 3 }, hasOthers: true } });
    }),
  ));

it('forgets the oldest of very many databases, and no newer one', () =>
  withFolder((folder) => {
    const note = headNote(join(folder, DATABASE_FILE));
    const chain = (no: number): string => no.toString(16).padStart(64, '0');
    for (let no = 0; no <= 100; no += 1) note.write(chain(no), { seq: no + 1, hash: chain(no) });
    expect(note.read(chain(0))).toMatchObject({ ok: true, value: { own: null, hasOthers: true } });
    expect([1, 100].map((no) => note.read(chain(no)))).toMatchObject([
      { value: { own: { seq: 2 } } },
      { value: { own: { seq: 101 } } },
    ]);
  }));

it.each([
  ['cut off', () => `${ANY} 1`],
  ['empty', () => ''],
  ['twice about one database', (line: string) => line + line],
  ['not all of it a note', (line: string) => `${line}?\n`],
])('says so of a note that is %s, and never writes over it', (_what, spoil) =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    keep(database, '{"a":1}');
    const note = join(folder, `${DATABASE_FILE}${HEAD}`);
    const spoilt = spoil(readFileSync(note, 'utf8'));
    writeFileSync(note, spoilt);
    keep(database, '{"a":2}');
    const damaged = {
      message: expect.stringContaining(note) as string,
      nextStep: expect.stringMatching(/move it away/) as string,
    };
    expect(await database.evidence.check()).toMatchObject({ error: damaged });
    expect(readFileSync(note, 'utf8')).toBe(spoilt);
    rmSync(note);
    expect(await database.evidence.check()).toMatchObject({ value: { count: 2, fault: null } });
    database.close();
  }),
);

it('is not written inside of a transaction, which may be taken back when it is noted already', () =>
  withFolder((folder) => {
    const { database } = openDatabase({ folder });
    expect(() =>
      database.transaction('not kept', () => {
        keep(database, '{}');
        return ok(null);
      }),
    ).toThrow(/inside a transaction/);
    database.close();
  }));

it('keeps nothing behind an entry that another one has written past', () =>
  withFolder((folder) => {
    const [one, other] = [openDatabase({ folder }), openDatabase({ folder })];
    const yes = { atMs: 1, kind: 'teardown', boxId: BOX, about: BOX, body: '{}' } as const;
    keep(one.database, '{}');
    expect(one.database.evidence.append(yes, 0)).toMatchObject({ value: { seq: 2 } });
    expect(other.database.evidence.append(yes, 0)).toMatchObject({
      error: { code: 'teardown-refused' },
    });
    expect(other.database.evidence.append(yes, 2)).toMatchObject({ value: { seq: 3 } });
    for (const { database } of [one, other]) database.close();
  }));

it('lets nothing be changed or removed', () =>
  withFolder((folder) => {
    const { database } = openDatabase({ folder });
    keep(database, '{}');
    database.close();
    const file = openConnection(join(folder, DATABASE_FILE), 0);
    expect(() => file.exec(`UPDATE evidence SET body = '[]'`)).toThrow(/never changed/);
    expect(() => file.exec('DELETE FROM evidence')).toThrow(/never removed/);
    file.close();
  }));

it.each([
  ['the body', `UPDATE evidence SET body = '{"a":9}' WHERE seq = 1`, 1, 'changed'],
  ['the hash', `UPDATE evidence SET hash = '${'0'.repeat(64)}' WHERE seq = 2`, 2, 'changed'],
  ['the box', `UPDATE evidence SET box_id = 'other' WHERE seq = 2`, 2, 'changed'],
  ['a row between', 'DELETE FROM evidence WHERE seq = 2', 2, 'gap'],
  ['a hash that is none', `UPDATE evidence SET hash = 'none' WHERE seq = 3`, 3, 'changed'],
  ['the number of a row', 'UPDATE evidence SET seq = 9 WHERE seq = 3', 3, 'gap'],
])('finds out that %s was changed behind its back', (_what, sql, seq, because) =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    for (const no of [1, 2, 3]) keep(database, `{"a":${String(no)}}`);
    database.close();
    expect(await edited(folder, sql)).toMatchObject({
      ok: true,
      value: { fault: { seq, because } },
    });
  }),
);

it('is looked through in slices, between which others are served, however long an entry is', async () => {
  const database = openTemporaryDatabase();
  const long = JSON.stringify('x'.repeat(64 * 1024));
  for (let no = 0; no < 200; no += 1) keep(database, no % 10 === 0 ? long : '{}');
  let [turns, isOver] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const checked = await database.evidence.check();
  isOver = true;
  expect(checked).toEqual({ ok: true, value: { count: 200, fault: null } });
  expect(turns).toBeGreaterThan(3);
  const all = await database.evidence.all();
  expect(all.ok && all.value.rows.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 200 }, (_, at) => at + 1),
  );
  database.close();
});
