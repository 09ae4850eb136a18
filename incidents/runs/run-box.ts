import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSshd, type TestSshd } from '../../src/main/ssh/sshd.fixture.ts';
import { untilReally } from '../gpu/fast-clock.ts';
import type { RunStart } from './run-incident.ts';

/** Commands that wait can be told to go on: they read a pipe that nobody has written to yet. */
const PRELUDE = 'wait_here() { read -r _ <"$gate"; }; echo ready; ';
const MEMORY_GROUPS = '/sys/fs/cgroup/memory';

/**
 * A box of its own behind a real sshd, whose runs are real processes. Of this machine's processes it shows only those that the
 * incident started: through links into /proc, so that one that ends is gone there at the same moment.
 */
export class RunBox {
  readonly #root: string;
  readonly sshd: TestSshd;
  readonly #sessions = new Set<number>();
  readonly #children: ChildProcess[] = [];
  #init: ChildProcess | null = null;
  #group: string | null = null;
  #isMounted = false;
  #isHidden = false;
  /** The process that the incident is about. */
  pid = 0;
  log = '';

  private constructor(root: string, sshd: TestSshd) {
    this.#root = root;
    this.sshd = sshd;
  }

  static async start(): Promise<RunBox> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-incident-')));
    for (const folder of ['proc/sys/kernel/random', 'proc/self', 'cgroup', 'work', 'tmux']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    const sshd = await startSshd({
      env: {
        LEASEHOLD_PROC_ROOT: join(root, 'proc'),
        LEASEHOLD_CGROUP_ROOT: join(root, 'cgroup'),
        LEASEHOLD_LIMIT_S: '2',
        TMUX_TMPDIR: join(root, 'tmux'),
      },
    });
    const box = new RunBox(root, sshd);
    writeFileSync(join(root, 'proc/self/cgroup'), '0::/\n');
    box.age(0);
    box.showMounts();
    box.boot('0f0e64a8-1111-4222-8333-444455556666');
    box.startInit();
    box.countMemoryKills(2);
    return box;
  }

  async stop(): Promise<void> {
    for (const pid of this.#shown()) kill(pid, 'SIGKILL');
    for (const child of this.#children) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
    }
    await this.sshd.stop();
    if (this.#isMounted) execFileSync('umount', ['-l', this.work]);
    if (this.#group !== null) {
      const group = this.#group;
      await untilReally(
        'an empty group',
        () => readFileSync(join(group, 'cgroup.procs'), 'utf8') === '',
      );
      rmdirSync(group);
    }
    rmSync(this.#root, { recursive: true, force: true });
  }

  get work(): string {
    return join(this.#root, 'work');
  }

  async begin({
    script,
    how = 'detached',
    logName = 'train.log',
    disk,
    memoryLimitMiB,
    env = {},
  }: RunStart): Promise<void> {
    if (disk !== undefined) this.#mountSmall(disk);
    if (memoryLimitMiB !== undefined) this.#limitMemory(memoryLimitMiB);
    // What is written beside a full disk can still be read.
    this.log = join(disk === undefined ? this.work : this.#root, logName);
    const gate = join(this.#root, 'gate');
    execFileSync('mkfifo', [gate]);
    const inner = PRELUDE + script;
    const body = how === 'wrapped' ? `sh -c "$0" 2>&1` : `exec sh -c "$0"`;
    const redirected = `exec >"$log" 2>&1; ${body}`;
    const enter = this.#group === null ? '' : `echo $$ >"${this.#group}/cgroup.procs"; `;
    const shell = how === 'wrapped' ? 'bash' : 'sh';
    const options = {
      cwd: this.work,
      env: { PATH: process.env['PATH'] ?? '', gate, log: this.log, work: this.work, ...env },
      detached: true,
      stdio: 'ignore',
    } as const;
    const child =
      how === 'terminal'
        ? spawn('script', ['-qfec', 'exec sh "$file"', '/dev/null'], {
            ...options,
            env: {
              ...options.env,
              file: this.#write(
                'run.sh',
                `${redirected.replace('"$0"', `'${inner.replaceAll("'", `'\\''`)}'`)}\n`,
              ),
            },
          })
        : spawn(shell, ['-c', enter + redirected, inner], options);
    this.#children.push(child);
    await untilReally('the run', () => {
      this.show();
      const writer = this.#writerOf(this.log);
      if (writer === null || !readFileSync(this.log, 'utf8').includes('ready')) return false;
      this.pid = writer;
      return true;
    });
    // Its children too.
    this.show();
  }

  /** Lets the run go on from `wait_here`, and waits for its end. */
  async goOnToItsEnd(): Promise<void> {
    this.goOn();
    await this.untilGone();
  }

  goOn(): void {
    execFileSync('sh', ['-c', 'echo >"$0"', join(this.#root, 'gate')], { timeout: 20_000 });
  }

  async untilGone(pid = this.pid): Promise<void> {
    await untilReally('an end', () => !isAlive(pid));
  }

  async signal(signal: NodeJS.Signals, pid = this.pid): Promise<void> {
    kill(pid, signal);
    await this.untilGone(pid);
  }

  /** The program below the shell that waits for it. */
  get inner(): number {
    return childOf(this.pid);
  }

  /** The terminal goes, as with a dropped connection. */
  async closeTerminal(): Promise<void> {
    await this.loseTerminal();
    await this.untilGone();
  }

  /** As `closeTerminal`, for a run that goes on. */
  async loseTerminal(): Promise<void> {
    const [terminal] = this.#children.slice(-1);
    if (terminal?.pid === undefined) throw new Error('no terminal');
    await this.signal('SIGKILL', terminal.pid);
  }

  /** Another run in the same folder; answers when it has said what it has to. */
  async beginAnother(script: string, isEnding: boolean): Promise<void> {
    const child = spawn('sh', ['-c', script], {
      cwd: this.work,
      env: { PATH: process.env['PATH'] ?? '', log: this.log, said: join(this.#root, 'said') },
      detached: true,
      stdio: 'ignore',
    });
    this.#children.push(child);
    if (isEnding) await once(child, 'exit');
    else await untilReally('the other run', () => existsSync(join(this.#root, 'said')));
  }

  boot(id: string): void {
    writeFileSync(join(this.#root, 'proc/sys/kernel/random/boot_id'), `${id}\n`);
  }

  /** Process 1 of the box: another one after its container was started anew. */
  startInit(): void {
    this.#init?.kill('SIGKILL');
    this.#init = spawn('sleep', ['100000'], { detached: true, stdio: 'ignore' });
    this.#children.push(this.#init);
    rmSync(join(this.#root, 'proc/1'), { force: true });
    symlinkSync(`/proc/${String(this.#init.pid)}`, join(this.#root, 'proc/1'));
  }

  /** What the box's control group counts. */
  countMemoryKills(count: number): void {
    const group = join(this.#root, 'cgroup');
    writeFileSync(join(group, 'cgroup.controllers'), 'cpu memory\n');
    writeFileSync(join(group, 'memory.max'), '34359738368\n');
    writeFileSync(join(group, 'memory.current'), '9663676416\n');
    writeFileSync(join(group, 'memory.stat'), 'anon 9000000000\ninactive_file 100000\n');
    writeFileSync(
      join(group, 'memory.events'),
      `low 0\nhigh 0\nmax 9\noom ${String(count)}\noom_kill ${String(count)}\n`,
    );
  }

  /** How full the control group is. */
  useMemory(bytes: number): void {
    writeFileSync(join(this.#root, 'cgroup/memory.current'), `${String(Math.round(bytes))}\n`);
  }

  /** The box seems to have been up for so much longer than it has. */
  age(moreS: number): void {
    const [upS] = readFileSync('/proc/uptime', 'utf8').split(' ').map(Number);
    writeFileSync(join(this.#root, 'proc/uptime'), `${((upS ?? 0) + moreS).toFixed(2)} 1.00\n`);
  }

  /** Of this machine's mounts only the root and the incident's own disk. */
  showMounts(): void {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    const shown = lines.filter((line) => ['/', this.work].includes(line.split(' ')[4] ?? ''));
    writeFileSync(join(this.#root, 'proc/self/mountinfo'), shown.join('\n') + '\n');
  }

  hideMounts(): void {
    rmSync(join(this.#root, 'proc/self/mountinfo'));
  }

  /** Something else on the box, which goes on in the background. */
  async startBeside(script: string): Promise<number> {
    const child = spawn('sh', ['-c', script], { cwd: this.work, detached: true, stdio: 'ignore' });
    this.#children.push(child);
    if (child.pid === undefined) throw new Error('nothing was started');
    await once(child, 'spawn');
    return child.pid;
  }

  hideMemory(): void {
    rmSync(join(this.#root, 'cgroup'), { recursive: true });
    mkdirSync(join(this.#root, 'cgroup'));
  }

  /** The box does not show its processes any more. */
  hideProcesses(): void {
    for (const pid of this.#links()) rmSync(join(this.#root, 'proc', String(pid)));
    rmSync(join(this.#root, 'proc/1'));
    this.#isHidden = true;
  }

  /** What the box shows of its processes from now on. */
  show(): void {
    if (this.#isHidden) return;
    for (const { pid } of this.#children) if (pid !== undefined) this.#sessions.add(pid);
    for (const pid of this.#links()) {
      if (!isAlive(pid)) rmSync(join(this.#root, 'proc', String(pid)));
    }
    const links = new Set(this.#links());
    for (const pid of this.#shown()) {
      if (!links.has(pid) && pid !== this.#init?.pid) {
        symlinkSync(`/proc/${String(pid)}`, join(this.#root, 'proc', String(pid)));
      }
    }
  }

  #links(): readonly number[] {
    return readdirSync(join(this.#root, 'proc'))
      .map(Number)
      .filter((pid) => pid > 1);
  }

  /** Everything in the sessions of what was started, and below it. */
  #shown(): readonly number[] {
    const table = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
      .flatMap((pid) => statOf(pid) ?? []);
    const shown = new Set<number>();
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const { pid, parent, session } of table) {
        const isOurs = this.#sessions.has(session) || this.#sessions.has(pid) || shown.has(parent);
        if (!isOurs || shown.has(pid)) continue;
        shown.add(pid);
        isMore = true;
      }
    }
    return [...shown];
  }

  /** The oldest, as a shell that waits is older than what it waits for. */
  #writerOf(file: string): number | null {
    const writers = this.#links().filter((pid) => linkOf(`/proc/${String(pid)}/fd/1`) === file);
    return writers.length === 0 ? null : Math.min(...writers);
  }

  #mountSmall(disk: 'few-bytes' | 'few-inodes'): void {
    const options = disk === 'few-bytes' ? 'size=256k' : 'size=8m,nr_inodes=12';
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'leasehold-incident', this.work]);
    this.#isMounted = true;
    this.showMounts();
  }

  /** A real limit of the kernel's, which really kills. The box sees this group as its own. */
  #limitMemory(limitMiB: number): void {
    const group = join(MEMORY_GROUPS, `leasehold-incident-${String(process.pid)}`);
    mkdirSync(group);
    this.#group = group;
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(limitMiB * 1024 * 1024));
    rmSync(join(this.#root, 'cgroup'), { recursive: true });
    mkdirSync(join(this.#root, 'cgroup'));
    symlinkSync(group, join(this.#root, 'cgroup/memory'));
  }

  #write(name: string, text: string): string {
    const file = join(this.#root, name);
    writeFileSync(file, text);
    return file;
  }
}

/** Why this machine cannot do it; null: it can. */
export function whyNotHere(needs: 'mounts' | 'memory-groups' | undefined): string | null {
  switch (needs) {
    case undefined:
      return null;
    case 'mounts':
      return process.getuid?.() === 0 ? null : 'mounting a small disk needs root';
    case 'memory-groups':
      return spawnSync('test', ['-w', join(MEMORY_GROUPS, 'memory.limit_in_bytes')]).status === 0 &&
        process.getuid?.() === 0
        ? null
        : 'no memory group of the first version can be made here';
  }
}

function statOf(
  pid: number,
): { pid: number; parent: number; session: number; state: string } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  } catch {
    return null; // it ended in this moment
  }
  const [state = '', parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(parent), session: Number(session), state };
}

function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X';
}

function childOf(pid: number): number {
  const file = `/proc/${String(pid)}/task/${String(pid)}/children`;
  const [child] = readFileSync(file, 'utf8').split(' ').filter(Boolean);
  if (child === undefined) throw new Error(`process ${String(pid)} has no child`);
  return Number(child);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // it ended in this moment
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}
