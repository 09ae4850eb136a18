import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { JobAnswer, JobKind, JobRequest, Jobs } from './jobs.ts';

const MAX_WORKERS = 2;
/** Besides: these wait for a network more than they work, and would hold up what is quick. */
const MAX_FOLLOWING = 2;
const MAX_WAITING = 64;
/** A worker is some 30 MB; the next job of a row finds it still there. */
const IDLE_MS = 10_000;

/** One worker, whatever it is made of. */
export interface WorkerHost {
  post(message: JobRequest): void;
  onMessage(listener: (message: JobAnswer) => void): void;
  /** Called once, however it ended. */
  onExit(listener: () => void): void;
  kill(): void;
}

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (doneBytes: number) => void;
}

interface Waiting {
  readonly request: JobRequest;
  readonly onProgress: (doneBytes: number) => void;
  readonly settle: (result: Result<Jobs[JobKind]['output'], Problem>) => void;
}

interface Worker {
  readonly host: WorkerHost;
  job: Waiting | null;
  idleTimer: NodeJS.Timeout | null;
}

/** Shares heavy work out to a few workers, one job each at a time. Whoever makes it closes it, and no worker outlives that. */
export class Workers {
  readonly #spawn: () => WorkerHost;
  readonly #workers = new Set<Worker>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(spawn: () => WorkerHost) {
    this.#spawn = spawn;
  }

  run<K extends JobKind>(
    kind: K,
    input: Jobs[K]['input'],
    { signal, onProgress = () => undefined }: RunJobOptions = {},
  ): Promise<Result<Jobs[K]['output'], Problem>> {
    if (this.#isClosed || signal?.aborted === true) return Promise.resolve(err(stopped()));
    const isFollowing = kind === 'prove-growing';
    const isFull = isFollowing
      ? this.#running(true) >= MAX_FOLLOWING
      : this.#queue.length >= MAX_WAITING;
    if (isFull) {
      return Promise.resolve(err(problem('worker-busy', 'Too much work is waiting already.')));
    }
    return new Promise((resolve) => {
      const job: Waiting = {
        // A kind and what that kind is given, which the types of both cannot say at once.
        request: { kind, input } as JobRequest,
        onProgress,
        settle: (result) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(result);
        },
      };
      const onAbort = (): void => this.#stop(job);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (isFollowing) this.#start(job);
      else {
        this.#queue.push(job);
        this.#serve();
      }
    });
  }

  /** Ends every worker and what it has under way. */
  close(): void {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) job.settle(err(stopped()));
    for (const worker of [...this.#workers]) this.#end(worker, stopped());
  }

  #serve(): void {
    while (this.#running(false) < MAX_WORKERS) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#start(job);
    }
  }

  #running(isFollowing: boolean): number {
    const jobs = [...this.#workers].flatMap(({ job }) => job ?? []);
    return jobs.filter(({ request }) => (request.kind === 'prove-growing') === isFollowing).length;
  }

  #start(job: Waiting): void {
    const worker = [...this.#workers].find((each) => each.job === null) ?? this.#add();
    if (worker.idleTimer !== null) clearTimeout(worker.idleTimer);
    worker.idleTimer = null;
    worker.job = job;
    worker.host.post(job.request);
  }

  #add(): Worker {
    const worker: Worker = { host: this.#spawn(), job: null, idleTimer: null };
    this.#workers.add(worker);
    worker.host.onMessage((answer) => this.#take(worker, answer));
    worker.host.onExit(() => this.#end(worker, ended()));
    return worker;
  }

  #take(worker: Worker, answer: JobAnswer): void {
    const { job } = worker;
    if (job === null) return;
    if (answer.kind === 'progress') {
      job.onProgress(answer.doneBytes);
      return;
    }
    worker.job = null;
    worker.idleTimer = setTimeout(() => this.#end(worker, stopped()), IDLE_MS);
    job.settle(
      answer.kind === 'done'
        ? ok(answer.output)
        : err(problem('job-failed', 'The work could not be done.', { detail: answer.message })),
    );
    this.#serve();
  }

  /** What computes looks at no message meanwhile, so its worker ends with it. */
  #stop(job: Waiting): void {
    const at = this.#queue.indexOf(job);
    if (at >= 0) this.#queue.splice(at, 1);
    const worker = [...this.#workers].find((each) => each.job === job);
    if (worker === undefined) job.settle(err(stopped()));
    else this.#end(worker, stopped());
  }

  #end(worker: Worker, because: Problem): void {
    if (!this.#workers.delete(worker)) return;
    if (worker.idleTimer !== null) clearTimeout(worker.idleTimer);
    worker.host.kill();
    worker.job?.settle(err(because));
    worker.job = null;
    this.#serve();
  }
}

function stopped(): Problem {
  return problem('aborted', 'The work was stopped.');
}

function ended(): Problem {
  return problem('worker-ended', 'The process that did this work ended before it was done.');
}
