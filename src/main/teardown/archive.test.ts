import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { ok } from '../../shared/result.ts';
import type { TeardownStep } from '../../shared/teardown/teardown-record.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { endsBox, goneAtMs, listArchive } from './archive.ts';
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
const ACT = { actId: 'a1', verb: 'Terminate', aim: 'gone', approvedAtMs: 5 } as const;
const APPROVED: TeardownStep = {
  ...{ step: 'approved', boxName: 'train-a', typed: 'train-a', copiesReadAtMs: 4, ...ACT },
  ...{ runs: [RUN, { ...RUN, runId: 'r2' }], left: [], losses: [], secrets: null },
};

let database: Database;
let records: TeardownRecords;
beforeEach(() => {
  database = openTemporaryDatabase();
  records = new TeardownRecords(database.evidence);
});
afterEach(() => database.close());

function end(boxId: string): void {
  const approved = records.append(boxId, APPROVED);
  if (!approved.ok) throw new Error(approved.error.message);
  const by = { kind: 'person', saidAtMs: 6, said: null } as const;
  const rest = { ...ACT, silence: 'Nothing answers.', told: [], cost: null };
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
  const rest = { ...ACT, silence: 'Nothing answers.', told: [], cost: null };
  records.append(newBox(1).id, { step: 'gone', approval: 99, by, ...rest });
  expect(listed([])).toMatchObject({ value: [{ runs: null }] });
});

it('knows from the evidence alone whether a box is gone', () => {
  const { id } = newBox(1);
  const now = () => goneAtMs(id, records, null);
  expect(now()).toEqual(ok(null));
  records.append(id, APPROVED);
  expect(now()).toEqual(ok(null));
  end(id);
  expect(now()).toMatchObject({ value: expect.any(Number) as number });
  records.append(id, { step: 'again', approval: 2 });
  expect(now()).toEqual(ok(null));
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
