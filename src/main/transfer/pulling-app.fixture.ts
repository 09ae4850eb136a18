// An app that brings results home until it comes to a moment at which it tells so and stands still, for whoever kills it there.
import { dirname, join } from 'node:path';
import { err } from '../../shared/result.ts';
import { problem } from '../../shared/problem.ts';
import type { PullProgress } from '../../shared/transfer/pull.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { standStill, tell } from '../storage/disk.fixture.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { connectTo, runWith } from './pulling-link.fixture.ts';
import { ResultPuller } from './result-puller.ts';

/** As JSON, in one word: the private key of the test's sshd would be too much for a command line of its own. */
export interface PullingApp {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly results: string;
  readonly to: string;
  readonly until: keyof typeof MOMENTS;
}

const MOMENTS = {
  hashing: ({ stage }: PullProgress) => stage === 'hashing',
  'a large file': ({ doneBytes }: PullProgress) => doneBytes > 10 * 1024 * 1024,
  'the small ones': ({ doneFiles }: PullProgress) => doneFiles > 2,
  'looking again': ({ stage }: PullProgress) => stage === 'looking-again',
};

async function pull({ port, results, to, until, ...login }: PullingApp): Promise<void> {
  const connection = await connectTo(login, port);
  const workers = new Workers(sourceWorker);
  const puller = new ResultPuller({
    ...{ scripts: onboxScripts, workers },
    manifests: manifestsBelow(dirname(results), workers),
    targets: join(dirname(results), '.targets'),
  });
  const kept = await puller.plan(connection, runWith(results), to);
  if (!kept.ok) throw new Error(kept.error.message);
  const none = () => Promise.resolve(err(problem('not-connected', 'No other.')));
  const signal = new AbortController().signal;
  const onProgress = (progress: PullProgress): void => {
    if (!MOMENTS[until](progress)) return;
    tell(until);
    standStill();
  };
  await puller.pull(
    kept.value,
    { connection, connect: none, waitsMs: [] },
    { boxId: 'a box', signal, onProgress },
  );
  workers.close();
  connection.close();
}

void pull(JSON.parse(process.argv[2] ?? '') as PullingApp);
