import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { formatCount } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';
import { judgeBoxStatus } from './box-status.ts';

const GROUPS: readonly { readonly word: string; readonly tones: readonly Tone[] }[] = [
  { word: 'working', tones: ['ok'] },
  { word: 'idle', tones: ['idle'] },
  { word: 'in trouble', tones: ['warn', 'danger'] },
  { word: 'unknown', tones: ['wait', 'unknown'] },
  { word: 'not connected', tones: ['off'] },
];

/** `7 boxes · 16 GPUs · 5 working, 1 idle, 1 in trouble`. */
export function describeFleet(entries: readonly FleetEntry[], nowMs: number): string {
  const tones = entries.map((entry) => judgeBoxStatus(entry, nowMs).tone);
  const states = GROUPS.flatMap((group) => {
    const count = tones.filter((tone) => group.tones.includes(tone)).length;
    return count === 0 ? [] : [`${count} ${group.word}`];
  });
  return [formatCount(entries.length, 'box', 'boxes'), describeGpuCount(entries), states.join(', ')]
    .filter((part) => part !== '')
    .join(' · ');
}

function describeGpuCount(entries: readonly FleetEntry[]): string {
  const known = entries.flatMap(({ gpus }) => (gpus === null ? [] : [gpus.length]));
  if (known.length === 0) return 'GPUs unknown';
  const count = formatCount(
    known.reduce((total, each) => total + each, 0),
    'GPU',
  );
  return known.length === entries.length ? count : `${count} known`;
}
