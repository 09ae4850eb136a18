import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A disk of the box's own, at the place where a platform has it. */
export interface Disk {
  readonly path: string;
  /** In memory, so many KiB or files; or sparse on a loop device, so many GB of which nothing is really written. */
  readonly size: { readonly kib: number } | { readonly inodes: number } | { readonly gb: number };
  /** What the box's table calls it, where that is a kind that this machine does not have: a server's. */
  readonly told?: string;
}

export interface Mounts {
  readonly disks: readonly Disk[];
  /** What the writable layer of the root holds, as with a container's disk. */
  readonly rootKiB?: number;
}

/** Mounts that nobody else on this machine sees: the root is an overlay over this machine's own, as in a container. */
const SETUP = `
set -e
root=$1 size=$2
shift 2
mkdir "$root/layers" "$root/box"
mount -t tmpfs -o "size=$size" layers "$root/layers"
mkdir "$root/layers/up" "$root/layers/work"
mount -t overlay -o "lowerdir=/,upperdir=$root/layers/up,workdir=$root/layers/work" overlay "$root/box"
for each in /proc /sys /dev; do mount --rbind "$each" "$root/box$each"; done
mount --bind "$root" "$root/box$root"
while [ "$#" -gt 0 ]; do
  mkdir -p "$root/box$1"
  case $2 in
    /*) mount -o loop "$2" "$root/box$1" ;;
    *) mount -t tmpfs -o "$2" disk "$root/box$1" ;;
  esac
  shift 2
done
echo ready
exec chroot "$root/box" sleep 100000`;

const USUAL_ROOT_KIB = 65_536;

export class OwnMounts {
  readonly #holder: ChildProcess;
  readonly #told: ReadonlyMap<string, string>;

  private constructor(holder: ChildProcess, disks: readonly Disk[]) {
    this.#holder = holder;
    this.#told = new Map(
      disks.flatMap(({ path, told }) => (told === undefined ? [] : [[path, told] as const])),
    );
  }

  static async start(
    root: string,
    { disks, rootKiB = USUAL_ROOT_KIB }: Mounts,
  ): Promise<OwnMounts> {
    const words = disks.flatMap(({ path, size }, at) => [
      path,
      optionsOf(size, join(root, `disk-${String(at)}`)),
    ]);
    const args = ['-m', '--', 'sh', '-c', SETUP, 'sh', root, `${String(rootKiB)}k`, ...words];
    const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    holder.stderr.on('data', (text: Buffer) => (said += text.toString()));
    await Promise.race([
      once(holder.stdout, 'data'),
      once(holder, 'exit').then(() => {
        throw new Error(`no mounts: ${said}`);
      }),
    ]);
    return new OwnMounts(holder, disks);
  }

  /** The words before a command that is to run there. */
  get enter(): readonly string[] {
    return ['nsenter', '-t', String(this.#holder.pid), '-m', '-r', '-w', '--'];
  }

  /** What reads each command of a login, there. */
  writeShell(file: string): string {
    writeFileSync(file, `#!/bin/sh\nexec ${this.enter.join(' ')} /bin/sh "$@"\n`, { mode: 0o755 });
    return file;
  }

  /** The kernel's own lines of these mounts. */
  linesOf(paths: readonly string[]): readonly string[] {
    return mountLinesOf(`/proc/${String(this.#holder.pid)}/mountinfo`, paths).map((line) => {
      const told = this.#told.get(line.split(' ')[4] ?? '');
      return told === undefined ? line : line.replace(/ - \S+ /, ` - ${told} `);
    });
  }

  run(script: string): void {
    const [command = '', ...args] = this.enter;
    execFileSync(command, [...args, 'sh', '-c', script], { timeout: 20_000 });
  }

  /** With the last process in them the mounts are gone. */
  async stop(): Promise<void> {
    const gone = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await gone;
  }
}

/** What the kernel says of the mounts at these places. */
export function mountLinesOf(file: string, paths: readonly string[]): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => paths.includes(line.split(' ')[4] ?? ''));
}

function optionsOf(size: Disk['size'], image: string): string {
  if ('kib' in size) return `size=${String(size.kib)}k`;
  if ('inodes' in size) return `size=8m,nr_inodes=${String(size.inodes)}`;
  execFileSync('truncate', ['-s', `${String(size.gb)}G`, image]);
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { timeout: 60_000 });
  return image;
}

/** Why this machine cannot do it; null: it can. Asked once. */
export function whyNoOwnMounts(): string | null {
  return (known ??= { because: tryMounts() }).because;
}
let known: { readonly because: string | null } | null = null;

function tryMounts(): string | null {
  if (process.getuid?.() !== 0) return 'mounts of one’s own need root';
  const script =
    'mount -t tmpfs x /mnt && mkdir /mnt/u /mnt/w /mnt/m && mount -t overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w overlay /mnt/m';
  const { status } = spawnSync('unshare', ['-m', '--', 'sh', '-c', script]);
  return status === 0 ? null : 'this machine’s kernel gives no mounts of one’s own';
}
