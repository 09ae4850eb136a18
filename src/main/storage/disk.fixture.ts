import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { builtSource } from '../built-source.fixture.ts';

// Real files, real processes, real full disks: shared by the tests of storage, secrets and log.

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** libsql lets go of a closed database only when its statements are collected; until then this process holds locks. */
export async function letGoOfFiles(): Promise<void> {
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
}

/** Runs `test` with a folder of its own, which is gone afterwards whatever happened. */
export async function withFolder<T>(test: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-test-'));
  try {
    return await test(folder);
  } finally {
    chmodSync(folder, 0o700); // or an ordinary user could not remove what was made read-only
    rmSync(folder, { recursive: true, force: true });
  }
}

const isRoot = process.getuid?.() === 0;

/** Null where a small disk can be mounted. */
export const whyNoSmallDisk: string | null = findWhyNoSmallDisk();

function findWhyNoSmallDisk(): string | null {
  if (process.platform !== 'linux') return 'a small tmpfs needs Linux';
  if (!isRoot) return 'mounting a small tmpfs needs root';
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-mount-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? null : `mounting is not permitted: ${String(stderr).trim()}`;
}

export interface SmallDisk {
  readonly folder: string;
  /** Takes all space but `leave` bytes, or gives it back. */
  readonly fill: (leaveBytes: number) => void;
  /** Leaves room for bytes, and for no further file. */
  readonly takeInodes: () => void;
  /** Nothing can be written any more. */
  readonly close: () => void;
  /** As it was at first. */
  readonly free: () => void;
}

/** A test needs fewer files than this, and what takes them all is soon done. */
const INODES = 2000;

/** Runs `test` on a file system of its own of the given size. */
export async function withSmallDisk<T>(
  kib: number,
  test: (disk: SmallDisk) => T | Promise<T>,
): Promise<T> {
  return withFolder(async (parent) => {
    const options = `size=${kib}k,nr_inodes=${String(INODES)}`;
    mount('-t', 'tmpfs', '-o', options, 'tmpfs', parent);
    const ballast = join(parent, 'ballast');
    const close = (): void => mount('-o', 'remount,ro', parent);
    const many = join(parent, 'many');
    const takeInodes = (): void => {
      mkdirSync(many);
      untilFull(() => {
        for (let at = 0; ; at += 1) writeFileSync(join(many, String(at)), '');
      });
    };
    const free = (): void => {
      mount('-o', 'remount,rw', parent);
      for (const each of [ballast, many]) rmSync(each, { recursive: true, force: true });
    };
    const fill = (leaveBytes: number): void => {
      free();
      untilFull(() => writeFileSync(ballast, Buffer.alloc(kib * 1024)));
      const { size } = statSync(ballast);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, size - leaveBytes)));
    };
    try {
      return await test({ folder: parent, fill, takeInodes, close, free });
    } finally {
      await letGoOfFiles();
      // Lazily all the same: whatever a failed test still holds, nothing stays mounted.
      spawnSync('umount', ['--lazy', parent]);
    }
  });
}

function mount(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', words);
  if (status !== 0) throw new Error(`mount: ${String(stderr)}`);
}
function untilFull(write: () => void): void {
  try {
    write();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
  }
}

/** Null where a disk can be mounted that the kernel takes for broken when it is told so. */
export const whyNoFailingDisk: string | null = findWhyNoFailingDisk();

function findWhyNoFailingDisk(): string | null {
  if (whyNoSmallDisk !== null) return whyNoSmallDisk;
  if (!existsSync('/sys/fs/ext4')) return 'the kernel has no ext4 loaded';
  if (spawnSync('mkfs.ext4', ['-V']).error !== undefined) return 'mkfs.ext4 is not here';
  return existsSync('/dev/loop-control') ? null : 'there are no loop devices';
}

/** Runs `test` on a real ext4 that the kernel makes read-only at once when it `fail`s, whatever is open there. */
export async function withFailingDisk<T>(
  test: (disk: { readonly folder: string; readonly fail: () => void }) => T | Promise<T>,
): Promise<T> {
  return withFolder(async (parent) => {
    const [image, folder] = [join(parent, 'image'), join(parent, 'disk')];
    mkdirSync(folder);
    writeFileSync(image, '');
    truncateSync(image, 16 * 1024 * 1024);
    const made = spawnSync('mkfs.ext4', ['-q', image]);
    if (made.status !== 0) throw new Error(`mkfs.ext4: ${String(made.stderr)}`);
    mount('-o', 'loop,errors=remount-ro', image, folder);
    try {
      const source = spawnSync('findmnt', ['-no', 'SOURCE', folder], { encoding: 'utf8' });
      const device = basename(source.stdout.trim());
      const fail = (): void => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
      return await test({ folder, fail });
    } finally {
      spawnSync('umount', ['--lazy', folder]);
    }
  });
}

export interface Ended {
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a `*.fixture.ts` in a process of its own; `onLine` may end it. Resolves when everything it printed was read. */
export async function runFixture(
  fixture: URL,
  args: readonly string[],
  onLine: (line: string, count: number, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [await builtSource(fixture), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const failures: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    try {
      onLine(line, lines.length, child);
    } catch (cause) {
      // An assertion failed: the child goes, and the test hears of it below.
      failures.push(cause);
      child.kill('SIGKILL');
    }
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, endedBy) => resolve(endedBy));
  });
  if (failures.length > 0) throw failures[0];
  return { lines, stderr, signal };
}

/** Kills the writer the moment it has told `after` lines. */
export async function runAndKill(
  fixture: URL,
  args: readonly string[],
  after: number,
): Promise<readonly string[]> {
  const { lines, stderr, signal } = await runFixture(fixture, args, (_line, count, child) => {
    if (count === after) child.kill('SIGKILL');
  });
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${stderr}`);
  return lines;
}

/** In a child: hands the line to the parent before it returns, so that what was told is known even after kill -9. */
export function tell(line: string | number): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (cause) {
      // The pipe is full until the parent has read some.
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** In a child: goes no further, for whoever kills it. */
export function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** In a child: root may write everywhere, so what depends on permissions runs as an ordinary user. */
export function becomeOrdinaryUser(): void {
  if (process.getuid?.() !== 0) return;
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}

/** Null where permissions bind. */
export const whyNoReadOnly: string | null =
  process.platform === 'win32' ? 'folder permissions work differently on Windows' : null;

/** Makes a folder and what is in it readable for everybody and writable for nobody. */
export function makeReadOnly(folder: string, files: readonly string[]): void {
  for (const file of files) chmodSync(join(folder, file), 0o444);
  chmodSync(folder, 0o555);
}
