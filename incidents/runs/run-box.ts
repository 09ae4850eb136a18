import {
  execFileSync,
  spawn,
  spawnSync,
  type ChildProcess,
  type SpawnOptions,
} from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSshd, type TestSshd } from '../../src/main/ssh/sshd.fixture.ts';
import { untilReally } from '../gpu/fast-clock.ts';
import { mountLinesOf, OwnMounts, whyNoOwnMounts, type Mounts } from './own-mounts.ts';
import { childOf, childrenOf, isAlive, kill, linkOf, nameOf, statOf } from './real-processes.ts';
import type { LookIncident, RunStart } from './run-incident.ts';

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
  readonly #mounts: OwnMounts | null;
  readonly #disks: readonly string[];
  /** The process that the incident is about. */
  pid = 0;
  /** Of the same command beside it. */
  readonly twins: number[] = [];
  log = '';

  private constructor(
    root: string,
    sshd: TestSshd,
    own: OwnMounts | null,
    disks: readonly string[],
  ) {
    this.#root = root;
    this.sshd = sshd;
    this.#mounts = own;
    this.#disks = disks;
  }

  static async start(mounts?: Mounts): Promise<RunBox> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-incident-')));
    for (const folder of [
      'proc/sys/kernel/random',
      'proc/self',
      'cgroup',
      'work',
      'tmux',
      'home',
      'bin',
    ]) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    const own = mounts === undefined ? null : await OwnMounts.start(root, mounts);
    const sshd = await startSshd({
      home: join(root, 'home'),
      path: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
      ...(own === null ? {} : { loginShell: own.writeShell(join(root, 'bin/login')) }),
      env: {
        LEASEHOLD_PROC_ROOT: join(root, 'proc'),
        LEASEHOLD_CGROUP_ROOT: join(root, 'cgroup'),
        // Some incidents hang on purpose; the others have that long on a busy machine.
        LEASEHOLD_PATIENCE_S: '5',
        LEASEHOLD_APT_LOG: join(root, 'proc/apt-history.log'),
        TMUX_TMPDIR: join(root, 'tmux'),
      },
    });
    const disks = mounts?.disks.map(({ path }) => path) ?? [];
    const box = new RunBox(root, sshd, own, disks);
    writeFileSync(join(root, 'proc/self/cgroup'), '0::/\n');
    box.age(0);
    box.showMounts();
    box.boot('0f0e64a8-1111-4222-8333-444455556666');
    box.startInit();
    box.countMemoryKills(2);
    box.kernelSays();
    return box;
  }

  async stop(): Promise<void> {
    // A run that lost its terminal belongs to no session that was started here.
    const output = linkOf(`/proc/${String(this.pid)}/fd/1`) ?? '';
    const own = output.includes(this.#root) ? [this.pid] : [];
    for (const pid of [...this.#shown(), ...own]) kill(pid, 'SIGKILL');
    for (const child of this.#children) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
    }
    await this.sshd.stop();
    await this.#mounts?.stop();
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
    folder,
    twins = 0,
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
    const group = this.#group === null ? '' : `echo $$ >"${this.#group}/cgroup.procs"; `;
    const enter = `${group}cd "$work"; `;
    const shell = how === 'wrapped' ? 'bash' : 'sh';
    const options = {
      cwd: this.work,
      env: {
        PATH: process.env['PATH'] ?? '',
        gate,
        log: this.log,
        work: folder ?? this.work,
        home: join(this.#root, 'home'),
        ...env,
      },
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
        : this.#spawn([shell, '-c', enter + redirected, inner], options);
    this.#children.push(child);
    for (let n = 1; n <= twins; n += 1) {
      const env = { ...options.env, log: `${this.log}.${String(n)}` };
      this.#children.push(
        this.#spawn([shell, '-c', enter + redirected, inner], { ...options, env }),
      );
      await untilReally('a twin', () => {
        this.show();
        const twin = this.#writerOf(env.log);
        if (twin !== null) this.twins.push(twin);
        return twin !== null;
      });
    }
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

  /** Where the box has mounts of its own, there. */
  #spawn(words: readonly string[], options: SpawnOptions): ChildProcess {
    const [command = '', ...args] = [...(this.#mounts?.enter ?? []), ...words];
    return spawn(command, args, options);
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
    const paths = ['/', this.work, ...this.#disks];
    writeFileSync(
      join(this.#root, 'proc/self/mountinfo'),
      `${(this.#mounts?.linesOf(paths) ?? mountLinesOf('/proc/self/mountinfo', paths)).join('\n')}\n`,
    );
  }

  hideMounts(): void {
    rmSync(join(this.#root, 'proc/self/mountinfo'));
  }

  /** Something else on the box, which goes on in the background. */
  async startBeside(script: string): Promise<number> {
    const child = this.#spawn(['sh', '-c', script], {
      cwd: this.work,
      detached: true,
      stdio: 'ignore',
    });
    this.#children.push(child);
    if (child.pid === undefined) throw new Error('nothing was started');
    await once(child, 'spawn');
    const { pid } = child;
    // A loop has gone as far as to wait, and what takes the shell's place has taken it.
    await untilReally(script, () => childrenOf(pid).length > 0 || nameOf(pid) !== 'sh');
    return child.pid;
  }

  /** A file of the box's /proc or control groups, by its path below the box's own folder. */
  tells(path: `${'proc' | 'cgroup'}/${string}`, text: string): void {
    const file = join(this.#root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  forgets(path: `${'proc' | 'cgroup'}/${string}`): void {
    rmSync(join(this.#root, path), { recursive: true, force: true });
  }

  /** A program of the box in these words, in front of the machine's own. */
  has(program: string, script: string): void {
    writeFileSync(join(this.#root, 'bin', program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** As on a server that went away: asked for this word, the program does not come back. */
  doesNotReturn(program: string, word: string): void {
    const real = execFileSync('sh', ['-c', 'command -v "$0"', program], {
      encoding: 'utf8',
    }).trim();
    this.has(program, `case "$*" in *${word}*) exec sleep 600 ;; *) exec ${real} "$@" ;; esac`);
  }

  kernelSays(...lines: readonly string[]): void {
    const words = ['[    0.000000] Linux version 6.8.0', ...lines].map((line) => `'${line}'`);
    this.has('dmesg', `printf '%s\\n' ${words.join(' ')}`);
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
    // Seen from here, a mount of the box's own begins further up.
    const writers = this.#links().filter(
      (pid) => linkOf(`/proc/${String(pid)}/fd/1`)?.endsWith(file) === true,
    );
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
export function whyNotHere({
  needs,
  mounts,
}: Pick<LookIncident, 'needs' | 'mounts'>): string | null {
  if (mounts !== undefined) return whyNoOwnMounts();
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
