import { countStandings } from '../../shared/boxes/standing.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { formatCount } from '../ui/format.ts';

/** `7 boxes · 16 GPUs · 1 needs action, 5 working, 1 idle`. */
export function describeFleet(entries: readonly FleetEntry[]): string {
  const states = countStandings(entries);
  return [formatCount(entries.length, 'box', 'boxes'), describeGpuCount(entries), states]
    .filter((part) => part !== '')
    .join(' · ');
}

function describeGpuCount(entries: readonly FleetEntry[]): string {
  const known = entries.flatMap(({ gpus }) => (gpus === null ? [] : [gpus.length]));
  if (known.length === 0) return 'GPUs not read';
  const count = formatCount(
    known.reduce((total, each) => total + each, 0),
    'GPU',
  );
  return known.length === entries.length ? count : `${count} known`;
}
