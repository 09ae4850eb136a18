import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Tunnel } from '../../shared/tunnels/tunnel.ts';

/** Where a box's tunnels are kept. */
export interface TunnelStore {
  list(
    boxId: string,
  ): Result<{ readonly rows: readonly Tunnel[]; readonly unreadable: readonly Problem[] }, Problem>;
  /** Adds it or replaces it; its place in the list stays. */
  put(boxId: string, tunnel: Tunnel): Result<null, Problem>;
  remove(boxId: string, tunnelId: string): Result<null, Problem>;
}

/** For a box that lives no longer than this session: its tunnels do not either. */
export const SESSION_STORE: TunnelStore = {
  list: () => ok({ rows: [], unreadable: [] }),
  put: () => ok(null),
  remove: () => ok(null),
};
