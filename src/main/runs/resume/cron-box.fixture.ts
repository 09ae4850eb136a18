import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { LaunchPlan } from '../../../shared/runs/launch/launch-plan.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import type { QueueCell } from '../../../shared/runs/queue/queue-cell.ts';
import { QueueBox } from '../queue/queue-box.fixture.ts';
import { sharedStat } from '../programs.fixture.ts';
import { BOX, request, value } from '../run-box.fixture.ts';

const [CRON, CRONTAB] = ['/usr/sbin/cron', '/usr/bin/crontab'];

/** Null: a real cron can run here, with a list of its own. Else why not. */
export const whyNoCron: string | null = (() => {
  if (process.platform !== 'linux') return 'no Linux';
  if (process.getuid?.() !== 0) return 'not root: cron begins only as root';
  if (!existsSync(CRON) || !existsSync(CRONTAB)) return 'the package cron is not installed';
  return spawnSync('unshare', ['-m', 'true']).status === 0
    ? null
    : 'no mounts of its own (unshare)';
})();

const IN_ANOTHER_LIFE = (text: string): string => text.replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/');

/**
 * A box with a real cron, and a spool and a /run of its own: what the person who runs the tests has there is theirs. Its cron begins when the test says so, and runs what stands behind "@reboot" as after a restart of the machine.
 */
export class CronBox extends QueueBox {
  readonly #own = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-cron-'));
  readonly #spool = join(this.#own, 'spool');
  readonly #table = join(this.#spool, 'crontabs', userInfo().username);
  #holder: ChildProcess | undefined;
  #cron: ChildProcess | undefined;
  #isShared = false;

  async boot(): Promise<void> {
    mkdirSync(join(this.#spool, 'crontabs'), { recursive: true });
    mkdirSync(join(this.#own, 'empty'));
    const mounts = [
      `mount --bind ${this.#spool} /var/spool/cron`,
      'mount -t tmpfs tmpfs /run',
      `mount --bind ${this.#own}/empty /etc/cron.d`,
      'mount --bind /dev/null /etc/crontab',
      'echo there',
      'exec sleep infinity',
    ].join(' && ');
    this.#holder = spawn('unshare', ['-m', 'sh', '-c', mounts], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (this.#holder.stdout !== null) await once(this.#holder.stdout, 'data');
    const bin = join(this.#own, 'bin');
    mkdirSync(bin);
    const loginShell = join(this.#own, 'shell');
    this.#write(loginShell, `exec nsenter --mount=${this.#mounts} /bin/sh "$@"`);
    await this.open({ path: `${bin}:/usr/bin:/bin`, loginShell });
    await this.startCron();
  }

  /** What the box has in the place of a program: words of a shell. Null: the program itself again. */
  program(name: string, words: string | null): void {
    const file = join(this.#own, 'bin', name);
    if (words === null) rmSync(file);
    else this.#write(file, words);
  }
  /** A file beside these programs. */
  besides(name: string, text: string): void {
    writeFileSync(join(this.#own, 'bin', name), text);
  }
  #write(file: string, words: string): void {
    writeFileSync(file, `#!/bin/sh\n${words}\n`, { mode: 0o755 });
  }
  /** Its home lies on a disk that other machines have, too, as far as the box tells. */
  shareHome(): void {
    const [fake, real] = [join(this.#own, 'stat'), join(this.#own, 'real-stat')];
    copyFileSync('/usr/bin/stat', real);
    this.#write(fake, sharedStat(real));
    this.mount('mount', '--bind', fake, '/usr/bin/stat');
    this.#isShared = true;
  }
  /** Among the mounts of the box. */
  mount(...words: string[]): void {
    execFileSync('nsenter', [`--mount=${this.#mounts}`, ...words]);
  }
  get #mounts(): string {
    return `/proc/${String(this.#holder?.pid)}/ns/mnt`;
  }

  async startCron(): Promise<void> {
    const words = [`--mount=${this.#mounts}`, CRON, '-f'];
    this.#cron = spawn('nsenter', words, { stdio: 'ignore' });
    const { pid } = this.#cron;
    await vi.waitFor(() => {
      expect(readFileSync(`/proc/${String(pid)}/comm`, 'utf8')).toBe('cron\n');
    });
  }
  async stopCron(): Promise<void> {
    if (this.#cron === undefined) return;
    const gone = once(this.#cron, 'exit');
    this.#cron.kill('SIGKILL');
    await gone;
    this.#cron = undefined;
  }

  /**
   * All that runs is killed, what was noted of it belongs to an earlier life of the machine, which may have had another name then, and cron
   * has yet to begin.
   */
  async goDown(id: string, name?: string): Promise<void> {
    await this.settled(id, 'job');
    await this.stopCron();
    await this.until20s(() => {
      this.killAll();
      expect(this.pids()).toEqual([]);
    });
    for (const file of ['go', 'job'] as const) this.#rewrite(id, file, IN_ANOTHER_LIFE);
    if (name !== undefined) this.called(id, name);
    // As a fresh /run has none.
    this.mount('rm', '-f', '/run/crond.reboot', '/run/crond.pid');
    await this.hangUp();
    await this.connect();
    await this.until(id, name !== undefined && this.#isShared ? 'elsewhere' : 'lost');
  }
  /** That run was launched in an earlier life of the machine, by this name of it. */
  called(id: string, name: string): void {
    this.#rewrite(id, 'launcher', (text) => IN_ANOTHER_LIFE(text).replace(/\S+(?= \d+\n$)/, name));
    this.#rewrite(id, 'reboot', (text) => text.replace(/^own-crontab .*$/m, `own-crontab ${name}`));
  }
  #rewrite(
    id: string,
    file: 'go' | 'job' | 'launcher' | 'reboot',
    as: (text: string) => string,
  ): void {
    const text = as(this.read(id, file));
    rmSync(this.place(id, file));
    writeFileSync(this.place(id, file), text);
  }
  async reboot(id: string): Promise<void> {
    await this.goDown(id);
    await this.startCron();
  }

  /** The person's own, byte for byte, without the three lines that crontab writes above it and never shows. */
  get crontab(): string | null {
    if (!existsSync(this.#table)) return null;
    const header = /^# DO NOT EDIT THIS FILE .*\n# \(.* installed .*\n# \(Cron version .*\n/;
    return readFileSync(this.#table, 'latin1').replace(header, '');
  }
  set crontab(text: string | null) {
    rmSync(this.#table, { force: true });
    if (text !== null) writeFileSync(this.#table, text, { encoding: 'latin1', mode: 0o600 });
  }

  planned(cells: readonly QueueCell[], more: Partial<RunRequest> = {}) {
    const asked = { cells, stopsAtFailure: false, startsAgain: true };
    return this.launcher.plan(BOX.id, request(more), asked);
  }
  async armed(cells: readonly QueueCell[], more: Partial<RunRequest> = {}): Promise<LaunchPlan> {
    const plan = value(await this.planned(cells, more));
    value(await this.launcher.launch(BOX.id, plan.plan));
    return plan;
  }
  /** The run that goes on after it, once there is one. */
  async nextOf(id: string): Promise<string> {
    return (await this.settled(id, 'next')).trim();
  }
  async until20s(met: () => void): Promise<void> {
    await vi.waitFor(met, { interval: 50 });
  }

  async end(): Promise<void> {
    await this.stopCron();
    await this.close();
    if (this.#holder !== undefined) {
      const gone = once(this.#holder, 'exit');
      this.#holder.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#own, { recursive: true, force: true });
  }
}
