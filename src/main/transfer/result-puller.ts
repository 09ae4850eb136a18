import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { atStakeIn, type ResultList } from '../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import type { FateAt } from '../../shared/transfer/fate.ts';
import type { SaidRule } from '../../shared/transfer/keep-rules.ts';
import { placeOfResults, type ResultRoot } from '../../shared/transfer/result-root.ts';
import { isSameFile } from '../../shared/transfer/file-version.ts';
import { isVanished, VANISHED } from '../../shared/transfer/vanished.ts';
import type { PulledFile, PullReport } from '../../shared/transfer/pull.ts';
import type { Manifests } from '../manifest/manifests.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { mapInTurns } from '../streams/in-turns.ts';
import { listApart } from './apart.ts';
import { holdTarget } from './hold-target.ts';
import { OnePull, type PullingWith, type PullOptions } from './one-pull.ts';
import { overRetries, type Retrying } from './over-retries.ts';
import { noRoom, notListedWhole, planPull, type KeptPull } from './plan-pull.ts';
import { listed } from './pulled-file.ts';
import { proveSets } from './prove-sets.ts';

export interface PullerMeans extends PullingWith {
  readonly manifests: Pick<Manifests, 'keepPulled'>;
  /** Where it is kept which folders here pulls are under way to (`holdTarget`). */
  readonly targets: string;
}

export interface PullBox {
  readonly boxId: string;
}

/** What a pull has found in the end, and the list that it was held against, as the box told it. */
interface Came {
  readonly files: readonly PulledFile[];
  readonly list: ResultList;
  readonly listed: Buffer;
}

/** Which connections it goes over. */
export type PullOver = Pick<Retrying<unknown>, 'connection' | 'connect' | 'waitsMs'>;

/** Brings the results of runs home, and proves each file: by its hash, and by loading it as what it is. */
export class ResultPuller {
  readonly #with: PullerMeans;

  constructor(means: PullerMeans) {
    this.#with = means;
  }

  /** Lists what there is, and compares it with what is here. Nothing is different on either side afterwards. */
  async plan(
    connection: SshConnection,
    run: ResultRoot,
    to: string,
    fates: Promise<FateAt | null> = Promise.resolve(null),
    rules: readonly SaidRule[] = [],
  ): Promise<Result<KeptPull, Problem>> {
    const all = { bounds: LONG_LIST };
    const place = placeOfResults(run);
    const found = await listApart(to, () =>
      listResults(connection, this.#with.scripts, place, all),
    );
    return found.ok ? planPull(run, found.value, to, await fates, rules) : found;
  }

  /** Cut off anywhere it goes on over another connection, and done again later, by what lies here: what is proven is not sent twice. */
  async pull(
    kept: KeptPull,
    over: PullOver,
    options: PullOptions & PullBox,
  ): Promise<Result<PullReport, Problem>> {
    const held = await holdTarget(this.#with.targets, kept.shown.to);
    if (!held.ok) return held;
    try {
      return await this.#pull(kept, over, options);
    } finally {
      held.value();
    }
  }

  async #pull(
    kept: KeptPull,
    over: PullOver,
    { boxId, ...options }: PullOptions & PullBox,
  ): Promise<Result<PullReport, Problem>> {
    const pull = new OnePull(this.#with, kept, options);
    const { run, shown, round } = kept;
    const all = await overRetries({
      ...{ ...over, signal: options.signal },
      act: (connection) => this.#all(connection, kept, pull, options.signal),
      mark: () => pull.count.mostBytes,
      onWait: (retry, goOn) => {
        options.onWait?.(goOn);
        pull.count.tell('waiting', retry);
      },
    });
    if (!all.ok) {
      const { code, detail } = all.error;
      // A round's has its own rule for how full the disk may be.
      return code === 'disk-full' && round === undefined ? err(await noRoom(shown, detail)) : all;
    }
    const { files, list, listed } = all.value;
    const sets = await proveSets(this.#with.workers, { root: shown.to, files }, options.signal);
    const place = { boxId, ...placeOfResults(run) };
    const manifest = await this.#with.manifests.keepPulled(place, listed, files, list);
    if (!manifest.ok) return manifest;
    return ok({
      runId: run.id,
      runName: nameOf(run),
      from: shown.from,
      to: shown.to,
      tellsWrites: kept.tellsWrites,
      manifest: manifest.value.digest,
      files,
      sets,
    });
  }

  async #all(
    connection: SshConnection,
    { run, round }: KeptPull,
    pull: OnePull,
    signal: AbortSignal,
  ): Promise<Result<Came, Problem>> {
    const files = await pull.go(connection);
    if (!files.ok) return files;
    pull.count.tell('looking-again');
    let listed: Buffer = Buffer.alloc(0);
    const again = await listResults(connection, this.#with.scripts, placeOfResults(run), {
      ...{ bounds: LONG_LIST, signal },
      onListed: (records) => (listed = records),
    });
    if (!again.ok) return again;
    // Of what is behind the cut nobody knows whether it is still as it was hashed.
    if (again.value.isCut) return err(notListedWhole());
    const all = [...files.value, ...(round?.others ?? [])];
    const judged = await lookedAgain(all, again.value, round?.growing ?? NONE);
    return ok({ files: judged, list: again.value, listed });
  }
}

/** What changed or came on the box in the meantime is not what was proven. */
async function lookedAgain(
  files: readonly PulledFile[],
  list: ResultList,
  growing: ReadonlySet<string>,
): Promise<readonly PulledFile[]> {
  const left = new Map(atStakeIn(list).map((each) => [each.path, each]));
  const hasVanished = isVanished(files, list);
  const judged = await mapInTurns(files, (file): PulledFile => {
    const there = left.get(file.path);
    left.delete(file.path);
    // Nothing was proven of it, and what it says stands.
    if (file.level === 'listed') return file;
    if (there === undefined) {
      return {
        ...file,
        mark: 'missing-there',
        says: hasVanished ? VANISHED : 'The box does not have it any more.',
      };
    }
    const isSame = isSameFile(there, file);
    if (!isSame && growing.has(file.path) && there.bytes >= file.bytes) {
      return { ...file, isGrowing: true };
    }
    return isSame
      ? file
      : {
          ...file,
          mark: 'differs',
          says: 'It was written to on the box after it was hashed.',
        };
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

const NONE: ReadonlySet<string> = new Set();
