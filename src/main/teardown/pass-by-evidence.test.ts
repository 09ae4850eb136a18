import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Change } from '../../shared/teardown/change-pass.ts';
import { states } from '../../shared/teardown/gate-cases.fixture.ts';
import { ACT } from '../../shared/teardown/gate.fixture.ts';
import { endedBox } from '../../shared/teardown/teardown-record.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { APPROVED_STEP } from './approved-step.fixture.ts';
import { passByEvidence } from './pass-by-evidence.ts';
import { TeardownRecords } from './teardown-records.ts';

const BOX = 'b-1';
const throws = ({ message }: Problem): never => {
  throw new Error(message);
};
let database: Database;
let records: TeardownRecords;
let problems: Problem[];
beforeEach(() => {
  database = openTemporaryDatabase();
  records = new TeardownRecords(database.evidence);
  problems = [];
});
afterEach(() => database.close());

function asked(does: Change['does'] = 'end-work'): string {
  const onProblem = (found: Problem): unknown => problems.push(found);
  const opened = passByEvidence(records, BOX, { does, about: 'r-1' }, onProblem);
  if (!opened.ok) return opened.error.message;
  return opened.value.take(does, 'r-1') ? 'given' : 'not for that';
}

it('is given by what the evidence has of the box last', () => {
  expect(asked()).toBe('given');
  expect(records.append(BOX, APPROVED_STEP).ok).toBe(true);
  // Also where a window has it unconfirmed: it may be at it.
  expect(asked()).toBe('The end of this box is under way.');
  expect(records.append(BOX, { step: 'called-off', approval: 1 }).ok).toBe(true);
  expect(asked()).toBe('given');
  const ended = endedBox(ACT, states.gone.gone, { ends: true, told: [], cost: null });
  expect(records.append(BOX, { step: 'gone', ...ended }).ok).toBe(true);
  expect(asked()).toMatch(/^This box is gone/);
  expect(records.append('other', APPROVED_STEP).ok).toBe(true);
  expect(records.append(BOX, { step: 'again', approval: 3 }).ok).toBe(true);
  expect(asked()).toBe('given');
});

it('is given for work on a box whose end left it where it is: it may have been started again', () => {
  const ended = endedBox(ACT, states.gone.gone, { ends: false, told: [], cost: null });
  expect(records.append(BOX, { step: 'gone', ...ended }).ok).toBe(true);
  expect(asked()).toBe('given');
  const opened = passByEvidence(records, BOX, { does: 'delete', about: 'd-1' }, throws);
  expect(opened).toMatchObject({
    error: { nextStep: expect.stringContaining('This box is back…') },
  });
  expect(records.append(BOX, { step: 'gone', ...ended, aim: 'stopped', ends: null }).ok).toBe(true);
  expect(asked()).toBe('given');
});

it('is given for work alone where the evidence cannot be read, and that is told', () => {
  const entry = {
    atMs: 1,
    kind: 'teardown',
    boxId: BOX,
    about: BOX,
    body: '{"step":"?"}',
  } as const;
  expect(database.evidence.append(entry).ok).toBe(true);
  expect([asked(), problems]).toMatchObject([
    'given',
    [
      {
        code: 'database-corrupt',
        nextStep: expect.stringMatching(/^If a newer Leasehold wrote it/),
      },
    ],
  ]);
  expect(asked('delete')).toMatch(/^Evidence entry 1 is not what Leasehold writes/);
});
