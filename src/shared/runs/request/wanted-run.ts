import type { QueueRequest } from '../queue/queue-cell.ts';
import type { RunRequest } from '../launch/run-request.ts';

/** All that a request file says. */
export interface WantedRun {
  /** Of a queue: what its cells share. Its command is then the first cell's. */
  readonly request: RunRequest;
  /** Null: the command of the request is all that runs. */
  readonly queue: QueueRequest | null;
}
