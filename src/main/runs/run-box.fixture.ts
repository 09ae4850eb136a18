import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { runNews, type RunNews } from '../../shared/news/kinds/run-news.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import type { LaunchedRun, LaunchedRuns, RunLog } from '../../shared/runs/launch/launched-run.ts';
import type { RunMetrics } from '../../shared/runs/progress/run-metrics.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { startDropbear, type TestDropbear } from '../ssh/dropbear.fixture.ts';
import { startSshd, type SshdOptions, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { BoxPushes } from '../transfer/box-pushes.ts';
import { keepMeasured, readMeasured } from '../transfer/measured-pushes.ts';
import { nothingKnown } from '../../shared/runs/launch/known-box.fixture.ts';
import { newRunId } from './make-plan.ts';
import type { Notices } from './notices.ts';
import { RunLauncher } from './run-launcher.ts';
import { RunWatch } from './run-watch.ts';

/** Of the tries to find a run as it is waited for, one each 50 ms. */
export const LOOK_EACH = 10;
/** A look starts a dozen processes. Whoever waits for more than news asks by itself. */
const LOOK_EVERY_MS = 1000;

export const BOX: Box = {
  id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  name: 'train-a',
  platform: 'generic-ssh',
  address: { host: '192.0.2.7', port: 22, user: 'root' },
  ...USUAL_WAY,
  tags: [],
  addedAtMs: 0,
};

export function value<T>(result: Result<T, Problem>): T {
  if (!result.ok) {
    throw new Error(`${result.error.code}: ${result.error.message} ${result.error.detail ?? ''}`);
  }
  return result.value;
}

export const request = (more: Partial<RunRequest> = {}): RunRequest => ({
  name: 'a run',
  command: 'echo hello',
  folder: '~/work',
  activate: null,
  env: {},
  results: null,
  successLine: null,
  ...more,
});

/** The folder of a run that was launched and is over, for all tests of this process to which it does not matter how. */
let past: {
  readonly home: string;
  readonly id: string;
  readonly files: readonly (readonly [name: string, text: string])[];
} | null = null;

/** What is kept between two lives of the app. */
export function memoryEntries(kept = new Map<string, unknown>()) {
  const write = (boxId: string, key: string, said: unknown) => {
    kept.set(`${boxId} ${key}`, said);
    return ok(null);
  };
  return {
    kept,
    read: (boxId: string, key: string) => ok((kept.get(`${boxId} ${key}`) ?? null) as never),
    ...{ write, writeRelaxed: write },
    setAside: () => ok(null),
  };
}

/** A real box behind a network whose weather a test makes, and the services that launch runs there. */
export class RunBox {
  readonly home: string;
  sshd!: TestSshd;
  dropbear!: TestDropbear;
  proxy!: TcpProxy;
  connection: SshConnection | null = null;
  hub!: StreamHub;
  roster!: ReachedRoster;
  watch!: RunWatch;
  launcher!: RunLauncher;
  pushes!: BoxPushes;
  entries = memoryEntries();
  scripts: OnboxScripts = onboxScripts;
  redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
  /** What the app knows of the box without asking it. */
  known = nothingKnown();
  readonly news: RunNews[] = [];
  /** What is armed beside a run that has begun; null: nothing. */
  notices: Pick<Notices, 'arm'> | null = null;

  constructor(home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'))) {
    this.home = home;
  }

  /** As if nothing had written to a log of this run, or of its cells, for an hour. */
  quieten(id: string): void {
    const before = Date.now() / 1000 - 3600;
    for (const name of ['log', 'journal', 'logs']) {
      const place = this.place(id, name);
      if (!existsSync(place)) continue;
      if (name === 'logs') {
        for (const cell of readdirSync(place)) utimesSync(join(place, cell), before, before);
      } else utimesSync(place, before, before);
    }
  }

  /** Another app that reaches the same box, and knows nothing of this one. */
  async beside(scripts = onboxScripts): Promise<RunBox> {
    const app = new RunBox(this.home);
    app.scripts = scripts;
    app.sshd = this.sshd;
    app.proxy = this.proxy;
    await app.start();
    return app;
  }

  async open(
    differs: Pick<SshdOptions, 'path' | 'env' | 'loginShell' | 'configLines'> = {},
  ): Promise<void> {
    await this.#openOn(await startSshd({ home: this.home, ...differs }));
  }

  /** The same, where Dropbear is what lets one in. */
  async openDropbear(): Promise<void> {
    this.dropbear = await startDropbear({ home: this.home });
    await this.#openOn(this.dropbear);
  }

  async #openOn(server: TestSshd | TestDropbear): Promise<void> {
    mkdirSync(join(this.home, 'work'), { recursive: true });
    // What only an sshd has, no test asks of a Dropbear.
    this.sshd = server as TestSshd;
    this.proxy = await startTcpProxy(server.port);
    await this.start();
  }

  /** The app starts; what it kept before is there. */
  async start(): Promise<void> {
    this.hub = new StreamHub();
    this.hub.addClient(1, () => undefined);
    this.roster = new ReachedRoster(this.hub, () => this.connection);
    const options = { hub: this.hub, roster: this.roster, scripts: this.scripts };
    this.watch = new RunWatch({
      ...options,
      entries: this.entries,
      redact: this.redact,
      onOver: (news) => {
        if (runNews.words(news, 0) !== null) this.news.push(news);
      },
      onProblem: (found) => {
        throw new Error(found.message);
      },
      cellResultsOf: () => Promise.resolve(null),
      watchedMs: LOOK_EVERY_MS,
      unwatchedMs: LOOK_EVERY_MS,
    });
    this.pushes = new BoxPushes({
      ...options,
      onMeasured: (boxId, push) => value(keepMeasured(this.entries, boxId, push)),
      waitsMs: [0, 50, 50, 50],
    });
    this.launcher = new RunLauncher({
      ...options,
      knownBox: (boxId) => ({ ...this.known, pushes: value(readMeasured(this.entries, boxId)) }),
      watch: this.watch,
      pushes: this.pushes,
      notices: { arm: async (...launched) => this.notices?.arm(...launched) },
      graceS: 1,
    });
    this.roster.put({ ...untouchedEntry(BOX), link: { kind: 'idle' } });
    await this.connect();
  }

  /** The app quits. */
  async quit(): Promise<void> {
    await this.watch.close();
    this.launcher.close();
    await this.hangUp();
    this.hub.dispose();
  }

  /**
   * As when the box loses its power: also what was started while this looked. All stand still before the first is killed, or one that
   * is killed a moment later could still write down how another ended.
   */
  killAll(): void {
    // Not in one go: tmux wakes what was stopped before it was.
    for (let moves = this.pids(); moves.length > 0; moves = this.pids().filter(isMoving))
      signalAll(moves, 'SIGSTOP');
    for (let pids = this.pids(); pids.length > 0; pids = this.pids()) signalAll(pids, 'SIGKILL');
  }

  /** Nothing is left of a test. */
  async close(): Promise<void> {
    this.killAll();
    await this.quit();
    await this.proxy.stop();
    await this.sshd.stop();
    await vi.waitFor(() => expect(this.pids()).toEqual([]));
    rmSync(this.home, { recursive: true, force: true });
  }

  async connect(): Promise<void> {
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: this.proxy.port, user: this.sshd.user },
      credentials: [{ kind: 'key', privateKey: this.sshd.privateKey }],
      judgeHostKey: () => 'accept',
      onReceived: () => undefined,
      signal: new AbortController().signal,
    });
    this.connection = value(opened);
    this.roster.change(BOX.id, { link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
  }

  async hangUp(): Promise<void> {
    const { connection } = this;
    this.connection = null;
    this.roster.change(BOX.id, { link: { kind: 'idle' } });
    connection?.close();
    await connection?.closed;
  }

  plan(more: Partial<RunRequest> = {}): Promise<Result<LaunchPlan, Problem>> {
    return this.launcher.plan(BOX.id, request(more));
  }

  /** Planned and launched. */
  async launch(more: Partial<RunRequest> = {}): Promise<LaunchedRun> {
    const plan = value(await this.plan(more));
    return this.in(value(await this.launcher.launch(BOX.id, plan.plan)), plan.runId);
  }

  /** A run without a word that is over, and whose results are what the test lays into `out`. */
  async past(): Promise<string> {
    if (past === null) {
      const { id } = await this.launch({ results: 'out', command: 'true' });
      await this.until(id, 'done');
      const names = readdirSync(this.place(id)).filter((name) => !name.endsWith('.tmp'));
      const files = names.map((name) => [name, this.read(id, name)] as const);
      past = { home: this.home, id, files };
      return id;
    }
    const { home, id: first, files } = past;
    const id = newRunId();
    mkdirSync(this.place(id), { recursive: true, mode: 0o700 });
    for (const [name, text] of files) {
      const own = text.replaceAll(home, this.home).replaceAll(first, id);
      writeFileSync(this.place(id, name), own, { mode: 0o600 });
    }
    await this.look(id);
    return id;
  }

  async look(id: string): Promise<LaunchedRun> {
    return this.in(value(await this.watch.look(BOX.id)), id);
  }

  in({ runs }: LaunchedRuns, id: string): LaunchedRun {
    const run = runs.find((each) => each.id === id);
    if (run === undefined) throw new Error(`${id} is not listed`);
    return run;
  }

  /**
   * The run, once that is so. A look starts a dozen processes, so it is taken when there is a new name in the run's folder, and now and
   * then for what leaves none, such as a death.
   */
  async until(id: string, kind: LaunchedRun['status']['kind']): Promise<LaunchedRun> {
    let run: LaunchedRun | null = null;
    let seen = '';
    let tries = 0;
    return vi.waitFor(
      async () => {
        const names = existsSync(this.place(id)) ? readdirSync(this.place(id)).join() : '';
        if (run === null || names !== seen || tries % LOOK_EACH === 0) run = await this.look(id);
        seen = names;
        tries += 1;
        expect(run.status, `its log: ${this.read(id, 'log').slice(-1000)}`).toMatchObject({ kind });
        return run;
      },
      { interval: 50 },
    );
  }

  /** The newest state of a log, which somebody looks at from now on: of a run, or of a cell ("<id> <index>"). */
  openLog(name: string): () => RunLog {
    const newest = this.#opened('run-log', name);
    return () => newest() as RunLog;
  }
  /** The same of what that log says of a training. */
  openMetrics(id: string): () => RunMetrics {
    const newest = this.#opened('run-metrics', id);
    return () => newest() as RunMetrics;
  }
  #opened(stream: 'run-log' | 'run-metrics', id: string): () => unknown {
    const key = `${BOX.id} ${id}`;
    value(this.hub.open(1, stream, key));
    return () => this.stateOf(stream, key);
  }
  stateOf(stream: 'run-log' | 'run-metrics' | 'run-events', key: string): unknown {
    const opened = value(this.hub.open(1, stream, key));
    this.hub.close(1, opened.subscription);
    return opened.state;
  }

  /** Another text whenever a run has a new file, or a queue a new line. */
  traces(): string {
    const runs = this.place('');
    if (!existsSync(runs)) return '';
    return readdirSync(runs)
      .filter((id) => id.startsWith('r-'))
      .map((id) => `${id} ${readdirSync(this.place(id)).join()} ${this.read(id, 'journal').length}`)
      .join();
  }

  place(id: string, file = ''): string {
    return join(this.home, '.local/state/leasehold/runs', id, file);
  }
  /** Its folder is cleared away, in one step: a look under way would write into one that is being emptied. */
  clearAway(id: string): void {
    renameSync(this.place(id), join(this.home, `cleared-${id}`));
  }
  read(id: string, file: string): string {
    try {
      return readFileSync(this.place(id, file), 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw cause;
    }
  }
  async settled(id: string, file: string): Promise<string> {
    return vi.waitFor(() => {
      expect(this.read(id, file)).not.toBe('');
      return this.read(id, file);
    });
  }
  numberIn(id: string, file: 'go' | 'job'): number {
    return Number(this.read(id, file).split(' ')[1]);
  }

  /** Every process that has this box's home in its words or in its environment, but those of its server. */
  pids(): number[] {
    return readdirSync('/proc').flatMap((pid) => {
      if (!/^\d+$/.test(pid)) return [];
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
        const isOurs = environ.includes(this.home) || words.includes(this.home);
        return isOurs && words !== '' && !/^(?:sshd|\/usr\/sbin\/dropbear\0)/.test(words)
          ? [Number(pid)]
          : [];
      } catch {
        return []; // gone meanwhile, or another user's
      }
    });
  }
}

function isMoving(pid: number): boolean {
  try {
    // D: it waits for what it is starting, stops before anything else, and may do so for as long as that stands still.
    return !/^.*\) [DTtZX]/s.test(readFileSync(`/proc/${String(pid)}/stat`, 'latin1'));
  } catch {
    return false; // gone meanwhile
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // gone meanwhile
    }
  }
}
