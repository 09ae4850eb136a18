import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile, PullFile, PullProgress } from '../../shared/transfer/pull.ts';
import { passingCheckpoint } from '../../shared/transfer/continuous/round-rule.ts';
import { versionOf } from '../../shared/transfer/file-version.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { flushFolder } from '../storage/atomic-file.ts';
import type { Workers } from '../workers/workers.ts';
import { BoxHashes } from './box-hashes.ts';
import {
  dropTwin,
  fetchFile,
  isThere,
  nameProven,
  notWritten,
  partOf,
  type Fetched,
} from './fetch-file.ts';
import { fetchMany } from './fetch-many.ts';
import { makeFolders, makeRoot } from './make-folders.ts';
import { beginFromCopy, nameNext, type KnownCopy } from './next-version.ts';
import { slowestOf, type Pace } from './pace.ts';
import { Packing } from './packing.ts';
import { PartReader, type Following } from './part-reader.ts';
import type { KeptPull } from './plan-pull.ts';
import { PullCarrier, type CarrierBounds } from './pull-carrier.ts';
import { PullCount } from './pull-count.ts';
import { loadsOf, type Load } from './pull-loads.ts';
import { IN_THE_WAY, listed, NOT_HASHED, ofFile, OTHER_BYTES, proven } from './pulled-file.ts';
import { receiveInPieces } from './receive-in-pieces.ts';
import { hashOfBeginning, readResultBytes } from './result-bytes.ts';
import { waited } from './waited.ts';

/** Small files wait for the box more than they take from it. */
const LOADS_AT_ONCE = 4;
/** From a box that is far as little comes before it is known whether it is worth compressing for. */
const FIRST_FAR_BYTES = 1024 * 1024;

export interface PullOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
  /** A lost connection is waited for; `goOn` tries the next one at once. */
  readonly onWait?: (goOn: () => void) => void;
  /** Absent: as fast as it goes. */
  readonly paces?: readonly Pace[];
}

export interface PullingWith {
  readonly scripts: OnboxScripts;
  readonly workers: Pick<Workers, 'run'>;
  readonly carrierBounds?: CarrierBounds;
}

/** One pull, from its first file to its last, over as many connections as it takes: what is settled stays so. */
export class OnePull {
  readonly hashes = new BoxHashes();
  readonly #with: PullingWith;
  readonly #kept: KeptPull;
  readonly #options: PullOptions;
  readonly #wanted: readonly PullFile[];
  readonly #settled = new Map<string, PulledFile>();
  #hasRoot = false;
  /** How far it is. */
  readonly count: PullCount;

  constructor(means: PullingWith, kept: KeptPull, options: PullOptions) {
    this.#with = means;
    this.#kept = kept;
    this.#options = options;
    this.#wanted = kept.shown.files.filter(({ refused }) => refused === null);
    this.count = new PullCount(kept, this.#wanted, options);
    for (const file of kept.shown.files) {
      const { path, refused } = file;
      if (refused !== null) this.#settled.set(path, listed(file, 'missing-here', refused));
    }
  }

  /**
   * The box hashes while files come: a large one would wait for its own hash for as long as it takes to send. A fault of one file is told of
   * that file; one of the link or of the disk here ends them all.
   */
  async go(connection: SshConnection): Promise<Result<readonly PulledFile[], Problem>> {
    this.count.tell('hashing');
    // Once: over the next connection, a disk that went away meanwhile is not written past.
    const made = this.#hasRoot ? ok(null) : await makeRoot(this.#kept.shown.to);
    if (!made.ok) return made;
    this.#hasRoot = true;
    // The oldest runtime has no AbortSignal.any.
    const stopper = new AbortController();
    const stop = (): void => stopper.abort();
    this.#options.signal.addEventListener('abort', stop);
    if (this.#options.signal.aborted) stop();
    const open = this.#wanted.filter(({ path }) => !this.#settled.has(path));
    const carrier = await this.#carrier(connection, open, stopper.signal);
    try {
      const packing = new Packing({
        slowBytesPerS: carrier.slowBytesPerS,
        limitBytesPerS: slowestOf(this.#paces),
        onPacks: (packs) => this.count.packs(packs),
      });
      const over = new Over(connection, carrier, packing, this.#with.workers, stopper.signal);
      return await this.#go(over, open, stop);
    } finally {
      this.count.tellRest();
      await carrier.close();
      this.#options.signal.removeEventListener('abort', stop);
    }
  }

  #carrier(
    connection: SshConnection,
    open: readonly PullFile[],
    signal: AbortSignal,
  ): Promise<PullCarrier> {
    const { carrierBounds: bounds } = this.#with;
    return PullCarrier.open({
      ...{ connection, signal, ...(bounds === undefined ? {} : { bounds }) },
      bytes: open.reduce((sum, { missingBytes }) => sum + missingBytes, 0),
      isLimited: slowestOf(this.#paces) !== null,
      onWay: (way) => this.count.goesBy(way),
    });
  }

  async #go(
    over: Over,
    open: readonly PullFile[],
    stop: () => void,
  ): Promise<Result<readonly PulledFile[], Problem>> {
    let fault: Problem | null = null;
    const failed = (because: Problem): void => {
      fault ??= because;
      stop();
    };
    const loads = this.#loadsOf(open, over.carrier.isFar ? FIRST_FAR_BYTES : undefined);
    const lane = async (): Promise<void> => {
      for (let load = loads.shift(); load !== undefined; load = loads.shift()) {
        if (fault !== null) return;
        const rest = await this.#take(over, load);
        if (!rest.ok) failed(rest.error);
        else loads.unshift(...rest.value.map((file): Load => ({ kind: 'one', file })));
      }
    };
    await Promise.all([
      this.#hash(over, open).then((hashed) => {
        if (!hashed.ok) failed(hashed.error);
      }),
      ...Array.from({ length: LOADS_AT_ONCE }, lane),
    ]);
    if (fault !== null) return err(fault);
    return ok(this.#kept.shown.files.flatMap(({ path }) => this.#settled.get(path) ?? []));
  }

  /** What takes the place of an earlier version, or of which only a beginning can be proven, comes by itself. */
  #loadsOf(open: readonly PullFile[], firstBytes?: number): Load[] {
    if (this.#account === undefined) return loadsOf(open, firstBytes);
    const isOwn = (file: PullFile): boolean =>
      this.#isGrowing(file) || this.#copiesOf(file).length > 0;
    return [
      ...open.filter(isOwn).map((file): Load => ({ kind: 'one', file })),
      ...loadsOf(
        open.filter((file) => !isOwn(file)),
        firstBytes,
      ),
    ];
  }

  get #account() {
    return this.#kept.round ?? this.#kept.byHand;
  }

  #copiesOf({ path }: PullFile): readonly KnownCopy[] {
    return this.#account?.copiesOf(path) ?? [];
  }

  #isGrowing({ path }: PullFile): boolean {
    return this.#kept.round?.growing.has(path) === true;
  }

  #hash({ connection, signal }: Over, open: readonly PullFile[]): Promise<Result<null, Problem>> {
    return this.hashes.ask(connection, {
      ...{ scripts: this.#with.scripts, folder: this.#kept.shown.from, signal },
      fromMs: this.#kept.hashFromMs,
      paths: open.filter((file) => !this.#isGrowing(file)).map(({ path }) => path),
      onHashed: (path) => this.count.hashed(path),
    });
  }

  /** What is left of it to be taken one by one. */
  async #take(over: Over, load: Load): Promise<Result<readonly PullFile[], Problem>> {
    if (load.kind === 'one') {
      const pulled = await this.#prove(over, load.file);
      if (pulled.ok) this.#settle(pulled.value);
      return pulled.ok ? ok([]) : pulled;
    }
    const { files, no } = load;
    const { connection, carrier, packing, signal } = over;
    const counted = this.count.counter();
    try {
      const settled = await fetchMany({
        ...{ ...this.#with, connection, carrier, packing, signal },
        ...{ from: this.#kept.shown.from, to: this.#kept.shown.to, no, files },
        hashesOf: (wanted) => this.hashes.ofAll(wanted),
        onNaming: (named) =>
          this.#note(named.map(({ file, sha256 }) => ({ file, sha256, before: null }))),
        onBytes: counted.add,
        onPace: (bytes) => this.#pace(bytes, signal),
      });
      counted.undo();
      if (!settled.ok) return settled;
      const rest: PullFile[] = [];
      for (const [at, file] of files.entries()) {
        const end = settled.value[at] ?? null;
        if (end === null || end.kind === 'not-settled') {
          rest.push(file);
          continue;
        }
        this.count.has(file);
        if (end.kind === 'in-the-way') this.#settle(listed(file, 'differs', IN_THE_WAY));
        else {
          const { loaded, writtenNs } = end;
          const sha256 = this.hashes.told.get(file.path) ?? '';
          this.#settle(proven(file, { sha256, loaded, writtenNs }));
        }
      }
      return ok(rest);
    } catch (cause) {
      return err(notWritten(cause, this.#kept.shown.to));
    }
  }

  get #paces(): readonly Pace[] {
    return this.#options.paces ?? [];
  }

  async #pace(bytes: number, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#paces.map((pace) => pace.take(bytes, signal)));
  }

  #settle(file: PulledFile): void {
    this.#settled.set(file.path, file);
    this.count.settled();
  }

  async #prove(over: Over, file: PullFile): Promise<Result<PulledFile, Problem>> {
    const place = join(this.#kept.shown.to, ...file.path.split('/'));
    try {
      const made = await makeFolders(this.#kept.shown.to, file.path);
      if (!made.ok) return made;
      if (!(await isThere(place))) return await this.#proveNew(over, file, place);
      const copy = await this.#standing(over, place, this.#copiesOf(file));
      if (!copy.ok) return ofFile(file, copy.error);
      return copy.value === null
        ? await this.#proveOld(over, file, place)
        : await this.#proveNext(over, file, copy.value);
    } catch (cause) {
      return err(notWritten(cause, place));
    }
  }

  /** A beginning need not be what its name says: it is only hashed. */
  #nameOf(file: PullFile): string | null {
    return this.#isGrowing(file) ? null : file.path;
  }

  /** What is in it on the box; of one that grows, in as much of it as was listed. */
  async #hashOf(over: Over, file: PullFile): Promise<Result<string | null, Problem>> {
    if (!this.#isGrowing(file)) return ok(await this.hashes.of(file.path));
    const { path, bytes: most } = file;
    await waited(this.#kept.hashFromMs - performance.now(), over.signal);
    return hashOfBeginning(over.connection, this.#with.scripts, {
      ...{ folder: this.#kept.shown.from, path, most, signal: over.signal },
    });
  }

  /** Of what was brought under a name, or was about to be, what stands there now; null: none of it. */
  async #standing(
    over: Over,
    place: string,
    copies: readonly KnownCopy[],
  ): Promise<Result<KnownCopy | null, Problem>> {
    const [only = null, ...more] = copies;
    const there = await lstat(place);
    if (more.length === 0 || !there.isFile()) return ok(only);
    const sha256 = await this.#sha256Of(over, place);
    return sha256.ok ? ok(copies.find((copy) => copy.sha256 === sha256.value) ?? null) : sha256;
  }

  async #sha256Of({ signal }: Over, path: string): Promise<Result<string, Problem>> {
    const hashed = await this.#with.workers.run('prove-file', { path, name: null }, { signal });
    return hashed.ok ? ok(hashed.value.sha256) : hashed;
  }

  #note(
    files: readonly {
      readonly file: PullFile;
      readonly sha256: string;
      readonly before: KnownCopy | null;
    }[],
  ): Result<null, Problem> {
    if (this.#account === undefined) return ok(null);
    // By hand nothing else goes on.
    const kept = this.#kept.round === undefined ? files.filter(({ file }) => canGrow(file)) : files;
    if (kept.length === 0) return ok(null);
    const namings = kept.map(({ file, sha256, before }) => ({
      ...{ path: file.path, before, copy: { ...versionOf(file), sha256 } },
    }));
    return this.#account.note(namings);
  }

  /** A version after the one that an earlier pull brought. */
  async #proveNext(
    over: Over,
    file: PullFile,
    copy: KnownCopy,
  ): Promise<Result<PulledFile, Problem>> {
    const { to } = this.#kept.shown;
    const place = join(to, ...file.path.split('/'));
    dropTwin(place, await lstat(place));
    const sha256 = await this.#hashOf(over, file);
    if (!sha256.ok) return ofFile(file, sha256.error);
    // Its times alone have changed.
    if (sha256.value === copy.sha256) return this.#proveOld(over, file, place);
    const isGrowing = canGrow(file);
    if (isGrowing && file.bytes > copy.bytes) await beginFromCopy(partOf(place), place);
    return this.#proveNew(over, file, place, copy, (part) =>
      nameNext({
        ...{ part, to, path: file.path, copy, canGrow: isGrowing },
        isByHand: this.#kept.round === undefined,
        hashOf: (path) => this.#sha256Of(over, path),
      }),
    );
  }

  /** What stands here already is never written over. SECURITY: a link, which may lead to the box’s own file, is no copy of it. */
  async #proveOld(over: Over, file: PullFile, place: string): Promise<Result<PulledFile, Problem>> {
    const there = await lstat(place);
    if (!there.isFile()) return ok(listed(file, 'differs', IN_THE_WAY));
    dropTwin(place, there);
    const sha256 = await this.#hashOf(over, file);
    if (!sha256.ok) return ofFile(file, sha256.error);
    if (sha256.value === null) return ok(listed(file, 'could-not-read', NOT_HASHED));
    const read = await over.reader.read(place, this.#nameOf(file));
    if (!read.ok) return ofFile(file, read.error);
    this.count.has(file);
    if (read.value.sha256 !== sha256.value) return ok(listed(file, 'differs', IN_THE_WAY));
    // Whoever gave it its name may have been cut off before that was on the disk.
    await flushFolder(dirname(place));
    return ok(proven(file, read.value));
  }

  async #proveNew(
    over: Over,
    file: PullFile,
    place: string,
    before: KnownCopy | null = null,
    name = (part: string) => nameProven(part, place),
  ): Promise<Result<PulledFile, Problem>> {
    const part = partOf(place);
    for (;;) {
      const counted = this.count.counter();
      const following = over.reader.follow(part, this.#nameOf(file), file.bytes);
      try {
        const fetched = await this.#fetch(over, file, {
          part,
          following,
          onBytes: counted.add,
        });
        if (!fetched.ok) {
          counted.undo();
          return ofFile(file, fetched.error);
        }
        const sha256 = await this.#hashOf(over, file);
        if (!sha256.ok) return ofFile(file, sha256.error);
        if (sha256.value === null) return ok(listed(file, 'could-not-read', NOT_HASHED));
        const read = await following.read(fetched.value.isAsItGrew);
        if (!read.ok) return ofFile(file, read.error);
        if (read.value.sha256 === sha256.value) {
          const noted = this.#note([{ file, sha256: sha256.value, before }]);
          if (!noted.ok) return noted;
          const isNamed = await name(part);
          if (!isNamed.ok) return isNamed;
          // Nobody would ever take it up again.
          if (!isNamed.value) await rm(part, { force: true });
          await flushFolder(dirname(place));
          return ok(isNamed.value ? proven(file, read.value) : listed(file, 'differs', IN_THE_WAY));
        }
        await rm(part, { force: true });
        // The part was of an earlier version, or a power cut took some of it: as a whole it may be right.
        if (fetched.value.resumedBytes === 0) return ok(listed(file, 'differs', OTHER_BYTES));
        counted.undo();
      } finally {
        following.end();
      }
    }
  }

  #fetch(
    over: Over,
    { path, bytes }: PullFile,
    {
      part,
      following,
      onBytes,
    }: {
      readonly part: string;
      readonly following: Following;
      readonly onBytes: (bytes: number) => void;
    },
  ): Promise<Result<Fetched, Problem>> {
    const { scripts } = this.#with;
    const asked = { folder: this.#kept.shown.from, path, signal: over.signal };
    const { inFlightBytes } = over.carrier;
    return fetchFile({
      receive: (from, most) =>
        receiveInPieces(over.carrier, scripts, { ...asked, from, most, into: part, onBytes }),
      read: (from, most, take) =>
        readResultBytes(over.connection, scripts, {
          ...{ ...asked, from, most, inFlightBytes },
          take: async (piece) => {
            await this.#pace(piece.length, over.signal);
            await take(piece);
          },
        }),
      ...{ part, bytes, onBytes },
      onGrowing: () => following.begin(),
    });
  }
}

/** A log, a table: what is only added to. */
const canGrow = ({ path, keep }: PullFile): boolean => passingCheckpoint(path, keep) === null;

/** What a pull goes over at the moment. */
class Over {
  readonly connection: SshConnection;
  readonly carrier: PullCarrier;
  readonly packing: Packing;
  readonly signal: AbortSignal;
  readonly reader: PartReader;
  constructor(
    connection: SshConnection,
    carrier: PullCarrier,
    packing: Packing,
    workers: Pick<Workers, 'run'>,
    signal: AbortSignal,
  ) {
    this.connection = connection;
    this.carrier = carrier;
    this.packing = packing;
    this.reader = new PartReader(workers, signal);
    this.signal = signal;
  }
}
