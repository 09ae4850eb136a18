// What runs in a worker, which is a process of its own in the window and a thread elsewhere.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { parentPort as threadPort } from 'node:worker_threads';
import { checkSweepText } from '../runs/sweep/sweep-text.ts';
import type { JobAnswer, JobKind, JobRequest, Jobs } from './jobs.ts';

const PIECE_BYTES = 1024 * 1024;
/** Often enough for a bar that moves. */
const PROGRESS_EVERY_BYTES = 16 * PIECE_BYTES;

/** Electron gives a process of its own this port; there a message comes wrapped. */
interface ProcessPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

async function hashFile(
  { path }: Jobs['sha256-file']['input'],
  tell: (doneBytes: number) => void,
): Promise<Jobs['sha256-file']['output']> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let sizeBytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return { sha256: hash.digest('hex'), sizeBytes };
      hash.update(piece.subarray(0, bytesRead));
      sizeBytes += bytesRead;
      if (sizeBytes % PROGRESS_EVERY_BYTES === 0) tell(sizeBytes);
    }
  } finally {
    await file.close();
  }
}

async function outputOf(
  job: JobRequest,
  tell: (doneBytes: number) => void,
): Promise<Jobs[JobKind]['output']> {
  switch (job.kind) {
    case 'sha256-file':
      return hashFile(job.input, tell);
    case 'check-sweep':
      return checkSweepText(job.input.text, job.input.ref);
  }
}

async function work(job: JobRequest, answer: (answer: JobAnswer) => void): Promise<void> {
  try {
    const output = await outputOf(job, (doneBytes) => answer({ kind: 'progress', doneBytes }));
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
