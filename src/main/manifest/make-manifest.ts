import { createReadStream, existsSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, ManifestProgress } from '../../shared/manifest/manifest.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { OWNER_ONLY_FILE } from '../storage/folder.ts';
import { waited } from '../transfer/waited.ts';
import type { Workers } from '../workers/workers.ts';
import type { Joined, ToHash } from './join-manifest.ts';
import { LISTED, PART, toHashIn, toldIn, waysToHash, type WayToHash } from './making.ts';
import type { ManifestStore } from './manifest-store.ts';
import { spoolList } from './spool-list.ts';

/** What is written to while the others are hashed is hashed again; a file that always is has no hash. */
const PASSES = 3;
/** A line of the hashing tool, beside the path, which may come twice as long where its name is odd. */
const HASH_LINE_BYTES = 80;

/** More than the line that says that all were told. */
const END_CHARS = 100;

export interface MakeOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ManifestProgress) => void;
}

interface Means {
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
}

type Earlier = { readonly file: string; readonly digest: string } | null;

interface Looked {
  readonly joined: Joined;
  readonly now: Manifest;
}

/** One manifest on its way, in its folder. */
export class Making {
  readonly #with: Means;
  readonly #connection: SshConnection;
  readonly #place: ResultPlace;
  readonly #folder: string;
  readonly #options: MakeOptions;
  #isMaking = false;
  #progress: ManifestProgress = {
    ...{ stage: 'listing', listedFiles: 0 },
    ...{ hashedFiles: 0, toHashFiles: 0, toHashBytes: 0 },
  };

  constructor(
    means: Means,
    connection: SshConnection,
    place: ResultPlace,
    folder: string,
    options: MakeOptions,
  ) {
    this.#with = means;
    this.#connection = connection;
    this.#place = place;
    this.#folder = folder;
    this.#options = options;
  }

  async make(store: ManifestStore): Promise<Result<Manifest, Problem>> {
    // Of one that was cut off.
    const kept = await this.#fold(false);
    if (!kept.ok) return kept;
    this.#isMaking = true;
    const newest = await store.newest();
    let earlier: Earlier =
      newest === null ? null : { file: store.fileOf(newest.digest), digest: newest.digest };
    for (let pass = 1; ; pass += 1) {
      const looked = await this.look(earlier, { isFirst: pass === 1 });
      if (!looked.ok) return looked;
      const { joined, now } = looked.value;
      if (joined.isSpoiled) {
        earlier = null;
        await rm(join(this.#folder, PART), { force: true });
        continue;
      }
      const isDone = filesIn(joined.toHash) === 0 || pass > PASSES;
      if (isDone) return ok(now);
      const hashed = await this.#hash(joined);
      const folded = await this.#fold(hashed.ok);
      if (!hashed.ok) return hashed;
      if (!folded.ok) return folded;
    }
  }

  /** Lists the folder, and takes the hashes of whatever is as it was. */
  async look(earlier: Earlier, { isFirst = false } = {}): Promise<Result<Looked, Problem>> {
    const { scripts, workers } = this.#with;
    const { signal } = this.#options;
    const atMs = Date.now();
    this.#tell({ stage: 'listing' });
    const listed = await spoolList(
      this.#connection,
      scripts,
      this.#place,
      join(this.#folder, LISTED),
      { signal, onFiles: (listedFiles) => this.#tell({ listedFiles }) },
    );
    if (!listed.ok) return listed;
    const { folder, tellsWrites } = listed.value;
    this.#tell({ stage: 'comparing' });
    // Where the disk does not tell each writing, what was hashed earlier may be another content by now: only what this one hashes counts.
    const isReadAgain = this.#isMaking && !tellsWrites;
    if (isReadAgain && isFirst) await rm(join(this.#folder, PART), { force: true });
    const input = {
      folder: this.#folder,
      earlier: isReadAgain ? null : earlier,
      isRetrying: isFirst,
    };
    const joined = await workers.run('join-manifest', input, { signal });
    if (!joined.ok) return joined;
    const now = manifestOf(joined.value, { folder, atMs, tellsWrites });
    return ok({ joined: joined.value, now });
  }

  /** It takes as long as it takes: the link tells whether the box is alive. */
  async #hash({ toHash, grainMs }: Joined): Promise<Result<null, Problem>> {
    const { signal } = this.#options;
    const toHashBytes = waysToHash.reduce((sum, way) => sum + toHash[way].bytes, 0);
    const toHashFiles = filesIn(toHash);
    this.#tell({ stage: 'hashing', hashedFiles: 0, toHashFiles, toHashBytes });
    // What is written to from now on has another stamp in the next list.
    await waited(grainMs, signal);
    for (const way of waysToHash) {
      if (toHash[way].files === 0) continue;
      const told = await this.#ask(way);
      if (!told.ok) return told;
    }
    return ok(null);
  }

  async #ask(way: WayToHash): Promise<Result<null, Problem>> {
    const { signal } = this.#options;
    const names = toHashIn(this.#folder, way);
    const { size } = await stat(names);
    const mostBytes = 64 * 1024 + 2 * size + HASH_LINE_BYTES * filesAsked(size);
    const into = await open(toldIn(this.#folder), 'a', OWNER_ONLY_FILE);
    try {
      const { folder, results } = this.#place;
      const mark = newMark();
      const ran = await this.#with.scripts.stream<string>(
        this.#connection,
        'hash-many.sh',
        {
          LEASEHOLD_MARK: mark,
          LEASEHOLD_FOLDER: folder,
          LEASEHOLD_RESULTS: results ?? '',
          LEASEHOLD_ODD: way === 'odd' ? 'yes' : '',
          LEASEHOLD_ALONE: way === 'alone' ? 'yes' : '',
        },
        createReadStream(names),
        {
          ...{ signal, timeoutMs: null },
          read: async (stdout) => {
            let [bytes, end] = [0, ''];
            for await (const piece of stdout) {
              bytes += piece.length;
              // SECURITY: a box that goes on telling is not listened to for ever.
              if (bytes > mostBytes) break;
              await into.writeFile(piece);
              end = (end + piece.toString('latin1')).slice(-END_CHARS);
              this.#tell({ hashedFiles: this.#progress.hashedFiles + linesIn(piece) });
            }
            return ok(end);
          },
        },
      );
      if (!ran.ok) return ran;
      return ran.value.value.endsWith(`${mark} whole\n`) ? ok(null) : err(notHashedWhole());
    } finally {
      await into.close();
    }
  }

  async #fold(isWhole: boolean): Promise<Result<null, Problem>> {
    if (!existsSync(toldIn(this.#folder))) return ok(null);
    return this.#with.workers.run('fold-told', { folder: this.#folder, isWhole });
  }

  #tell(more: Partial<ManifestProgress>): void {
    this.#progress = { ...this.#progress, ...more };
    this.#options.onProgress(this.#progress);
  }
}

export function manifestOf(
  { toHash, digest, files, bytes, others, unread }: Joined,
  about: Pick<Manifest, 'folder' | 'atMs' | 'tellsWrites'>,
): Manifest {
  return { ...about, digest, files, bytes, others, unread, unsettled: filesIn(toHash) };
}

const filesIn = (toHash: Readonly<Record<WayToHash, ToHash>>): number =>
  waysToHash.reduce((sum, way) => sum + toHash[way].files, 0);

/** No path is shorter than "./a" and its NUL. */
const filesAsked = (bytes: number): number => bytes / 4;

function linesIn(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function notHashedWhole(): Problem {
  const said = 'The box did not hash its files to the end.';
  return problem('results-not-read', said, {
    nextStep: 'Try again: what it has hashed is not hashed again.',
  });
}
