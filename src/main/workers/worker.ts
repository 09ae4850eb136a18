// What runs in a worker, which is a process of its own in the window and a thread elsewhere.
import { parentPort as threadPort } from 'node:worker_threads';
import { doJob } from './do-job.ts';
import type { JobAnswer, JobRequest } from './jobs.ts';

/** Electron gives a process of its own this port; there a message comes wrapped. */
interface ProcessPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

async function work(job: JobRequest, answer: (answer: JobAnswer) => void): Promise<void> {
  try {
    const output = await doJob(job, (doneBytes) => answer({ kind: 'progress', doneBytes }));
    answer({ kind: 'done', output });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    answer({ kind: 'failed', code: code ?? null, message });
  }
}

const { parentPort: processPort } = process as unknown as { readonly parentPort?: ProcessPort };
if (processPort !== undefined) {
  processPort.on('message', ({ data }) => {
    void work(data as JobRequest, (answer) => processPort.postMessage(answer));
  });
} else {
  threadPort?.on('message', (request: JobRequest) => {
    void work(request, (answer) => threadPort?.postMessage(answer));
  });
}
