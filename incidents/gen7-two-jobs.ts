import { cards, CALM_CPU, jobOn, MIG_CARD, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

const A = { gpu: 0, pid: 4711, name: '/usr/bin/python3', memoryMiB: 19_000 };
const B = { gpu: 0, pid: 9001, name: '/opt/eval/bin/python', memoryMiB: 12_000 };
const ONLY_B = { fields: { 'memory.used': 12_600 }, dmon: { fb: 12_600 } };
const BOTH = { fields: { 'memory.used': 32_000 }, dmon: { fb: 32_000 } };

export const gen7TwoJobs: readonly GpuIncident[] = [
  {
    id: 'GEN7',
    label: 'found',
    what: 'two runs on one card',
    seconds: 150,
    box: { ...training(), cards: [BOTH], processes: [A, B] },
  },
  {
    id: 'GEN7',
    label: 'found',
    what: 'a second run joins on the last of four cards',
    seconds: 200,
    box: training(4),
    later: [
      {
        fromS: 50,
        box: { cards: [...cards(3), BOTH], processes: [...jobOn(4), { ...B, gpu: 3 }] },
      },
    ],
  },
  {
    id: 'GEN7',
    label: 'clear',
    what: 'each run has its own card',
    seconds: 150,
    box: { ...training(2), cards: [{}, ONLY_B], processes: [A, { ...B, gpu: 1 }] },
  },
  {
    id: 'GEN7',
    label: 'clear',
    what: 'a run and a monitor with a small context',
    seconds: 150,
    box: { ...training(), processes: [A, { ...B, name: 'dcgmi', memoryMiB: 320 }] },
  },
  {
    id: 'GEN7',
    label: 'clear',
    what: 'one run leaves while the next one comes',
    seconds: 200,
    box: { ...training(), processes: [A] },
    later: [
      { fromS: 55, box: { cards: [BOTH], processes: [A, B] } },
      { fromS: 85, box: { cards: [ONLY_B], processes: [B] } },
    ],
  },
  {
    id: 'GEN7',
    label: 'unknown',
    what: 'two processes whose memory is not told',
    seconds: 150,
    box: {
      ...training(),
      processes: [
        { ...A, memoryMiB: '[N/A]' },
        { ...B, memoryMiB: '[N/A]' },
      ],
    },
  },
  {
    id: 'GEN7',
    label: 'unknown',
    what: 'the processes are not told',
    seconds: 150,
    box: { ...training(), processes: 'not-told' },
  },
  {
    id: 'GEN7',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 150,
    box: { cards: [MIG_CARD], processes: [A, B], cpu: CALM_CPU },
  },
];
