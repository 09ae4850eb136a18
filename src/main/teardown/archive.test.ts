import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { ok } from '../../shared/result.ts';
import type { TeardownStep } from '../../shared/teardown/teardown-record.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { endOnRecord, endsBox, listArchive } from './archive.ts';
import { TeardownRecords } from './teardown-records.ts';

const RUN = {
  ...{
    runId: 'r1',
    runName: 'baseline',
    path: '/root/out',
    to: '/home/me/out',
    files: 2,
    bytes: 9,
  },
  ...{ homeFiles: 2, homeBytes: 9, evidence: 1 },
};
const ACT = {
  ...({ actId: 'a1', verb: 'Terminate', aim: 'gone', approvedAtMs: 5, machine: null } as const),
};
const APPROVED: TeardownStep = {
  ...{
    step: 'approved',
    boxName: 'train-a',
    typed: 'train-a',
    who: null,
    copiesReadAtMs: 4,
    ...ACT,
  },
  ...{ runs: [RUN, { ...RUN, runId: 'r2' }], left: [], losses: [], secrets: null },
};

let database: Database;
let records: TeardownRecords;
beforeEach(() => {
  database = openTemporaryDatabase();
  records = new TeardownRecords(database.evidence);
});
afterEach(() => database.close());

function end(boxId: string, ends: boolean | null = true): void {
  const approved = records.append(boxId, APPROVED);
  if (!approved.ok) throw new Error(approved.error.message);
  const by = { kind: 'person', saidAtMs: 6, said: null } as const;
  const rest = { ...ACT, ends, silence: 'Nothing answers.', told: [], cost: null };
  const gone = records.append(boxId, { step: 'gone', approval: approved.value, by, ...rest });
  if (!gone.ok) throw new Error(gone.error.message);
}

const listed = (boxes: readonly Box[]) =>
  listArchive(records, { boxOf: (boxId) => boxes.find(({ id }) => id === boxId) ?? null });

it('lists what is gone with its results, and what was forgotten since by the name that was typed', () => {
  const [kept, forgotten, back, stopped] = [newBox(1), newBox(2), newBox(3), newBox(4)];
  for (const { id } of [kept, forgotten, back]) end(id);
  records.append(back.id, { step: 'again', approval: 5 });
  records.append(stopped.id, { ...APPROVED });
  const archived = { ...kept, archivedAtMs: 9 };
  expect(listed([archived, back, stopped])).toMatchObject({
    value: [
      { boxId: forgotten.id, boxName: 'train-a', isKept: false, by: 'person', runs: [RUN, {}] },
      { boxId: kept.id, boxName: 'box 1', isKept: true, verb: 'Terminate', cost: null, receipt: 2 },
    ],
  });
  // Of a box that is in the list all the same, as one is whose job is over.
  expect(listed([kept, back, stopped])).toMatchObject({ value: [{ boxId: forgotten.id }] });
});

it('does not know what was left where the approval cannot be read', () => {
  const by = { kind: 'person', saidAtMs: 6, said: null } as const;
  const rest = { ...ACT, ends: true, silence: 'Nothing answers.', told: [], cost: null };
  records.append(newBox(1).id, { step: 'gone', approval: 99, by, ...rest });
  expect(listed([])).toMatchObject({ value: [{ runs: null }] });
});

it('knows from the evidence alone whether a box is gone', () => {
  const { id } = newBox(1);
  const now = () => endOnRecord(id, records, null);
  expect(now()).toEqual(ok(null));
  records.append(id, APPROVED);
  expect(now()).toEqual(ok(null));
  end(id);
  expect(now()).toMatchObject({ value: expect.any(Number) as number });
  records.append(id, { step: 'again', approval: 2 });
  expect(now()).toEqual(ok(null));
});

it('lists a box that is archived whatever was written of it since', () => {
  const box = { ...newBox(1), archivedAtMs: 9 };
  end(box.id);
  records.append(box.id, { step: 'again', approval: 1 });
  expect(listed([box])).toMatchObject({ value: [{ boxId: box.id, receipt: 2, isKept: true }] });
  expect(listed([])).toEqual(ok([]));
});

it('judges an end by the day of the end, and where that was not written by a verb that the profile knows', () => {
  const [today, old] = [newBox(1), newBox(2)];
  const profile = (verb: string, stopsCompute: boolean) =>
    ({ actions: [{ verb, stopsCompute }] }) as unknown as Parameters<typeof endsBox>[1];
  const [stops, goesOn] = [profile('Terminate', true), profile('Terminate', false)];
  const renamed = profile('Delete', true);
  const aTime = { ok: true, value: expect.any(Number) as number };
  const said = (boxId: string) =>
    [stops, goesOn, renamed, null].map((each) => endOnRecord(boxId, records, each));
  end(today.id, true);
  expect(said(today.id)).toEqual([aTime, aTime, aTime, aTime]);
  end(today.id, false);
  expect(said(today.id)).toEqual([ok(null), ok(null), ok(null), ok(null)]);
  end(old.id, null);
  expect(said(old.id)).toEqual([aTime, ok('unsaid'), ok('unsaid'), ok('unsaid')]);
});

it('reads an end of before it was written what it came to', () => {
  const { id } = newBox(1);
  end(id);
  const now = records.newest(id);
  if (!now.ok || now.value === null) throw new Error('nothing was kept');
  const { ends: _, ...before } = { ends: null, ...now.value.step };
  const entry = { kind: 'teardown', boxId: id, about: id, atMs: 7 } as const;
  database.evidence.append({ ...entry, body: JSON.stringify(before) });
  expect(records.newest(id)).toMatchObject({ value: { step: { step: 'gone', ends: null } } });
});

it('takes no box for gone that was stopped, or on which only a job is over', () => {
  const actions = (stopsCompute: boolean | null) =>
    ({ actions: [{ verb: 'Terminate', stopsCompute }] }) as unknown as Parameters<
      typeof endsBox
    >[1];
  expect(endsBox({ aim: 'gone', verb: 'Terminate' }, actions(true))).toBe(true);
  expect(endsBox({ aim: 'gone', verb: 'Terminate' }, actions(null))).toBe(true);
  expect(endsBox({ aim: 'gone', verb: 'Terminate' }, actions(false))).toBe(false);
  expect(endsBox({ aim: 'stopped', verb: 'Terminate' }, actions(true))).toBe(false);
});
