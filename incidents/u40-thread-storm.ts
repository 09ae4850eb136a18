import { cards, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

const STORM = { quotaCpus: 12, hostCpus: 64, usedCpus: 11.9, throttledPct: 78, threads: 420 };
const HUNGRY = { sm: 8, pwr: 150 };

export const u40ThreadStorm: readonly GpuIncident[] = [
  {
    id: 'U40',
    label: 'found',
    what: '420 threads share 12 of 64 CPUs',
    seconds: 150,
    box: { ...training(), cards: [{ dmon: HUNGRY }], cpu: STORM },
  },
  {
    id: 'U40',
    label: 'found',
    what: 'on four cards, with half a core as the quota',
    seconds: 150,
    box: {
      ...training(4),
      cards: cards(4, { dmon: { sm: 5, pwr: 140 } }),
      cpu: { ...STORM, quotaCpus: 0.5, usedCpus: 0.5, threads: 64 },
    },
  },
  {
    id: 'U40',
    label: 'found',
    what: 'it begins with the second run',
    seconds: 240,
    box: training(),
    later: [{ fromS: 60, box: { cards: [{ dmon: HUNGRY }], cpu: STORM } }],
  },
  {
    id: 'U40',
    label: 'clear',
    what: 'the whole machine is the box’s',
    also: ['U24'],
    seconds: 150,
    box: {
      ...training(),
      cards: [{ dmon: { sm: 13, pwr: 160 } }],
      cpu: { ...STORM, quotaCpus: null, throttledPct: 0 },
    },
  },
  {
    id: 'U40',
    label: 'clear',
    what: 'many threads that rest',
    also: ['U24'],
    seconds: 150,
    box: {
      ...training(),
      cards: [{ dmon: { sm: 13, pwr: 160 } }],
      cpu: { ...STORM, usedCpus: 3, throttledPct: 1 },
    },
  },
  {
    id: 'U40',
    label: 'clear',
    what: 'held back often, and the cards are fed all the same',
    seconds: 150,
    box: { ...training(), cpu: STORM },
  },
  {
    id: 'U40',
    label: 'clear',
    what: 'few threads on a small slice',
    also: ['U24'],
    seconds: 150,
    box: { ...training(), cards: [{ dmon: { sm: 13, pwr: 160 } }], cpu: { ...STORM, threads: 14 } },
  },
  {
    id: 'U40',
    label: 'unknown',
    what: 'nothing tells of the CPUs',
    seconds: 150,
    box: { ...training(), cpu: null },
  },
  {
    id: 'U40',
    label: 'unknown',
    what: 'a container that shows no control group: its limit is not known',
    seconds: 150,
    box: { ...training(), cards: [{ dmon: HUNGRY }], cpu: 'no-group' },
  },
];
