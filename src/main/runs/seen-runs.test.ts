import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { value } from './run-box.fixture.ts';
import { SeenRuns } from './seen-runs.ts';

// What is kept for no box is kept without one.
const BOX = '';
const OLD = 'r-20260101-000000-00000001';
const NEW = 'r-20260101-000000-00000002';
const RUN: LaunchedRun = {
  ...{ id: NEW, name: 'base', command: 'true', folder: '/w', results: 'out' },
  ...{ overridden: [], place: '/home/me/runs/r-1', detacher: 'tmux' },
  ...{ launchedAtMs: 1, process: null, log: null },
  status: { kind: 'lost', because: 'killed' },
};

let database: Database;
let seen: SeenRuns;
const problems: string[] = [];
beforeEach(() => {
  database = openTemporaryDatabase();
  problems.length = 0;
  seen = new SeenRuns({
    entries: database.entries,
    onProblem: ({ message }) => problems.push(message),
  });
});
afterEach(() => database.close());

it('begins with what was begun from here, and takes what an older Leasehold kept', () => {
  value(database.entries.write(BOX, 'launched-runs-begun', [OLD], 1));
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  seen.add(BOX, [RUN]);
  expect(value(seen.of(BOX))).toEqual([
    { id: OLD, places: [] },
    { id: NEW, places: ['/w/out'] },
  ]);
  // What is known of another machine is over, also what was begun there.
  seen.clear(BOX);
  expect(value(seen.of(BOX))).toEqual([]);
  value(database.entries.write(BOX, 'launched-runs-seen', [NEW], 1));
  expect(value(seen.of(BOX))).toEqual([{ id: NEW, places: [] }]);
  seen.add(BOX, [RUN]);
  expect(value(seen.of(BOX))).toEqual([{ id: NEW, places: ['/w/out'] }]);
});

it('misses what the box was asked to begin, unless that has said that it began nothing', () => {
  const took = seen.expect(BOX, OLD);
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  const neverBegan = seen.expect(BOX, NEW);
  neverBegan('never-began');
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  // Asked again, it may have begun by the try before.
  seen.expect(BOX, OLD)('never-began');
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  seen.add(BOX, [{ ...RUN, id: OLD, status: { kind: 'starting' } }]);
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  // What the box shows at work is no launch that was refused.
  seen.add(BOX, [{ ...RUN, id: OLD }]);
  took('never-began');
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: ['/w/out'] }]);
  seen.expect(BOX, NEW);
  const neverStarted = { ...RUN, status: { kind: 'never-started' } } as const;
  seen.add(BOX, [neverStarted, { ...neverStarted, id: OLD }]);
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: ['/w/out'] }]);
});

it('lets a launch be settled that nobody heard of, and no other', () => {
  seen.expect(BOX, OLD);
  seen.neverBegan(BOX, OLD);
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  seen.expect(BOX, NEW)('unheard');
  expect(value(seen.of(BOX))).toEqual([
    { id: OLD, places: [] },
    { id: NEW, places: [], isUnheard: true },
  ]);
  // Asked again, it may have begun by the try before.
  seen.expect(BOX, NEW)('never-began');
  seen.neverBegan(BOX, NEW);
  expect(value(seen.of(BOX))).toEqual([{ id: OLD, places: [] }]);
  seen.expect(BOX, NEW)('unheard');
  seen.add(BOX, [RUN]);
  seen.neverBegan(BOX, NEW);
  expect(value(seen.of(BOX))).toEqual([
    { id: OLD, places: [] },
    { id: NEW, places: ['/w/out'] },
  ]);
});

it('does not take a list that it cannot read for an empty one, nor write over it', () => {
  value(database.entries.write(BOX, 'launched-runs-seen', 'no list', 1));
  expect(seen.of(BOX).ok).toBe(false);
  seen.add(BOX, [RUN]);
  expect(problems).toHaveLength(1);
  expect(seen.of(BOX).ok).toBe(false);
});
