import { isNoCommands } from '../../shared/boxes/flavour/no-commands.ts';
import { unreachable } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { formatAge, formatDuration } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';
import { meanOf, readCurrent } from './current-figures.ts';

/** How a box stands. */
export interface BoxStatus {
  readonly tone: Tone;
  readonly word: string;
  /** What goes with the word: which try, how old. */
  readonly detail: string | null;
  /** The mean over its GPUs at present; null: unknown. */
  readonly smPct: number | null;
}

/** Broken hardware or a changed key; everything else that went wrong is a warning. */
const DANGEROUS: readonly Problem['code'][] = ['driver-broken', 'host-key-changed'];

/** What the rail and the fleet page say of a box. Judged from what is fresh: an old figure is not shown as the present. */
export function judgeBoxStatus(entry: FleetEntry, nowMs: number, isAsking = false): BoxStatus {
  const { link } = entry;
  switch (link.kind) {
    case 'idle':
      return status('off', 'not connected');
    case 'connecting':
      return isAsking ? status('warn', 'asks you', 'answer it') : status('wait', 'connecting');
    case 'waiting': {
      const leftMs = link.retryAtMs - nowMs;
      const next = leftMs > 0 ? `next in ${formatDuration(leftMs)}` : 'now';
      return status('warn', 'link down', `try ${link.attempt}, ${next}`);
    }
    case 'host-key-unknown':
      return status('warn', 'key unknown', 'compare it');
    case 'host-key-changed':
      return status('danger', 'key changed', 'do not connect');
    case 'host-key-revoked':
      return status('danger', 'key revoked', 'do not connect');
    case 'down':
      return status('danger', 'link down', 'needs you');
    case 'up':
      return judgeGpus(entry, nowMs);
    default:
      return unreachable(link);
  }
}

function judgeGpus(entry: FleetEntry, nowMs: number): BoxStatus {
  const { telemetry, latest } = entry;
  if (telemetry.kind === 'failed') {
    const { code } = telemetry.problem;
    // No fault of the box: this way in is for terminals. What its GPUs do is unknown.
    if (isNoCommands(telemetry.problem)) return status('unknown', 'no commands');
    return status(
      DANGEROUS.includes(code) ? 'danger' : 'warn',
      FAILURE_WORDS[code] ?? 'no readings',
    );
  }
  if (telemetry.kind === 'off') return status('unknown', 'readings off');
  const current = readCurrent(entry, nowMs);
  if (current === null) {
    return latest === null
      ? status('wait', 'first sample…')
      : status('warn', 'stale', `seen ${formatAge(nowMs - latest.atMs)}`);
  }
  const smPct = meanOf(current, 'smPct');
  if (smPct === null) return status('unknown', 'SM not reported');
  if (smPct > 0) return { tone: 'ok', word: 'working', detail: null, smPct };
  // A GPU that does not report may be the one that works.
  const isIdle = current.every((reading) => reading.smPct === 0);
  return isIdle
    ? { tone: 'idle', word: 'idle', detail: null, smPct }
    : { tone: 'unknown', word: 'partly reported', detail: null, smPct };
}

function status(tone: Tone, word: string, detail: string | null = null): BoxStatus {
  return { tone, word, detail, smPct: null };
}

const FAILURE_WORDS: Partial<Record<Problem['code'], string>> = {
  'no-gpu-tool': 'no nvidia-smi',
  'no-gpu': 'no GPU',
  'driver-broken': 'driver broken',
};
