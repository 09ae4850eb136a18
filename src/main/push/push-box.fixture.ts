import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { postWords } from '../../shared/push/post-outcome.ts';
import type { PushDestination } from '../../shared/push/push-input.ts';
import type { PushPlan } from '../../shared/push/push-plan.ts';
import type { PushLook, PushState, PushWaiter } from '../../shared/push/push-waiter.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSameProcess, type ProcessRef } from '../../shared/runs/process-ref.ts';
import { createRedactor } from '../log/redact.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { Secret } from '../secrets/secret.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { startSshd, type SshdOptions, type TestSshd } from '../ssh/sshd.fixture.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { startHookServer, type HookServer } from '../webhook/http-server.fixture.ts';
import { PushWaiters, type PushWaitersOptions } from './push-waiters.ts';
import { PushTargets, type PushTargetsOptions } from './push-targets.ts';

export const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
export const ADDRESS_TOKEN = 'very-secret-token';
export const ACCESS_TOKEN = 'tk_"zebra7\\access';
/** Parts of them that stand nowhere else, and that no quoting takes apart. */
const SECRETS = [ADDRESS_TOKEN, 'zebra7'];
const ENV = {
  LEASEHOLD_EVERY_S: '0.1',
  LEASEHOLD_PAUSES_S: '"0.1 0.1"', // as sshd_config wants it
  LEASEHOLD_POST_S: '0.5',
  // As somebody's start-up file may have them: they would take the values of ours along.
  address: 'x',
  authorization: 'x',
  body: 'x',
};

export function value<T>(result: Result<T, Problem>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** A process of this machine, as a run that a patrol lists. */
export class TestRun {
  readonly #process = spawn('sleep', ['600']);
  readonly pid = Number(this.#process.pid);
  readonly ref: ProcessRef = { bootId: null, pid: this.pid, startTicks: startOf(this.pid) };

  get isThere(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async end(): Promise<void> {
    if (!this.isThere) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}

function startOf(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  return Number(stat.split(') ').at(-1)?.split(' ')[19]);
}

/** Push waiters with what they need, but for the box. */
export function openPushWaiters(
  run: () => TestRun,
  connectionOf: () => SshConnection,
  more: Partial<PushWaitersOptions & PushTargetsOptions> & {
    readonly kept?: Map<string, string>;
  } = {},
): PushWaiters {
  const redactor = createRedactor();
  const { kept = new Map<string, string>(), ...options } = more;
  return new PushWaiters({
    roster: { connectionOf },
    nameOf: () => 'train "a"',
    runOf: (_boxId, process) => {
      const command = 'python train.py --api_key=hunter2hunter2 é';
      return isSameProcess(run().ref, process) ? { ...run().ref, command } : null;
    },
    targets: new PushTargets({
      webhook: { target: () => err(problem('bad-input', 'No webhook is set.')) },
      secrets: {
        get: (name) => ok(kept.has(name) ? new Secret(kept.get(name) ?? '') : null),
        set: (name, secret) => {
          kept.set(name, secret);
          return Promise.resolve(ok({ isKept: true }));
        },
      },
      redactor,
      ...options,
    }),
    scripts: onboxScripts,
    redact: redactor.redact,
    onProblem: (found) => {
      throw new Error(found.message);
    },
    ...options,
  });
}

/** A real box with a run, and a server that its messages go to. */
export class PushBox {
  readonly home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
  sshd!: TestSshd;
  connection!: SshConnection;
  server!: HookServer;
  run!: TestRun;
  pushWaiters!: PushWaiters;
  kept = new Map<string, string>();

  async open(): Promise<void> {
    await this.#serve();
  }
  async close(): Promise<void> {
    await this.hangUp();
    await this.sshd.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
  async begin(): Promise<void> {
    this.kept = new Map();
    this.server = await startHookServer();
    this.run = new TestRun();
    this.pushWaiters = openPushWaiters(
      () => this.run,
      () => this.connection,
      { kept: this.kept },
    );
  }
  /** Nothing is left of a test. */
  async finish(): Promise<void> {
    await this.endAll();
    await this.run.end();
    await this.server.stop();
    await this.hasWaiters(0);
    expect(existsSync(this.folder()) ? readdirSync(this.folder()) : []).toEqual([]);
  }
  async hangUp(): Promise<void> {
    this.connection.close();
    await this.connection.closed;
  }
  async connect(): Promise<void> {
    this.connection = await connectTo(this.sshd.port, this.sshd);
  }
  /** On a box that differs: on which only these programs are found, or with something else in its environment. */
  async within(
    differs: Pick<SshdOptions, 'path' | 'env'>,
    act: () => Promise<void>,
  ): Promise<void> {
    await this.hangUp();
    await this.sshd.stop();
    await this.#serve(differs);
    try {
      await act();
    } finally {
      await this.endAll();
      await this.hangUp();
      await this.sshd.stop();
      await this.#serve();
    }
  }
  async endAll(): Promise<void> {
    for (const { id } of (await this.look()).waiters) value(await this.pushWaiters.end(BOX, id));
  }

  folder(id = ''): string {
    return join(this.home, '.local/state/leasehold/push', id);
  }
  to(url = this.server.url, token = ACCESS_TOKEN): PushDestination {
    return { kind: 'typed', webhookKind: 'json', url, token, isPlainAllowed: false };
  }
  plan(to = this.to(), maxHours = 168): Promise<Result<PushPlan, Problem>> {
    return this.pushWaiters.plan(BOX, { run: this.run.ref, to, maxHours });
  }
  async arm(to = this.to(), maxHours = 168): Promise<PushWaiter> {
    const plan = value(await this.plan(to, maxHours));
    const { waiters } = value(await this.pushWaiters.arm(BOX, plan.plan)).look;
    const waiter = waiters.find(({ id }) => plan.folder.endsWith(id));
    if (waiter === undefined) throw new Error('it is not listed');
    return waiter;
  }
  async test(url: string): Promise<string> {
    const plan = value(await this.plan(this.to(url)));
    return postWords(value(await this.pushWaiters.test(BOX, plan.plan)));
  }
  async look(): Promise<PushLook> {
    return value(await this.pushWaiters.look(BOX)).look;
  }
  async stateOf({ id }: PushWaiter): Promise<PushState | undefined> {
    return (await this.look()).waiters.find((each) => each.id === id)?.state;
  }

  /** Waiters of this box that run. */
  waiterPids(): number[] {
    return processes().flatMap(({ pid, command }) =>
      command.includes(`${this.home}/.local`) ? [pid] : [],
    );
  }
  /** A waiter that has only just forked, or that is about to end, is there twice or once more. */
  hasWaiters(count: number): Promise<number[]> {
    return vi.waitFor(() => {
      const pids = this.waiterPids();
      expect(pids).toHaveLength(count);
      return pids;
    });
  }
  /** Address and token are in no file of the box, no command line and no environment. */
  expectHidden(): void {
    const files = this.#files();
    for (const secret of SECRETS) expect(files).not.toContain(secret);
    this.expectUnseen();
  }
  /** The same without the files. */
  expectUnseen(): void {
    const all = processes();
    for (const secret of SECRETS) {
      expect(all.filter(({ open }) => open.includes(secret))).toEqual([]);
    }
  }

  async #serve({ env = {}, ...more }: Pick<SshdOptions, 'path' | 'env'> = {}): Promise<void> {
    this.sshd = await startSshd({ home: this.home, env: { ...ENV, ...env }, ...more });
    await this.connect();
  }
  #files(): string {
    if (!existsSync(this.folder())) return '';
    const names = readdirSync(this.folder(), { recursive: true }) as string[];
    return names
      .map((name) => this.folder(name))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n');
  }
}

/** All processes of this machine, with everything that others may read of them. */
function processes(): { readonly pid: number; readonly command: string; readonly open: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return [{ pid: Number(pid), command, open: `${command}\n${environ}` }];
    } catch {
      return []; // gone meanwhile, or another user's
    }
  });
}
