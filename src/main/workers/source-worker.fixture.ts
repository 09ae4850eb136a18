import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { threadWorker } from './thread-worker.ts';
import type { WorkerHost } from './workers.ts';

/** The worker as it stands in the sources: a thread is given no loader from outside. */
const TSX = new URL(
  'dist/esm/api/index.mjs',
  pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json')),
).href;
const SOURCE = new URL('./worker.ts', import.meta.url).href;
const ENTRY = new URL(
  `data:text/javascript,import{register}from'${TSX}';register();await import('${SOURCE}');`,
);

export const sourceWorker = (): WorkerHost => threadWorker(ENTRY);
