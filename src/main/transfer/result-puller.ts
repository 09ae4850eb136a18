import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Problem, ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun, ResultList } from '../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import type { PulledFile, PullFile, PullProgress, PullReport } from '../../shared/transfer/pull.ts';
import type { Loaded } from '../../shared/verify/loaded.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { listResults } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { Workers } from '../workers/workers.ts';
import { BoxTree } from './box-tree.ts';
import {
  dropPart,
  fetchFile,
  isThere,
  makeFolders,
  nameProven,
  notWritten,
  partOf,
} from './fetch-file.ts';
import { planPull, type KeptPull } from './plan-pull.ts';
import { proveSets } from './prove-sets.ts';
import { readResultBytes } from './result-bytes.ts';

/** Small files wait for the box more than they take from it. */
const FILES_AT_ONCE = 4;

export interface PullOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
}

/** Brings the results of runs home, and proves each file: by its hash, and by loading it as what it is. */
export class ResultPuller {
  readonly #scripts: OnboxScripts;
  readonly #workers: Pick<Workers, 'run'>;

  constructor(scripts: OnboxScripts, workers: Pick<Workers, 'run'>) {
    this.#scripts = scripts;
    this.#workers = workers;
  }

  /** Lists what there is, and compares it with what is here. Changes nothing on either side. */
  async plan(
    connection: SshConnection,
    run: LaunchedRun,
    to: string,
  ): Promise<Result<KeptPull, Problem>> {
    const listed = await listResults(connection, this.#scripts, run);
    return listed.ok ? planPull(run, listed.value, to) : listed;
  }

  /** Cut off anywhere and done again, it goes on: what is proven already is not sent twice. */
  async pull(
    connection: SshConnection,
    kept: KeptPull,
    options: PullOptions,
  ): Promise<Result<PullReport, Problem>> {
    const { run, shown } = kept;
    const pull = new OnePull(
      { connection, scripts: this.#scripts, workers: this.#workers },
      kept,
      options,
    );
    const hashed = await this.#hashes(connection, kept, options);
    if (!hashed.ok) return hashed;
    const files = await pull.all(hashed.value);
    if (!files.ok) return files;
    const came = { root: shown.to, files: files.value };
    const sets = await proveSets(this.#workers, came, options.signal);
    pull.tell('looking-again');
    const again = await listResults(connection, this.#scripts, run, options.signal);
    if (!again.ok) return again;
    return ok({
      runId: run.id,
      runName: nameOf(run),
      from: shown.from,
      to: shown.to,
      manifest: manifestOf(shown.files, hashed.value),
      files: lookedAgain(files.value, again.value),
      sets,
    });
  }

  /** What the box says that is in each file, before any of it is sent. */
  async #hashes(
    connection: SshConnection,
    { run, shown: { from, files } }: KeptPull,
    { signal, onProgress }: PullOptions,
  ): Promise<Result<ReadonlyMap<string, string>, Problem>> {
    const wanted = files.filter(({ refused }) => refused === null);
    onProgress({ runId: run.id, stage: 'hashing', ...NOTHING_DONE, ...sizeOf(wanted) });
    const box = new BoxTree({ scripts: this.#scripts, folder: from, isRehashing: true, signal });
    const looked = await box.look(
      connection,
      wanted.map(({ path }) => path),
    );
    if (!looked.ok) return looked;
    const hashes = new Map<string, string>();
    for (const [path, seen] of looked.value.seen) {
      if (seen.kind === 'file' && seen.sha256 !== null) hashes.set(path, seen.sha256);
    }
    return ok(hashes);
  }
}

const NOTHING_DONE = { doneFiles: 0, doneBytes: 0 };

const sizeOf = (files: readonly PullFile[]): Pick<PullProgress, 'files' | 'bytes'> => ({
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
});

interface PullingWith {
  readonly connection: SshConnection;
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
}

/** One pull, from its first file to its last. */
class OnePull {
  readonly #with: PullingWith;
  readonly #kept: KeptPull;
  readonly #options: PullOptions;
  /** Told with every piece: of ten thousands of files it is summed up once. */
  readonly #size: Pick<PullProgress, 'files' | 'bytes'>;
  #doneFiles = 0;
  #doneBytes = 0;

  constructor(means: PullingWith, kept: KeptPull, options: PullOptions) {
    this.#with = means;
    this.#kept = kept;
    this.#options = options;
    this.#size = sizeOf(kept.shown.files.filter(({ refused }) => refused === null));
  }

  tell(stage: PullProgress['stage']): void {
    const [doneFiles, doneBytes] = [this.#doneFiles, this.#doneBytes];
    const runId = this.#kept.run.id;
    this.#options.onProgress({ runId, stage, doneFiles, doneBytes, ...this.#size });
  }

  /** A fault of one file is told of that file; one of the link or of the disk here ends them all. */
  async all(hashes: ReadonlyMap<string, string>): Promise<Result<readonly PulledFile[], Problem>> {
    const { files } = this.#kept.shown;
    const done = new Array<PulledFile | null>(files.length).fill(null);
    const waiting = files.entries();
    let fault: Problem | null = null;
    const one = async (): Promise<void> => {
      for (const [place, file] of waiting) {
        if (fault !== null) return;
        const pulled = await this.#one(file, hashes.get(file.path) ?? null);
        if (pulled.ok) done[place] = pulled.value;
        else fault ??= pulled.error;
      }
    };
    this.tell('pulling');
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, one));
    return fault === null ? ok(done.filter((each) => each !== null)) : err(fault);
  }

  async #one(file: PullFile, sha256: string | null): Promise<Result<PulledFile, Problem>> {
    const pulled = await this.#prove(file, sha256);
    if (file.refused === null) this.#doneFiles += 1;
    this.tell('pulling');
    return pulled;
  }

  async #prove(file: PullFile, sha256: string | null): Promise<Result<PulledFile, Problem>> {
    if (file.refused !== null) return ok(listed(file, 'missing-here', file.refused));
    if (sha256 === null) {
      return ok(listed(file, 'could-not-read', 'The box could not read it.'));
    }
    const place = join(this.#kept.shown.to, ...file.path.split('/'));
    const part = partOf(place);
    const { connection, scripts } = this.#with;
    try {
      const made = await makeFolders(this.#kept.shown.to, file.path);
      if (!made.ok) return made;
      if (await isThere(place)) return await this.#proveOld(file, sha256, place);
      const fetched = await fetchFile({
        read: (from, most, take) =>
          readResultBytes(connection, scripts, {
            ...{ folder: this.#kept.shown.from, path: file.path },
            ...{ from, most, take, signal: this.#options.signal },
          }),
        part,
        bytes: file.bytes,
        onBytes: (bytes) => {
          this.#doneBytes += bytes;
          this.tell('pulling');
        },
      });
      if (!fetched.ok) {
        return OF_ONE_FILE.has(fetched.error.code)
          ? ok(listed(file, 'could-not-read', fetched.error.message))
          : fetched;
      }
      const read = await this.#read(part, file.path);
      if (!read.ok) return read;
      if (read.value.sha256 !== sha256) {
        await dropPart(part);
        return ok(listed(file, 'differs', OTHER_BYTES));
      }
      const named = await nameProven(part, place);
      if (!named.ok) return named;
      return ok(named.value ? proven(file, read.value) : listed(file, 'differs', IN_THE_WAY));
    } catch (cause) {
      return err(notWritten(cause, place));
    }
  }

  /** What stands here already is never written over. */
  async #proveOld(
    file: PullFile,
    sha256: string,
    place: string,
  ): Promise<Result<PulledFile, Problem>> {
    const read = await this.#read(place, file.path);
    if (!read.ok) return read;
    this.#doneBytes += file.bytes;
    return ok(
      read.value.sha256 === sha256 ? proven(file, read.value) : listed(file, 'differs', IN_THE_WAY),
    );
  }

  #read(path: string, name: string): Promise<Result<Read, Problem>> {
    const { signal } = this.#options;
    return this.#with.workers.run('prove-file', { path, name: basename(name) }, { signal });
  }
}

interface Read {
  readonly sha256: string;
  readonly loaded: Loaded | null;
}

/** These are said of the file that was asked for; the rest is about the link, the box or this disk. */
const OF_ONE_FILE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'no-such-file',
  'file-denied',
  'file-failed',
  'file-name-unusable',
  'results-not-pulled',
]);

const OTHER_BYTES =
  'What arrived is not what the box had hashed: it was written to meanwhile, or the bytes were changed on the way.';
const IN_THE_WAY = 'Another file stands here under its name. It was left as it is.';

function listed(file: About, mark: PulledFile['mark'], says: string): PulledFile {
  return { ...about(file), mark, level: 'listed', sha256: null, loaded: null, says };
}

function proven(file: PullFile, { sha256, loaded }: Read): PulledFile {
  const level = loaded?.kind === 'loaded' ? 'loaded' : 'hashed';
  return { ...about(file), mark: 'equal', level, sha256, loaded, says: null };
}

type About = Pick<PullFile, 'path' | 'bytes' | 'modifiedAtMs' | 'keep'>;

const about = ({ path, bytes, modifiedAtMs, keep }: About): About => ({
  ...{ path, bytes, modifiedAtMs, keep },
});

/** What changed or came on the box in the meantime is not what was proven. */
function lookedAgain(
  files: readonly PulledFile[],
  { files: now }: ResultList,
): readonly PulledFile[] {
  const left = new Map(now.map((each) => [each.path, each]));
  const judged = files.map((file): PulledFile => {
    const there = left.get(file.path);
    left.delete(file.path);
    // Nothing was proven of it, and what it says stands.
    if (file.level === 'listed') return file;
    if (there === undefined) {
      return { ...file, mark: 'missing-there', says: 'The box does not have it any more.' };
    }
    const isSame =
      there.bytes === file.bytes && Math.abs(there.modifiedAtMs - file.modifiedAtMs) < SAME_TIME_MS;
    return isSame
      ? file
      : { ...file, mark: 'differs', says: 'It was written to on the box after it was hashed.' };
  });
  const came = [...left.values()].map((file) =>
    listed(
      { ...file, keep: 'unknown' },
      'missing-here',
      'It came while the others were brought home.',
    ),
  );
  return [...judged, ...came];
}

/** The box tells seconds, and when they were is worked out from its clock at each look. */
const SAME_TIME_MS = 3000;

function manifestOf(files: readonly PullFile[], hashes: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of files) {
    hash.update(`${hashes.get(path) ?? '-'} ${String(bytes)} ${path}\0`);
  }
  return hash.digest('hex');
}
