// A month of one box with 8 GPUs in a database, as Leasehold itself would have written it.
import { randomUUID } from 'node:crypto';
import { USUAL_WAY } from '../src/shared/boxes/usual-way.ts';
import { parseDmon } from '../src/shared/probes/dmon.ts';
import type { GpuReading } from '../src/shared/telemetry/gpu-reading.ts';
import { BoxHistory } from '../src/main/telemetry/box-history.ts';
import type { Database } from '../src/main/storage/database.ts';

export const GPUS = 8;
const DAYS_OF_MONTH = 30;
export const DAY_MS = 86_400_000;
export const MONTH_MS = DAYS_OF_MONTH * DAY_MS;

const [sample] = parseDmon(
  '# gpu pwr gtemp mtemp sm mem enc dec jpg ofa mclk pclk pviol tviol fb bar1 sbecc dbecc pci rxpci txpci\n' +
    '# Idx W C C % % % % % % MHz MHz % bool MB MB errs errs errs MB/s MB/s\n' +
    '    0    631     54     58    100     41      0      0      0      0   2619   1980      0      0  61234      3      0      0      0    120     40 \n',
).readings;

/** A job that works for an hour and loads data for ten minutes: nothing stands still, as on a real box. */
export function readingAt(second: number, index: number, random: () => number): GpuReading {
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

export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function addBox(database: Database, n: number, atMs: number): number {
  const id = randomUUID();
  const added = database.boxes.add({
    id,
    name: `box ${String(n)}`,
    platform: 'generic-ssh',
    address: { host: '192.0.2.1', port: 1000 + n, user: 'root' },
    ...USUAL_WAY,
    tags: [],
    addedAtMs: atMs,
  });
  const box = database.history.boxOf(id);
  if (!added.ok || !box.ok || box.value === null) throw new Error('no box');
  return box.value;
}

export const cardOf = (index: number) => ({ uuid: `GPU-0000-${String(index)}`, name: 'H100' });

/** Written up to `endMs`; closed like at the end of a session. */
export function fillMonth(database: Database, endMs: number): BoxHistory {
  const table = database.history;
  const startMs = endMs - MONTH_MS;
  const box = addBox(database, 0, startMs);
  const history = new BoxHistory({ table, box, known: [], lastStoredMs: null });
  const random = seeded(11);
  // Ten samples a minute fold into the same records as sixty, six times as fast.
  for (let atMs = startMs, n = 0; atMs < endMs; atMs += 6000, n += 1) {
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
  return history;
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
