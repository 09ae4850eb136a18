import type { QueueRequest } from '../queue/queue-cell.ts';
import type { RunRequest } from '../launch/run-request.ts';
import type { WantedSweep } from './wanted-sweep.ts';

/** All that a request file says. */
export interface WantedRun {
  /** Of a queue: what its cells share. Its command is then the first cell's. */
  readonly request: RunRequest;
  /** Null: the command of the request is all that runs. */
  readonly queue: QueueRequest | null;
  /** It is a sweep: the request is what its cells share, with the command of the first. */
  readonly sweep?: WantedSweep;
}
