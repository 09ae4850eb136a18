// What the GPU history costs: main's time at 100 boxes of 8 GPUs, the room on the disk, and opening a month.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { emptyReadings } from '../src/shared/streams/readings-stream.ts';
import { metrics } from '../src/shared/telemetry/reading-ring.ts';
import { BoxHistory } from '../src/main/telemetry/box-history.ts';
import { queryHistory } from '../src/main/telemetry/history-query.ts';
import { HistoryWriter } from '../src/main/telemetry/history-writer.ts';
import { DATABASE_FILE } from '../src/main/storage/database-file.ts';
import { openDatabase } from '../src/main/storage/database.ts';
import { report, type BenchRow } from './harness.ts';
import {
  addBox,
  cardOf,
  DAY_MS,
  fillMonth,
  GPUS,
  MONTH_MS,
  readingAt,
  seeded,
} from './month-of-history.ts';

const BOXES = 100;
const MINUTES_OF_FLEET = 4;
const START_MS = Date.parse('2026-10-01T00:00:00Z');

function timed(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/** 100 boxes × 8 GPUs at 1 Hz: what main spends on them, and its longest pause. */
function measureFleet(folder: string): readonly BenchRow[] {
  const { database } = openDatabase({ folder });
  const table = database.history;
  const histories = Array.from({ length: BOXES }, (_, n) => {
    return new BoxHistory({
      table,
      box: addBox(database, n, START_MS),
      known: [],
      lastStoredMs: null,
    });
  });
  let nowMs = START_MS;
  const failed: string[] = [];
  const writer = new HistoryWriter({
    table,
    boxes: () => histories,
    log: { warn: (message) => failed.push(message), info: () => undefined },
    onProblem: ({ message }) => failed.push(message),
    now: () => nowMs,
  });
  const random = seeded(7);
  let folding = 0;
  const steps: number[] = [];
  for (let second = 0; second < MINUTES_OF_FLEET * 60; second += 1, nowMs += 1000) {
    const readings = Array.from({ length: GPUS }, (_, gpu) => readingAt(second, gpu, random));
    folding += timed(() => {
      for (const history of histories) history.add({ atMs: nowMs, readings }, cardOf);
    });
    // Four steps a second, as the writer does by itself.
    for (let step = 0; step < 4; step += 1) steps.push(timed(() => writer.step()));
  }
  if (failed.length > 0) throw new Error(failed[0]);
  database.close();
  const spent = folding + steps.reduce((sum, each) => sum + each, 0);
  const share = (spent / (MINUTES_OF_FLEET * 60_000)) * 100;
  const longest = Math.max(...steps);
  return [
    {
      measure: `history of ${String(BOXES)} boxes × ${String(GPUS)} GPUs at 1 Hz`,
      value: share,
      unit: '% of a core',
      goal: 'at most 5 %',
      isMet: share <= 5,
    },
    {
      measure: 'longest write to the disk',
      value: longest,
      unit: 'ms',
      goal: 'at most 16 ms',
      isMet: longest <= 16,
    },
  ];
}

/** A month of one box with 8 GPUs, written and opened. */
async function measureMonth(folder: string): Promise<readonly BenchRow[]> {
  const { database } = openDatabase({ folder });
  const endMs = START_MS + MONTH_MS;
  const history = fillMonth(database, endMs);
  const past = { readings: emptyReadings(), history };
  const query = { boxId: randomUUID(), gpus: null, metrics: [...metrics], maxPoints: 300 };
  const rows: BenchRow[] = [];
  for (const [measure, spanMs] of [
    ['opening 30 days, all metrics', MONTH_MS],
    ['opening 3 days, all metrics', 3 * DAY_MS],
    ['opening 24 hours, all metrics', DAY_MS],
  ] as const) {
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const before = performance.now();
      const answer = await queryHistory(
        past,
        { ...query, fromMs: endMs - spanMs, toMs: endMs },
        endMs,
      );
      times.push(performance.now() - before);
      if (!answer.ok || answer.value.gpus.length !== GPUS) throw new Error('no answer');
    }
    const median = times.sort((a, b) => a - b)[2] ?? NaN;
    rows.push({ measure, value: median, unit: 'ms', goal: 'under 500 ms', isMet: median < 500 });
  }
  database.close();
  const megabytes = statSync(join(folder, DATABASE_FILE)).size / 1e6;
  return [
    ...rows,
    {
      measure: 'a box-month of 8 GPUs on the disk',
      value: megabytes,
      unit: 'MB',
      goal: 'under 25 MB',
      isMet: megabytes < 25,
    },
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
try {
  const fleet = measureFleet(join(folder, 'fleet'));
  const month = await measureMonth(join(folder, 'month'));
  report({ name: 'history', rows: [...fleet, ...month] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
