import { session } from 'electron';
import type { FindProxies } from '../webhook/way-out.ts';

/** Holds no page, and knows the system's proxies: the session of the window's pages has been cut off from all of them. */
const ASKING = 'system-proxies';

/** What this machine's other programs would use: its settings, a script for proxies, or the environment (decision 25). */
export const systemProxies: FindProxies = (origin) =>
  session.fromPartition(ASKING).resolveProxy(origin);
