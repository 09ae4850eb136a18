// What the GPU history costs: main's time at 100 boxes of 8 GPUs, the room on the disk, and opening a month.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { USUAL_WAY } from '../src/shared/boxes/usual-way.ts';
import { parseDmon } from '../src/shared/probes/dmon.ts';
import type { GpuReading } from '../src/shared/telemetry/gpu-reading.ts';
import { emptyReadings } from '../src/shared/streams/readings-stream.ts';
import { metrics } from '../src/shared/telemetry/reading-ring.ts';
import { BoxHistory } from '../src/main/telemetry/box-history.ts';
import { queryHistory } from '../src/main/telemetry/history-query.ts';
import { HistoryWriter } from '../src/main/telemetry/history-writer.ts';
import { DATABASE_FILE, openDatabase, type Database } from '../src/main/storage/database.ts';
import { report, type BenchRow } from './harness.ts';

const GPUS = 8;
const BOXES = 100;
const MINUTES_OF_FLEET = 4;
const DAYS_OF_MONTH = 30;
const START_MS = Date.parse('2026-10-01T00:00:00Z');
const DAY_MS = 86_400_000;

const [sample] = parseDmon(
  '# gpu pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk pviol tviol fb bar1 sbecc dbecc pci rxpci txpci\n' +
    '# Idx W C C % % % % % % MHz MHz % bool MB MB errs errs errs MB/s MB/s\n' +
    '    0    631     54     58    100     41      0      0      0      0   2619   1980      0      0  61234      3      0      0      0    120     40 \n',
).readings;

/** A job that works for an hour and loads data for ten minutes: nothing stands still, as on a real box. */
function readingAt(second: number, index: number, random: () => number): GpuReading {
  const isLoading = second % 4200 > 3600;
  const jitter = (around: number, by: number): number =>
    Math.max(0, Math.round(around + (random() - 0.5) * 2 * by));
  return {
    ...(sample as GpuReading),
    index,
    smPct: isLoading ? jitter(8, 8) : Math.min(100, jitter(96, 6)),
    memPct: isLoading ? 0 : jitter(41, 9),
    powerW: isLoading ? jitter(130, 12) : jitter(620, 60),
    temperatureC: isLoading ? jitter(38, 1) : jitter(56 + index, 2),
    memoryTemperatureC: isLoading ? jitter(44, 1) : jitter(64 + index, 2),
    smClockMHz: isLoading ? 1980 : jitter(1900, 80),
    memoryUsedMiB: jitter(61_234, 300),
    pcieRxMBps: isLoading ? jitter(2400, 900) : jitter(120, 100),
    pcieTxMBps: jitter(300, 280),
    powerViolationPct: isLoading ? 0 : jitter(12, 12),
  };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function addBox(database: Database, n: number): number {
  const id = randomUUID();
  const added = database.boxes.add({
    id,
    name: `box ${String(n)}`,
    platform: 'generic-ssh',
    address: { host: '192.0.2.1', port: 1000 + n, user: 'root' },
    ...USUAL_WAY,
    tags: [],
    addedAtMs: START_MS,
  });
  const box = database.history.boxOf(id);
  if (!added.ok || !box.ok || box.value === null) throw new Error('no box');
  return box.value;
}

const cardOf = (index: number) => ({ uuid: `GPU-0000-${String(index)}`, name: 'H100' });

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
    return new BoxHistory({ table, box: addBox(database, n), known: [], lastStoredMs: null });
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
  const table = database.history;
  const box = addBox(database, 0);
  const history = new BoxHistory({ table, box, known: [], lastStoredMs: null });
  const random = seeded(11);
  const endMs = START_MS + DAYS_OF_MONTH * DAY_MS;
  // Ten samples a minute fold into the same records as sixty, six times as fast.
  for (let atMs = START_MS, n = 0; atMs < endMs; atMs += 6000, n += 1) {
    const readings = Array.from({ length: GPUS }, (_, gpu) => readingAt(n * 6, gpu, random));
    history.add({ atMs, readings }, cardOf);
    if (n % 600 !== 0) continue;
    save(history, table, atMs);
    // As the writer does it, so that the room is used again.
    while (rolled(history, atMs));
    prune(table, box, atMs);
  }
  history.finish();
  save(history, table, endMs);
  while (rolled(history, endMs));
  prune(table, box, endMs);
  const past = { readings: emptyReadings(), history };
  const query = { boxId: randomUUID(), gpus: null, metrics: [...metrics], maxPoints: 300 };
  const rows: BenchRow[] = [];
  for (const [measure, spanMs] of [
    ['opening 30 days, all metrics', DAYS_OF_MONTH * DAY_MS],
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

function prune(table: Database['history'], box: number, nowMs: number): void {
  const beforeS = { 10: nowMs / 1000 - 6 * 3600, 60: 0, 3600: 0 };
  for (;;) {
    const pruned = table.prune(box, beforeS, 500);
    if (!pruned.ok) throw new Error(pruned.error.message);
    if (pruned.value === 0) return;
  }
}

function save(history: BoxHistory, table: Database['history'], nowMs: number): void {
  const batch = history.batch();
  if (batch === null) return;
  const written = table.write([batch]);
  if (!written.ok) throw new Error(`${written.error.message} at ${String(nowMs)}`);
  history.saved(batch);
}

function rolled(history: BoxHistory, nowMs: number): boolean {
  const done = history.rollUp(nowMs);
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
try {
  const fleet = measureFleet(join(folder, 'fleet'));
  const month = await measureMonth(join(folder, 'month'));
  report({ name: 'history', rows: [...fleet, ...month] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
