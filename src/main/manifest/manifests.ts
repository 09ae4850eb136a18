import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest, ManifestChanges } from '../../shared/manifest/manifest.ts';
import { recordOf } from '../../shared/manifest/record.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile } from '../../shared/transfer/pull.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FILE } from '../storage/folder.ts';
import type { Workers } from '../workers/workers.ts';
import { LISTED, NEXT, PART } from './making.ts';
import { Making, manifestOf, type MakeOptions } from './make-manifest.ts';
import { ManifestStore, sweepUnfinished } from './manifest-store.ts';

/** Of which box, and which folder of it. */
export interface ManifestPlace extends ResultPlace {
  readonly boxId: string;
}

/** What a later look has found of a folder. */
export interface SinceManifest {
  /** As it is now; what is hashed in it is what the earlier one knew. */
  readonly now: Manifest;
  readonly changes: ManifestChanges;
}

export interface ManifestsOptions {
  /** In the data folder. */
  readonly folder: string;
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
}

/**
 * What folders of boxes hold, file by file: a box lists and hashes, and what it says goes through files of this computer, so that a million files
 * take no more memory than a thousand. What is made is kept under its digest, beside the evidence that names it.
 */
export class Manifests {
  readonly #options: ManifestsOptions;

  constructor(options: ManifestsOptions) {
    this.#options = options;
  }

  /** Of every file there its hash. What was hashed is not hashed again while it is the same version, also after a cut. */
  make(
    connection: SshConnection,
    place: ManifestPlace,
    options: MakeOptions,
  ): Promise<Result<Manifest, Problem>> {
    const store = this.#storeOf(place);
    return this.#guarded(async () => {
      const making = await store.resumed();
      if (making === null) return err(isBeingMade());
      try {
        const maker = new Making(this.#options, connection, place, making.folder, options);
        const made = await maker.make(store);
        if (!made.ok) return made;
        await store.keep(making.folder, made.value);
        await rm(join(making.folder, PART), { force: true });
        return made;
      } finally {
        await making.release();
      }
    });
  }

  /**
   * What has changed since that one: the box is listed, and nothing is hashed. A file that is as it was by all its times is taken for unchanged,
   * which says less where the disk does not tell each writing (`now.tellsWrites`).
   */
  since(
    connection: SshConnection,
    place: ManifestPlace,
    digest: string,
    options: MakeOptions,
  ): Promise<Result<SinceManifest, Problem>> {
    const store = this.#storeOf(place);
    return this.#guarded(async () => {
      if (!store.has(digest)) return err(notKept());
      const folder = await store.fresh();
      try {
        const maker = new Making(this.#options, connection, place, folder, options);
        const looked = await maker.look({ file: store.fileOf(digest), digest });
        if (!looked.ok) return looked;
        const { joined, now } = looked.value;
        if (joined.isSpoiled) return err(notKept());
        const files = { earlier: store.fileOf(digest), later: join(folder, NEXT) };
        const changes = await this.#options.workers.run('compare-manifests', files, {
          signal: options.signal,
        });
        return changes.ok ? ok({ now, changes: changes.value }) : changes;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** Of a list that was made already, with those hashes that a pull has proven. */
  keepPulled(
    place: ManifestPlace,
    listed: Buffer,
    files: readonly PulledFile[],
    about: Pick<Manifest, 'folder' | 'atMs' | 'tellsWrites'>,
  ): Promise<Result<Manifest, Problem>> {
    const store = this.#storeOf(place);
    return this.#guarded(async () => {
      const folder = await store.fresh();
      try {
        await writeFile(join(folder, LISTED), listed, { mode: OWNER_ONLY_FILE });
        await writeFile(join(folder, PART), recordsOf(files), { mode: OWNER_ONLY_FILE });
        const input = { folder, earlier: null, isRetrying: false };
        const joined = await this.#options.workers.run('join-manifest', input);
        if (!joined.ok) return joined;
        const { folder: from, atMs, tellsWrites } = about;
        const manifest = manifestOf(joined.value, { folder: from, atMs, tellsWrites });
        await store.keep(folder, manifest);
        return ok(manifest);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** At a start: what killed sessions have left half-made. */
  sweep(): Promise<Result<null, Problem>> {
    return this.#guarded(async () => {
      await sweepUnfinished(this.#options.folder);
      return ok(null);
    }, 'What killed sessions left of manifests was not removed');
  }

  #storeOf({ boxId, folder, results, began }: ManifestPlace): ManifestStore {
    const key = [boxId, folder, results, ...(began === undefined ? [] : [began])].join('\0');
    return new ManifestStore(this.#options.folder, key);
  }

  async #guarded<T>(
    act: () => Promise<Result<T, Problem>>,
    failed = 'The manifest could not be kept',
  ): Promise<Result<T, Problem>> {
    try {
      return await act();
    } catch (cause) {
      const { folder: file } = this.#options;
      return err(fileProblem(cause, { failed, file, otherwise: 'results-not-read' }));
    }
  }
}

/** In the order of their paths' bytes, which is not the one of their characters. */
function recordsOf(files: readonly PulledFile[]): Buffer {
  const records = files.flatMap((file) => {
    const { path, bytes, stamp, sha256, mark, isGrowing } = file;
    if (sha256 === null || stamp === undefined || mark !== 'equal' || isGrowing === true) return [];
    const bare = Buffer.from(path, 'utf8').toString('latin1');
    return [recordOf({ path: bare, sha256, version: `f ${String(bytes)} ${stamp}` })];
  });
  return Buffer.from(records.sort().join(''), 'latin1');
}

function isBeingMade(): Problem {
  return problem('results-not-read', 'The manifest of this folder is being made already.');
}

function notKept(): Problem {
  const said = 'This computer does not have that manifest, or not as it was made.';
  return problem('results-not-read', said, { nextStep: 'Bring the results home once more.' });
}
