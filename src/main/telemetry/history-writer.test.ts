import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { whyNoSmallDisk, withFolder, withSmallDisk } from '../storage/disk.fixture.ts';
import { BoxHistory } from './box-history.ts';
import { HistoryWriter } from './history-writer.ts';

const DAY = 86_400_000;
const T0 = 1_763_697_600_000;
const ALWAYS = { fromMs: 0, toMs: T0 + 1000 * DAY };
const { readings } = parseDmon('# gpu sm\n# Idx %\n    0     10 \n    1     90 \n');
const LOG = { warn: () => undefined, info: () => undefined };

function must<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function setUp(database: Database) {
  const boxId = must(database.boxes.add(newBox(1))).id;
  const box = must(database.history.boxOf(boxId));
  const table = database.history;
  const history = new BoxHistory({ table, box, known: [], lastStoredMs: null });
  const problems: Problem[] = [];
  const clock = { nowMs: T0 };
  const boxes = [history];
  const writer = new HistoryWriter({
    table,
    boxes: () => boxes,
    log: LOG,
    onProblem: (problem) => problems.push(problem),
    now: () => clock.nowMs,
  });
  const feed = (seconds: number): void => {
    for (let i = 0; i < seconds; i += 1, clock.nowMs += 1000) {
      history.add({ atMs: clock.nowMs, readings }, () => ({ uuid: null, name: null }));
    }
  };
  const stored = (stepS: 10 | 60 | 3600): number =>
    must(table.read(box ?? NaN, stepS, ALWAYS, 10_000)).length;
  return { boxId, box: box ?? NaN, history, writer, problems, clock, feed, stored, boxes };
}

describe('HistoryWriter', () => {
  it('brings finished minutes to the disk, and the begun one when Leasehold quits', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const { writer, feed, stored } = setUp(database);
      feed(150);
      writer.step();
      expect([stored(10), stored(60)]).toEqual([2, 2]);
      writer.close();
      expect([stored(10), stored(60)]).toEqual([3, 3]);
      database.close();
      const again = openDatabase({ folder });
      expect(must(again.database.history.gpus(1)).rows).toHaveLength(2);
      again.database.close();
    }));

  it('removes what is older than its tier is kept', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const { writer, feed, stored, clock } = setUp(database);
      feed(120);
      // The link went: no further sample ends the minute that runs, but the time does.
      clock.nowMs += 60_000;
      for (let i = 0; i < 5; i += 1) writer.step();
      expect([stored(10), stored(60)]).toEqual([2, 2]);
      clock.nowMs = T0 + DAY;
      for (let i = 0; i < 10; i += 1) writer.step();
      expect([stored(10), stored(60), stored(3600)]).toEqual([0, 1, 1]);
      clock.nowMs = T0 + 31 * DAY;
      for (let i = 0; i < 10; i += 1) writer.step();
      expect([stored(10), stored(60), stored(3600)]).toEqual([0, 0, 0]);
      database.close();
    }));

  it('removes all of a box that was forgotten, in small steps', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const { boxId, writer, feed, stored, boxes, history } = setUp(database);
      feed(180);
      writer.step();
      must(database.boxes.forget(boxId));
      boxes.length = 0;
      writer.finish(history);
      writer.dropOrphans();
      expect(stored(60)).toBe(3);
      for (let i = 0; i < 6; i += 1) writer.step();
      expect([stored(10), stored(60)]).toEqual([0, 0]);
      expect(must(database.history.gpus(1)).rows).toEqual([]);
      expect(must(database.history.orphans())).toEqual([]);
      database.close();
    }));

  it('says once that a full disk keeps nothing, goes on, and catches up when there is room', ({
    skip,
  }) => {
    skip(whyNoSmallDisk !== null, whyNoSmallDisk ?? '');
    return withSmallDisk(4096, ({ folder, fill, free }) => {
      const { database } = openDatabase({ folder });
      const { writer, feed, stored, problems, clock, history } = setUp(database);
      feed(60);
      fill(0);
      for (let minute = 0; minute < 30 && writer.isKept; minute += 1) {
        feed(600);
        writer.step();
      }
      expect(writer.isKept).toBe(false);
      const kept = stored(60);
      for (let i = 0; i < 5; i += 1) {
        feed(60);
        writer.step();
      }
      expect(problems.map(({ code }) => code)).toEqual(['history-not-kept']);
      expect(stored(60)).toBe(kept);
      free();
      clock.nowMs += 60_000;
      for (let i = 0; i < 3; i += 1) writer.step();
      expect(writer.isKept).toBe(true);
      expect(history.isDue).toBe(false);
      expect(stored(60)).toBeGreaterThan(kept + 10);
      database.close();
    });
  });
});
