import {
  CALM_CPU,
  IDLE_CPU,
  cards,
  jobOn,
  MIG_CARD,
  RESTING,
  RESTING_CARD,
  training,
} from './gpu/cards.ts';
import type { Card } from './gpu/gpu-incident.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

const ORPHANED: Card = { fields: { 'memory.used': 21_000 }, dmon: { ...RESTING, fb: 21_000 } };

export const u11Orphan: readonly GpuIncident[] = [
  {
    id: 'U11',
    label: 'found',
    what: 'a crashed job left 20 GiB, and nobody is listed',
    seconds: 150,
    box: { cards: [ORPHANED], processes: [], cpu: IDLE_CPU, isContainer: false },
  },
  {
    id: 'U11',
    label: 'found',
    what: 'the job dies at a minute and its memory stays',
    seconds: 240,
    box: training(2),
    later: [{ fromS: 60, box: { cards: cards(2, ORPHANED), processes: [], cpu: IDLE_CPU } }],
  },
  {
    id: 'U11',
    label: 'found',
    what: 'on the last card only, beside three that train',
    also: ['straggler'],
    seconds: 240,
    box: { ...training(4), cards: [...cards(3), ORPHANED], processes: jobOn(3) },
  },
  {
    id: 'U11',
    label: 'found',
    what: 'a fresh job of 5 GB is listed, and 40 GB more are held by nobody',
    seconds: 200,
    box: {
      ...training(),
      cards: [{ fields: { 'memory.used': 46_000 }, dmon: { fb: 46_000 } }],
      processes: jobOn(1, 5000),
    },
  },
  { id: 'U11', label: 'clear', what: 'all that is held is listed', seconds: 150, box: training(2) },
  {
    id: 'U11',
    label: 'clear',
    what: 'the context of a listed job takes 600 MiB more than its list says',
    seconds: 150,
    box: { ...training(), processes: jobOn(1, 19_218) },
  },
  {
    id: 'U11',
    label: 'clear',
    what: 'a job begins: its memory is there before the list names it',
    seconds: 170,
    box: { cards: [RESTING_CARD], processes: [], cpu: IDLE_CPU },
    later: [
      { fromS: 62, box: { cards: [{}], cpu: CALM_CPU } },
      { fromS: 80, box: { processes: jobOn(1) } },
    ],
  },
  {
    id: 'U11',
    label: 'clear',
    what: 'an old driver counts 450 MiB of its own',
    seconds: 150,
    box: {
      cards: [{ fields: { 'memory.used': 450 }, dmon: { ...RESTING, fb: 450 } }],
      processes: [],
      cpu: IDLE_CPU,
    },
  },
  {
    id: 'U11',
    label: 'clear',
    what: 'listed processes whose memory is not told',
    seconds: 150,
    box: { ...training(), processes: [{ gpu: 0, pid: 4711, name: 'python3', memoryMiB: '[N/A]' }] },
  },
  {
    id: 'U11',
    label: 'unknown',
    what: 'the processes are not told',
    seconds: 150,
    box: { ...training(), processes: 'not-told' },
  },
  {
    id: 'U11',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 150,
    box: { ...training(), cards: [MIG_CARD], processes: [] },
  },
];
