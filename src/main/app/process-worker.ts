import { utilityProcess } from 'electron';
import { withDiskThreads } from '../workers/disk-threads.ts';
import type { WorkerHost } from '../workers/workers.ts';

/** As for a thread. */
const MAX_MEMORY_MB = 256;

/** A worker as a process of its own: what it dies of does not touch main, and it ends with main, however that ends. */
export function processWorker(file: string): WorkerHost {
  const child = utilityProcess.fork(file, [], {
    serviceName: 'Leasehold worker',
    execArgv: [`--max-old-space-size=${String(MAX_MEMORY_MB)}`],
    env: withDiskThreads(process.env),
    stdio: 'ignore',
  });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', () => listener()),
    kill: () => void child.kill(),
  };
}
