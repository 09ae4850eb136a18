import { parseOomKills } from '../probes/oom-kill.ts';
import { readPairs, whole } from '../probes/word-lines.ts';
import { parseKernelLog } from '../probes/xid.ts';
import type { KernelLook } from './patrol-look.ts';

/** The script tells no more, and how many it left out. */
const MAX_LINES = 20;

/** Reads the section `kernel` of parts/kernel-tables.sh. Null: it was not told. */
export function readKernel(text: string | null): KernelLook {
  const pairs = readPairs(text ?? '');
  const lines = (pairs.get('line') ?? []).slice(-MAX_LINES).join('\n');
  const toS = stamp(pairs.get('to')?.[0]);
  return {
    closedBecause: closedBecause(text, pairs.get('closed')?.[0], toS),
    oomKills: parseOomKills(lines).rows,
    gpuEvents: parseKernelLog(lines).rows,
    fromS: stamp(pairs.get('from')?.[0]),
    toS,
    leftOut: whole(pairs.get('left_out')?.[0]) ?? 0,
  };
}

function closedBecause(
  text: string | null,
  closed: string | undefined,
  toS: number | null,
): string | null {
  if (text === null) return 'the box did not tell of its kernel log';
  if (closed === 'missing') return 'this box has no `dmesg`';
  if (closed !== undefined) return 'the kernel log is closed to this user';
  return toS === null ? 'the kernel log is empty, or its lines have no stamps' : null;
}

/** awk writes what it has read as a number, a large one perhaps as 1.2e+06. */
function stamp(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}(?:\.\d{1,9})?(?:e\+?\d{1,2})?$/.test(text)
    ? Number(text)
    : null;
}
