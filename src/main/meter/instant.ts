import { uptime } from 'node:os';
import type { Instant } from '../../shared/meter/box-recorder.ts';

/** The machine's count since its start goes on while it sleeps, and nobody sets it. */
export function readInstant(): Instant {
  return { wallMs: Date.now(), upMs: Math.round(uptime() * 1000) };
}
