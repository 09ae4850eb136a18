// A queue of ten thousand short cells on a real loopback sshd: paused, gone on with, killed with SIGKILL near its end, resumed, and counted: each
// cell has run once, but the one that was cut off, which says so. Beside it, what it costs the app to look on.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ReachedRoster } from '../src/main/boxes/box-roster.fixture.ts';
import { OnboxScripts } from '../src/main/onbox/onbox-scripts.ts';
import { QueueEditor } from '../src/main/runs/queue/queue-editor.ts';
import { RunLauncher } from '../src/main/runs/run-launcher.ts';
import { RunWatch } from '../src/main/runs/run-watch.ts';
import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { StreamHub } from '../src/main/streams/stream-hub.ts';
import { BoxPushes } from '../src/main/transfer/box-pushes.ts';
import { USUAL_WAY } from '../src/shared/boxes/usual-way.ts';
import type { Problem } from '../src/shared/problem.ts';
import { ok, type Result } from '../src/shared/result.ts';
import { nothingKnown } from '../src/shared/runs/launch/known-box.fixture.ts';
import type { LaunchedRun } from '../src/shared/runs/launch/launched-run.ts';
import { judgeCell, type QueueView } from '../src/shared/runs/queue/queue-view.ts';
import { untouchedEntry } from '../src/shared/streams/fleet-stream.ts';
import { report, type BenchRow } from './harness.ts';
import { linkTo } from './link-to.ts';

const CELLS = Number(process.env['QUEUE_CELLS'] ?? 10_000);
const PAUSED_AT = 0.3;
const KILLED_AT = 0.9;
/** What a look of ten thousand cells may keep in main. */
const MAX_GROWTH_MIB = 150;
const MAX_FIRST_LOOK_MS = 3000;
const MIB = 1024 ** 2;

const home = mkdtempSync(join(tmpdir(), 'leasehold-queue-bench-'));
mkdirSync(join(home, 'work'));
const sshd = await startSshd({ home });
const connection = await linkTo({ ...sshd, sshdPort: sshd.port });
const scripts = new OnboxScripts(fileURLToPath(new URL('../resources/onbox', import.meta.url)));
const hub = new StreamHub();
hub.addClient(1, () => undefined);
const roster = new ReachedRoster(hub, () => connection);
const box = {
  id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  name: 'bench',
  platform: 'generic-ssh',
  address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
  ...USUAL_WAY,
  ...{ tags: [], addedAtMs: 0 },
};
const kept = new Map<string, unknown>();
const options = { hub, roster, scripts };
const watch = new RunWatch({
  ...options,
  entries: {
    read: (boxId: string, key: string) => ok((kept.get(`${boxId} ${key}`) ?? null) as never),
    write: (boxId: string, key: string, said: unknown) => {
      kept.set(`${boxId} ${key}`, said);
      return ok(null);
    },
    setAside: () => ok(null),
  },
  redact: (text) => text,
  onOver: () => undefined,
  onProblem: ({ message }) => {
    throw new Error(message);
  },
  cellResultsOf: () => Promise.resolve(null),
});
const launcher = new RunLauncher({
  ...options,
  knownBox: () => nothingKnown(),
  watch,
  pushes: new BoxPushes({ ...options, onMeasured: () => undefined }),
});
const editor = new QueueEditor({ roster, scripts, watch });

function value<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}
const placeOf = (id: string, file: string): string =>
  join(home, '.local/state/leasehold/runs', id, file);
const numbersOf = (word: string, id: string): readonly number[] =>
  [
    ...readFileSync(placeOf(id, 'journal'), 'utf8').matchAll(new RegExp(`^${word} (\\d+) `, 'gm')),
  ].map(([, index]) => Number(index));
const begunOf = (id: string): number => new Set(numbersOf('begin', id)).size;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(200);
}
async function statusOf(id: string): Promise<LaunchedRun['status']['kind'] | undefined> {
  const { runs } = value(await watch.look(box.id));
  return runs.find((run) => run.id === id)?.status.kind;
}
const viewOf = (id: string): QueueView => {
  const opened = value(hub.open(1, 'run-queue', `${box.id} ${id}`));
  hub.close(1, opened.subscription);
  return opened.state as QueueView;
};

/** The keeper, the queue and the cell that runs: everything of its session. Between two looks whatever else this process does has its turn. */
async function killRun(id: string): Promise<void> {
  const [, job] = readFileSync(placeOf(id, 'job'), 'utf8').split(' ');
  const [, keeper] = readFileSync(placeOf(id, 'go'), 'utf8').split(' ');
  const inSession = (): readonly number[] =>
    readdirSync('/proc').flatMap((pid) => {
      if (!/^\d+$/.test(pid)) return [];
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return pid === keeper || (session === job && state !== 'Z') ? [Number(pid)] : [];
      } catch {
        return []; // gone meanwhile
      }
    });
  for (let pids = inSession(); pids.length > 0; pids = inSession()) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // gone meanwhile
      }
    }
    await wait(20);
  }
}

function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

const row = (measure: string, measured: number, unit: string, most?: number): BenchRow => ({
  ...{ measure, value: measured, unit },
  ...(most !== undefined && { goal: `at most ${String(most)} ${unit}`, isMet: measured <= most }),
});

/**
 * How much this process has grown at most, and for how long it had no time for anybody: by the clock, which on a machine that others use
 * counts what they took, and by what it has worked meanwhile, its other threads included.
 */
function watchItself(): () => readonly BenchRow[] {
  const before = process.memoryUsage.rss();
  let [most, longestMs, lastMs] = [before, 0, performance.now()];
  let [workedMs, last] = [0, process.cpuUsage()];
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
    const { user, system } = process.cpuUsage(last);
    workedMs = Math.max(workedMs, (user + system) / 1000);
    last = process.cpuUsage();
  }, 20);
  return () => {
    clearInterval(timer);
    return [
      row('main grew by at most while it looked on', (most - before) / MIB, 'MiB', MAX_GROWTH_MIB),
      row('main held up at a time, at most, by the clock', longestMs, 'ms'),
      row('  by its own work', workedMs, 'ms'),
    ];
  };
}

async function runThem(): Promise<readonly BenchRow[]> {
  roster.put({ ...untouchedEntry(box), link: { kind: 'idle' } });
  roster.change(box.id, { link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
  const cells = Array.from({ length: CELLS }, (_none, at) => ({
    name: `cell ${String(at + 1)}`,
    command: 'echo "$LEASEHOLD_CELL" >>ran',
    isCommented: false,
  }));
  const request = {
    ...{ name: 'many', command: 'true', folder: '~/work', activate: null, env: {} },
    ...{ results: null, successLine: null },
  };
  const looked = watchItself();
  const plan = value(
    await launcher.plan(box.id, request, { cells, stopsAtFailure: false, startsAgain: false }),
  );
  const beganMs = performance.now();
  value(await launcher.launch(box.id, plan.plan));
  const first = plan.runId;
  const followed = value(hub.open(1, 'run-queue', `${box.id} ${first}`));
  const lookMs = performance.now();
  await until(() => viewOf(first).cells.length === CELLS);
  const firstLookMs = performance.now() - lookMs;

  await until(() => begunOf(first) >= CELLS * PAUSED_AT);
  value(await editor.wish(box.id, first, 'pause'));
  await until(() => numbersOf('exit', first).length === numbersOf('begin', first).length);
  const pausedAt = begunOf(first);
  await until(() => viewOf(first).isPaused);
  demand(begunOf(first) === pausedAt, 'A cell began while the queue was paused.');
  value(await editor.wish(box.id, first, 'go-on'));

  await until(() => begunOf(first) >= CELLS * KILLED_AT);
  await killRun(first);
  const killedAt = begunOf(first);
  await until(async () => (await statusOf(first)) === 'lost');
  demand(begunOf(first) === killedAt, 'A cell began after everything was killed.');
  hub.close(1, followed.subscription);

  const again = value(await launcher.planResume(box.id, first));
  value(await launcher.launch(box.id, again.plan));
  const next = value(hub.open(1, 'run-queue', `${box.id} ${again.runId}`));
  await until(async () => {
    const kind = await statusOf(again.runId);
    demand(kind !== 'failed', 'The queue failed after it was resumed.');
    return kind === 'done';
  });
  const tookS = (performance.now() - beganMs) / 1000;
  const run = value(await watch.look(box.id)).runs.find(({ id }) => id === again.runId);
  await until(() => {
    const { marks } = viewOf(again.runId);
    return cells.every((cell, at) => judgeCell(cell, marks[at + 1], false).kind === 'done');
  });
  hub.close(1, next.subscription);
  demand(run?.status.kind === 'done', 'The queue is not done.');

  const begins = numbersOf('begin', first);
  const ran = readFileSync(join(home, 'work/ran'), 'utf8').trimEnd().split('\n').map(Number);
  const twice = begins.length - new Set(begins).size;
  demand(new Set(begins).size === CELLS, `${String(new Set(begins).size)} cells were begun.`);
  demand(new Set(ran).size === CELLS, `${String(new Set(ran).size)} cells have run.`);
  demand(twice <= 1, `${String(twice)} cells were begun twice.`);
  demand(ran.length - CELLS <= twice, 'A cell ran twice, and the journal does not say so.');
  return [
    row(`${CELLS.toLocaleString('en')} cells, paused, killed and resumed`, tookS, 's'),
    row('  of it each', (tookS * 1000) / CELLS, 'ms'),
    row('  begun twice, as the journal says: the one that was cut off', twice, 'cells', 1),
    row('  until the first look has told all of them', firstLookMs, 'ms', MAX_FIRST_LOOK_MS),
    ...looked(),
    row('load average of the last minute', loadavg()[0] ?? NaN, 'of the machine'),
  ];
}

try {
  report({ name: 'runs-queue', rows: await runThem() });
} finally {
  await watch.close();
  launcher.close();
  hub.dispose();
  connection.close();
  await connection.closed;
  await sshd.stop();
  rmSync(home, { recursive: true, force: true });
}
