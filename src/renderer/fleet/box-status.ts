import { judgeStanding, type Standing } from '../../shared/boxes/standing.ts';
import type { Problem } from '../../shared/problem.ts';
import { unreachable } from '../../shared/result.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { nextTryWords } from '../box/link-words.ts';
import { formatAge } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';

/** How a box stands, as rail, palette and fleet page show it. */
export interface BoxStatus {
  readonly tone: Tone;
  readonly word: string;
  /** What goes with the word: which try, how old. */
  readonly detail: string | null;
  /** The mean over its GPUs at present; null: unknown. */
  readonly smPct: number | null;
}

/** Broken hardware; everything else that went wrong with readings is a warning. */
const DANGEROUS: readonly Problem['code'][] = ['driver-broken', 'gpu-lost', 'gpu-tool-hangs'];

export function describeStatus(entry: FleetEntry, nowMs: number, isAsking = false): BoxStatus {
  const standing = judgeStanding(entry, isAsking);
  switch (standing.kind) {
    case 'not-connected':
      return status('off', 'not connected');
    case 'connecting':
      return status('wait', 'connecting');
    case 'asking':
      return status('warn', 'asks you', 'answer it');
    case 'retrying':
      return status('warn', 'reconnecting', nextTryWords(standing, nowMs));
    case 'host-key-unknown':
      return status('warn', 'key unknown', 'compare it');
    case 'host-key-changed':
      return status('danger', 'key changed', 'do not connect');
    case 'host-key-revoked':
      return status('danger', 'key revoked', 'do not connect');
    case 'stopped':
      return status('danger', 'disconnected', 'action needed');
    case 'sign-in-failed':
      return status('danger', 'sign-in failed', 'choose a key');
    case 'readings-failed':
      return describeFailure(standing.problem);
    case 'no-commands':
      return status('unknown', 'no commands');
    case 'readings-off':
      return status('unknown', 'readings off');
    case 'first-sample':
      return status('wait', 'first sample…');
    case 'stale':
      return status('warn', 'stale', `seen ${formatAge(nowMs - standing.seenAtMs)}`);
    case 'unreported':
      return status('unknown', 'load missing');
    case 'working':
      return load('ok', 'working', standing);
    case 'idle':
      return load('idle', 'idle', standing);
    case 'partly-reported':
      return load('unknown', 'partly reported', standing);
    default:
      return unreachable(standing);
  }
}

function describeFailure(problem: Problem): BoxStatus {
  const tone = DANGEROUS.includes(problem.code) ? 'danger' : 'warn';
  return status(tone, FAILURE_WORDS[problem.code] ?? 'no readings');
}

function status(tone: Tone, word: string, detail: string | null = null): BoxStatus {
  return { tone, word, detail, smPct: null };
}

function load(tone: Tone, word: string, { smPct }: Standing & { smPct: number }): BoxStatus {
  return { tone, word, detail: null, smPct };
}

const FAILURE_WORDS: Partial<Record<Problem['code'], string>> = {
  'no-gpu-tool': 'no nvidia-smi',
  'no-gpu': 'no GPU',
  'driver-not-loaded': 'no driver',
  'driver-mismatch': 'driver mismatch',
  'driver-broken': 'driver broken',
  'gpu-lost': 'GPU lost',
  'gpu-cut-off': 'GPU cut off',
  'gpu-denied': 'GPU denied',
  'gpu-stream-silent': 'readings silent',
  'gpu-stream-ended': 'readings ended',
  'gpu-tool-hangs': 'driver hangs',
};
