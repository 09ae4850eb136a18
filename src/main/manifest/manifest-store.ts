import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Manifest } from '../../shared/manifest/manifest.ts';
import { flushFolder, isRunning, replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import { readOwnText } from '../storage/own-text.ts';
import { sha256 } from '../storage/sha256.ts';
import { manifestIn, NEXT } from './making.ts';

/** In the app's data folder. */
export const MANIFESTS = 'manifests';
const NEWEST = 'newest.json';
/** Of one folder of a box; 20,000 files are some 3 MB. What older ones said of each file stands in the evidence too. */
const MOST_KEPT = 8;

const kept = z.strictObject({
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  folder: z.string(),
  atMs: z.number(),
  tellsWrites: z.boolean(),
  files: z.int(),
  bytes: z.int(),
  others: z.int(),
  unread: z.int(),
  unsettled: z.int(),
}) satisfies z.ZodType<Manifest>;

/** The manifests of one folder of one box, and the folders in which they are made. */
export class ManifestStore {
  readonly #folder: string;

  constructor(root: string, key: string) {
    this.#folder = join(root, sha256(key).slice(0, 32));
  }

  fileOf(digest: string): string {
    return manifestIn(this.#folder, digest);
  }

  has(digest: string): boolean {
    return existsSync(this.fileOf(digest));
  }

  /** The one that was kept last; null: none was, or nobody can read it. */
  async newest(): Promise<Manifest | null> {
    try {
      const text = await readOwnText(join(this.#folder, NEWEST));
      const read = kept.safeParse(JSON.parse(text));
      return read.success && this.has(read.data.digest) ? read.data : null;
    } catch {
      // It is a file of our own, and without it the box is asked for every hash.
      return null;
    }
  }

  /** Where one is made that is done at once; whoever makes it removes it, or the next start, where they were killed. */
  async fresh(): Promise<string> {
    await this.#prepare();
    return mkdtemp(join(this.#folder, `once-${String(process.pid)}-`));
  }

  /** Where the long one is made: what was hashed before a cut lies there still. Null: another process is making it. */
  async resumed(): Promise<{
    readonly folder: string;
    readonly release: () => Promise<void>;
  } | null> {
    await this.#prepare();
    const folder = join(this.#folder, 'making');
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const lock = join(folder, 'maker');
    if (!(await take(lock))) return null;
    return { folder, release: () => rm(lock, { force: true }) };
  }

  /** What was made there is a manifest from now on. */
  async keep(making: string, manifest: Manifest): Promise<void> {
    await rename(join(making, NEXT), this.fileOf(manifest.digest));
    await flushFolder(this.#folder);
    const newest = join(this.#folder, NEWEST);
    await sweepTemporaries(newest);
    await replaceFile(newest, JSON.stringify(manifest));
    await this.#removeOldest();
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.manifest'));
    if (names.length <= MOST_KEPT) return;
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(this.#folder, name);
        return { file, atMs: (await stat(file)).mtimeMs };
      }),
    );
    files.sort((a, b) => b.atMs - a.atMs);
    for (const { file } of files.slice(MOST_KEPT)) await rm(file, { force: true });
  }
}

/** As an older Leasehold named it, which did not say whose it is: nobody is at one of these for so long. */
const NAMELESS_MS = 24 * 3_600_000;

/** Removes what killed sessions were making at once, in the folders of all stores; what a living one makes stays. */
export async function sweepUnfinished(root: string): Promise<void> {
  for (const store of await namesIn(root)) {
    for (const name of await namesIn(join(root, store))) {
      const folder = join(root, store, name);
      if (await isUnfinished(folder, name)) await rm(folder, { recursive: true, force: true });
    }
  }
}

async function isUnfinished(folder: string, name: string): Promise<boolean> {
  const [, pid] = /^once-(\d+)-/.exec(name) ?? [];
  if (pid !== undefined) return !isRunning(Number(pid));
  if (!/^once-[^-]+$/.test(name)) return false;
  return Date.now() - (await stat(folder)).mtimeMs > NAMELESS_MS;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return [];
    throw cause;
  }
}

/** Unless a living process has it, this one too. */
async function take(lock: string): Promise<boolean> {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx', mode: OWNER_ONLY_FILE });
      return true;
    } catch (cause) {
      if (errnoOf(cause) !== 'EEXIST') throw cause;
      const pid = Number(await readOwnText(lock));
      if (pid > 0 && isRunning(pid)) return false;
      await rm(lock, { force: true });
    }
  }
  return false;
}
