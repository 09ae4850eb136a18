import { pathToFileURL } from 'node:url';
import { threadWorker } from './thread-worker.ts';
import type { WorkerHost } from './workers.ts';

export const WORKER_SOURCE = new URL('./worker.ts', import.meta.url);

/** Names the file in the environment of the tests, and of the processes that they start. */
export const BUILT_WORKER = 'LEASEHOLD_TEST_WORKER';

/** The worker as it stands in the sources, built by `test-builds.fixture.ts`. */
export function sourceWorker(): WorkerHost {
  const file = process.env[BUILT_WORKER];
  if (file === undefined) throw new Error('nobody has built the worker');
  return threadWorker(pathToFileURL(file));
}
