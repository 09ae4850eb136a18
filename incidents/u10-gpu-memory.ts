import { cards, jobOn, MIG_CARD, CALM_CPU, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u10GpuMemory: readonly GpuIncident[] = [
  {
    id: 'U10',
    label: 'found',
    what: 'one job leaves 1.4 % of the card',
    seconds: 60,
    box: {
      ...training(),
      cards: [{ fields: { 'memory.used': 79_900 }, dmon: { fb: 79_900 } }],
      processes: jobOn(1, 79_300),
    },
  },
  {
    id: 'U10',
    label: 'found',
    what: 'a second job takes what the first left',
    also: ['GEN7'],
    seconds: 150,
    box: {
      ...training(),
      cards: [{ fields: { 'memory.used': 52_000 }, dmon: { fb: 52_000 } }],
      processes: jobOn(1, 51_500),
    },
    later: [
      {
        fromS: 30,
        box: {
          cards: [{ fields: { 'memory.used': 80_200 }, dmon: { fb: 80_200 } }],
          processes: [
            { gpu: 0, pid: 4711, name: '/usr/bin/python3', memoryMiB: 51_500 },
            { gpu: 0, pid: 5822, name: '/opt/eval/bin/python', memoryMiB: 28_200 },
          ],
        },
      },
    ],
  },
  {
    id: 'U10',
    label: 'found',
    what: 'only the third of four cards is full',
    seconds: 60,
    box: {
      ...training(4),
      cards: cards(4).map((card, i) =>
        i === 2 ? { fields: { 'memory.used': 80_600 }, dmon: { fb: 80_600 } } : card,
      ),
    },
  },
  {
    id: 'U10',
    label: 'clear',
    what: 'a framework keeps 90 % of the card as its pool',
    seconds: 60,
    box: {
      ...training(),
      cards: [{ fields: { 'memory.used': 73_400 }, dmon: { fb: 73_400 } }],
      processes: jobOn(1, 72_900),
    },
  },
  {
    id: 'U10',
    label: 'clear',
    what: 'a peak of three seconds in each minute',
    seconds: 150,
    box: {
      ...training(),
      cards: [
        { dmon: (second) => ({ fb: second % 60 >= 40 && second % 60 < 43 ? 80_900 : 61_000 }) },
      ],
      processes: jobOn(1, 60_000),
    },
  },
  {
    id: 'U10',
    label: 'clear',
    what: 'it was full, and the job ended',
    seconds: 120,
    box: {
      ...training(),
      cards: [{ fields: { 'memory.used': 80_600 }, dmon: { fb: 80_600 } }],
      processes: jobOn(1, 80_000),
    },
    later: [{ fromS: 60, box: training() }],
  },
  {
    id: 'U10',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 60,
    box: { ...training(), cards: [MIG_CARD], cpu: CALM_CPU },
  },
  {
    id: 'U10',
    label: 'unknown',
    what: 'the driver does not tell how large the card is',
    seconds: 60,
    box: { ...training(), cards: [{ fields: { 'memory.total': '[N/A]' } }] },
  },
];
