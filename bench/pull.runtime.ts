// Runs in Electron's own runtime, as main does: brings results home over a link that is open already, and one file as ssh2 does it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
// eslint-disable-next-line leasehold/import-direction -- what we compare with
import { Client } from 'ssh2';
import { problem } from '../src/shared/problem.ts';
import { err } from '../src/shared/result.ts';
import type { LaunchedRun } from '../src/shared/runs/launch/launched-run.ts';
import { wayWords } from '../src/shared/transfer/pull-way.ts';
import { isUnchanged } from '../src/shared/manifest/manifest.ts';
import { isAllHome } from '../src/shared/transfer/home-look.ts';
import type { RunProof } from '../src/shared/transfer/pull.ts';
import { lookHome } from '../src/main/transfer/home-look.ts';
import type { MakeOptions } from '../src/main/manifest/make-manifest.ts';
import { Manifests } from '../src/main/manifest/manifests.ts';
import { OnboxScripts } from '../src/main/onbox/onbox-scripts.ts';
import { ResultPuller } from '../src/main/transfer/result-puller.ts';
import { threadWorker } from '../src/main/workers/thread-worker.ts';
import { Workers } from '../src/main/workers/workers.ts';
import { linkTo, type BenchServer } from './link-to.ts';

export interface PullSetUp extends BenchServer {
  /** Of the on-box scripts. */
  readonly scripts: string;
  /** The worker as it was built. */
  readonly worker: string;
  /** Where manifests are kept. */
  readonly manifests: string;
}

export type PullOrder =
  | { readonly kind: 'pull'; readonly results: string; readonly to: string }
  /** Of what the last pull brought: whether it still is all home. */
  | { readonly kind: 'home'; readonly results: string }
  /** What a folder holds, hashed; and whether it still does. */
  | { readonly kind: 'manifest' | 'since'; readonly results: string }
  | { readonly kind: 'fast-get'; readonly file: string; readonly to: string }
  /** So many bytes of nothing: how fast this runtime hashes, which bounds what it can prove. */
  | { readonly kind: 'hash'; readonly megabytes: number };

export interface PullAnswer {
  readonly ms: number;
  /** What carried the bytes, in the words of the window. */
  readonly over: string;
  /** For how long main was busy at a time, at most. */
  readonly stalledMs: number;
  /** Until a manifest first says how many files there are. */
  readonly firstMs: number;
}

process.once('message', (message) => void run(message as PullSetUp));

const runWith = (results: string): LaunchedRun => ({
  ...{ id: 'r-20270115-080000-0a1b2c3d', name: 'bench', command: 'true', folder: results, results },
  ...{ overridden: [], place: '/nowhere', detacher: 'tmux', launchedAtMs: 0, process: null },
  status: { kind: 'done', exitCode: 0, atMs: 0, lacksSuccessLine: false },
  log: null,
});

function hashMegabytes(count: number): void {
  const hash = createHash('sha256');
  const megabyte = Buffer.alloc(1_000_000);
  for (let at = 0; at < count; at += 1) hash.update(megabyte);
  hash.digest();
}

async function run(setUp: PullSetUp): Promise<void> {
  const connection = await linkTo(setUp);
  const scripts = new OnboxScripts(setUp.scripts);
  const workers = new Workers(() => threadWorker(pathToFileURL(setUp.worker)));
  const manifests = new Manifests({ scripts, workers, folder: setUp.manifests });
  const targets = join(setUp.manifests, 'targets');
  const puller = new ResultPuller({ scripts, workers, manifests, targets });

  const boxId = 'bench';
  let proof: RunProof | null = null;
  let digest = '';

  async function pull(results: string, to: string): Promise<string> {
    const over = new Set<string>();
    const kept = await puller.plan(connection, runWith(results), to);
    if (!kept.ok) throw new Error(kept.error.message);
    const connect = () => Promise.resolve(err(problem('not-connected', 'There is no other.')));
    const done = await puller.pull(
      kept.value,
      { connection, connect, waitsMs: [] },
      {
        boxId,
        signal: new AbortController().signal,
        onProgress: ({ way }) => void (way === undefined || over.add(wayWords(way))),
      },
    );
    if (!done.ok) throw new Error(done.error.message);
    const short = done.value.files.find(({ mark }) => mark !== 'equal');
    if (short !== undefined) throw new Error(`${short.path}: ${short.says ?? short.mark}`);
    proof = { atMs: Date.now(), seq: 1, hash: '', report: done.value };
    return [...over].join(', then ');
  }

  async function home(results: string): Promise<void> {
    if (proof === null) throw new Error('Nothing was brought home.');
    const at = { boxId, run: runWith(results), proof };
    const look = await lookHome(connection, manifests, at, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    if (!look.ok) throw new Error(look.error.message);
    if (!isAllHome(look.value)) throw new Error(JSON.stringify(look.value));
  }

  async function manifest(kind: 'manifest' | 'since', results: string): Promise<number> {
    const place = { boxId, folder: results, results };
    const beganMs = performance.now();
    let firstMs = NaN;
    const options: MakeOptions = {
      signal: new AbortController().signal,
      onProgress: ({ listedFiles }) => {
        if (listedFiles > 0 && Number.isNaN(firstMs)) firstMs = performance.now() - beganMs;
      },
    };
    if (kind === 'manifest') {
      const made = await manifests.make(connection, place, options);
      if (!made.ok) throw new Error(`${made.error.message} ${made.error.detail ?? ''}`);
      ({ digest } = made.value);
    } else {
      const since = await manifests.since(connection, place, digest, options);
      if (!since.ok) throw new Error(`${since.error.message} ${since.error.detail ?? ''}`);
      if (!isUnchanged(since.value.changes)) throw new Error('Something has changed.');
    }
    return firstMs;
  }

  function fastGet(file: string, to: string): Promise<void> {
    const client = new Client();
    return new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('ready', () => {
        client.sftp((refused, sftp) => {
          if (refused) reject(refused);
          else sftp.fastGet(file, to, (failed) => (failed ? reject(failed) : resolve()));
        });
      });
      const { sshdPort: port, user: username, privateKey } = setUp;
      client.connect({ host: '127.0.0.1', port, username, privateKey, hostVerifier: () => true });
    }).finally(() => client.end());
  }

  async function time(order: PullOrder): Promise<PullAnswer> {
    let [stalledMs, beatMs] = [0, performance.now()];
    const beat = setInterval(() => {
      const nowMs = performance.now();
      stalledMs = Math.max(stalledMs, nowMs - beatMs);
      beatMs = nowMs;
    }, 5);
    const beganMs = performance.now();
    let over = 'over ssh2';
    let firstMs = NaN;
    if (order.kind === 'pull') over = await pull(order.results, order.to);
    else if (order.kind === 'home') await home(order.results);
    else if (order.kind === 'fast-get') await fastGet(order.file, order.to);
    else if (order.kind === 'hash') hashMegabytes(order.megabytes);
    else firstMs = await manifest(order.kind, order.results);
    const ms = performance.now() - beganMs;
    clearInterval(beat);
    return { ms, over, stalledMs, firstMs };
  }

  process.on('message', (message) => {
    if (message === 'end') {
      workers.close();
      connection.close();
      void connection.closed.then(() => process.exit(0));
    } else void time(message as PullOrder).then((answer) => process.send?.(answer));
  });
  process.send?.('ready');
}
