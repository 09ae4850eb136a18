import { Worker } from 'node:worker_threads';
import type { WorkerHost } from './workers.ts';

/** Work goes in pieces; who needs more than this has a fault. */
const MAX_MEMORY_MB = 256;

/** A worker as a thread: it ends with its process. What it dies of is one fault for its owner, whatever it says. */
export function threadWorker(file: URL): WorkerHost {
  const thread = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  thread.on('error', () => undefined); // followed by its exit
  return {
    post: (message) => thread.postMessage(message),
    onMessage: (listener) => void thread.on('message', listener),
    onExit: (listener) => void thread.once('exit', listener),
    kill: () => void thread.terminate(),
  };
}
