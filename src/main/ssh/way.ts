import type { Duplex } from 'node:stream';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';

/** An open way to the port on which a machine answers SSH: directly, through other machines, a proxy or a command. */
export interface Way {
  readonly stream: Duplex;
  /** One round trip to the machine itself; null where only the first part of the way was measured. */
  readonly latencyMs: number | null;
  /** Another program reaches the machine at its address too. */
  readonly isDirect: boolean;
  /** Ends what keeps the way open besides the stream: a command, the connection to a jump host. */
  close(): void;
  /** What really happened, where the way knows better than the SSH library, which only saw its stream end. */
  explain(seen: Problem): Problem | Promise<Problem>;
}

export type OpenWay = (signal: AbortSignal) => Promise<Result<Way, Problem>>;
