import { session } from 'electron';
import type { FindProxies } from '../webhook/way-out.ts';

/** What this machine's other programs would use: its settings, a script for proxies, or the environment (decision 25). */
export const systemProxies: FindProxies = (origin) => session.defaultSession.resolveProxy(origin);
