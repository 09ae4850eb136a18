import { randomBytes } from 'node:crypto';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../shared/salvage.ts';
import { readStartTime } from './process-facts.ts';

/** The temporary folders of one demo box. A client sees `home`; the others are the machine around it. */
export interface BoxFolders {
  readonly root: string;
  readonly home: string;
  /** The simulated tools, first in PATH. */
  readonly bin: string;
  readonly lib: string;
  /** State that a real box keeps in its kernel and driver. */
  readonly sys: string;
  readonly faults: string;
  readonly trainer: string;
  readonly cgroup: string;
  readonly proc: string;
  readonly dev: string;
  readonly tmp: string;
  /** Every process of the box inherits this file open; `sweep.sh` finds them by it. */
  readonly lifeline: string;
  readonly sweeper: string;
}

/** A box whose app is gone without having cleaned up. */
export interface Leftover {
  readonly root: string;
  readonly marker: string;
}

const PREFIX = 'leasehold-demo-';
const NAME = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);
const OWNER_FILE = 'owner.json';
const ownerSchema = z.object({ pid: z.int(), startTime: z.string(), marker: z.string() });

/** Makes the box's folders. The tools are copied (small text files), so that they also come out of an app archive. */
export async function createHome(
  toolsFolder: string,
): Promise<{ readonly folders: BoxFolders; readonly marker: string }> {
  const root = await mkdtemp(join(await realpath(tmpdir()), PREFIX));
  try {
    return await fillHome(root, toolsFolder);
  } catch (cause) {
    await rm(root, { recursive: true, force: true });
    throw cause;
  }
}

async function fillHome(
  root: string,
  toolsFolder: string,
): Promise<{ readonly folders: BoxFolders; readonly marker: string }> {
  const marker = randomBytes(16).toString('hex');
  const startTime = (await readStartTime(process.pid)) ?? '';
  await writeFile(join(root, OWNER_FILE), JSON.stringify({ pid: process.pid, startTime, marker }));
  const folders = nameFolders(root);
  const { home, faults, trainer, cgroup, proc, dev, tmp } = folders;
  const random = join(proc, 'sys/kernel/random');
  const made = [join(home, 'train'), faults, trainer, cgroup, random, dev, tmp];
  await Promise.all(made.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  await writeFile(folders.lifeline, '');
  await mkdir(join(proc, 'self'));
  await writeFile(join(proc, 'self/mountinfo'), dataDisk(home));
  await Promise.all([
    copyFiles(join(toolsFolder, 'bin'), folders.bin),
    copyFiles(join(toolsFolder, 'lib'), folders.lib),
    copyFiles(join(toolsFolder, 'train'), join(home, 'train')),
    copyFiles(join(toolsFolder, 'home'), home),
    copyFile(join(toolsFolder, 'sweep.sh'), folders.sweeper),
  ]);
  return { folders, marker };
}

function nameFolders(root: string): BoxFolders {
  const sys = join(root, 'sys');
  return {
    root,
    home: join(root, 'home'),
    bin: join(root, 'bin'),
    lib: join(root, 'lib'),
    sys,
    faults: join(sys, 'faults'),
    trainer: join(sys, 'trainer'),
    cgroup: join(sys, 'cgroup'),
    proc: join(sys, 'proc'),
    dev: join(sys, 'dev'),
    tmp: join(root, 'tmp'),
    lifeline: join(root, 'lifeline'),
    sweeper: join(root, 'sweep.sh'),
  };
}

/** The home as the box's one disk of its own: whether this machine's others are full is not the box's matter. */
function dataDisk(home: string): string {
  const path = home.replace(
    /[ \t\n\\]/g,
    (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `36 1 8:16 / ${path} rw,relatime - ext4 /dev/sdb rw\n`;
}

async function copyFiles(from: string, to: string): Promise<void> {
  const [names] = await Promise.all([readdir(from), mkdir(to, { recursive: true })]);
  await Promise.all(names.map((name) => copyFile(join(from, name), join(to, name))));
}

/** Programs are recognised by their first bytes: archives and Windows checkouts lose the mode. */
async function copyFile(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const isProgram = bytes.subarray(0, 2).toString('latin1') === '#!';
  await writeFile(to, bytes, { mode: isProgram ? 0o755 : 0o644 });
}

/** Boxes in the temp folder whose app no longer runs. SECURITY: only real folders that belong to this user. */
export async function findLeftovers(): Promise<Leftover[]> {
  const temp = await realpath(tmpdir());
  const names = (await readdir(temp)).filter((name) => NAME.test(name));
  const found = await Promise.all(names.map((name) => readLeftover(join(temp, name))));
  return found.filter((leftover) => leftover !== null);
}

async function readLeftover(root: string): Promise<Leftover | null> {
  const stats = await lstat(root).catch(() => null);
  if (stats === null || !stats.isDirectory() || stats.uid !== process.getuid?.()) return null;
  const text = await readFile(join(root, OWNER_FILE), 'utf8').catch(() => null);
  if (text === null) return null; // another app is creating it right now
  const owner = ownerSchema.safeParse(parseJson(text));
  if (!owner.success) return null;
  const { pid, startTime, marker } = owner.data;
  return (await readStartTime(pid)) === startTime ? null : { root, marker };
}
