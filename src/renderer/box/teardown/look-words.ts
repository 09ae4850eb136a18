import type { LookPart, LookProgress } from '../../../shared/teardown/teardown-view.ts';
import { formatCount } from '../../ui/format.ts';

const PARTS: Readonly<Record<Exclude<LookPart, 'runs' | 'results' | 'elsewhere'>, string>> = {
  queues: 'Checking its queues…',
  sweeps: 'Comparing its sweeps with their rosters…',
  processes: 'Checking its processes…',
  judging: 'Comparing with your copies…',
};

/** What a look at the box has found so far, and what it is at. */
export function lookWords({ part, runs, files, elsewhere }: LookProgress): string {
  if (part === 'runs' || runs === null) return 'Asking the box for its runs…';
  const found = `${formatCount(runs, 'run')}, ${formatCount(files, 'file')} of results.`;
  if (part === 'results') {
    return `${formatCount(runs, 'run')}. Listing results: ${formatCount(files, 'file')} so far…`;
  }
  return part === 'elsewhere'
    ? `${found} Searching besides the results: ${formatCount(elsewhere, 'file')} so far…`
    : `${found} ${PARTS[part]}`;
}
