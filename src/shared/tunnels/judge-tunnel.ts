import { unreachable } from '../result.ts';
import type { TunnelRow } from './tunnel.ts';

/** How often a tunnel that somebody looks at is asked. */
export const CHECK_EVERY_MS = 30_000;
/** An answer older than this proves nothing about now: two checks were missed, and a little more for a slow box. */
export const FRESH_MS = 75_000;
/** A clock that was set back makes answers come from the future; a second is only two clocks' difference. */
const CLOCK_SLACK_MS = 1000;

/**
 * How a tunnel stands. Only `answered` may be shown green: something came back through it lately. `stale` answered once,
 * `unproven` listens but never got an answer, `silent` was accepted by a far end that said nothing.
 */
export type TunnelHealth =
  | 'answered'
  | 'stale'
  | 'silent'
  | 'unproven'
  | 'checking'
  | 'no-answer'
  | 'refused'
  | 'opening'
  | 'waiting'
  | 'port-taken'
  | 'failed'
  | 'stopped';

export function judgeTunnel(row: TunnelRow, nowMs: number): TunnelHealth {
  const { state } = row;
  switch (state.kind) {
    case 'stopped':
    case 'waiting':
    case 'opening':
    case 'port-taken':
    case 'failed':
      return state.kind;
    case 'listening':
      return judgeListening(row, nowMs);
    default:
      return unreachable(state);
  }
}

function judgeListening(
  { answeredAtMs, check, isChecking }: TunnelRow,
  nowMs: number,
): TunnelHealth {
  const isNewest = check !== null && check.atMs >= (answeredAtMs ?? -Infinity);
  if (isNewest && check.outcome === 'failed') {
    return check.problem?.code === 'forward-refused' ? 'refused' : 'no-answer';
  }
  if (isNewest && check.outcome === 'accepted')
    return isFresh(check.atMs, nowMs) ? 'silent' : 'stale';
  if (answeredAtMs !== null) return isFresh(answeredAtMs, nowMs) ? 'answered' : 'stale';
  return isChecking ? 'checking' : 'unproven';
}

function isFresh(atMs: number, nowMs: number): boolean {
  const ageMs = nowMs - atMs;
  return ageMs >= -CLOCK_SLACK_MS && ageMs <= FRESH_MS;
}
