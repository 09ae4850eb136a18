import {
  CALM_CPU,
  cards,
  IDLE_CPU,
  MIG_CARD,
  RESTING_CARD,
  takingTurns,
  training,
  WAITING,
  WAITING_CARD,
} from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u38CpuBound: readonly GpuIncident[] = [
  {
    id: 'U38',
    label: 'found',
    what: 'a job holds 19 GB and works on one CPU',
    seconds: 150,
    box: { ...training(), cards: [WAITING_CARD], cpu: { ...CALM_CPU, usedCpus: 1.1, threads: 12 } },
  },
  {
    id: 'U38',
    label: 'found',
    what: 'a kernel each half minute, and eight CPUs at work',
    seconds: 180,
    box: {
      ...training(),
      cards: [{ dmon: takingTurns(30, 1, { ...WAITING, sm: 20 }, WAITING) }],
      cpu: { ...CALM_CPU, usedCpus: 8 },
    },
  },
  {
    id: 'U38',
    label: 'found',
    what: 'two cards held, and both wait',
    seconds: 150,
    box: { ...training(2), cards: cards(2, WAITING_CARD), cpu: { ...CALM_CPU, usedCpus: 2 } },
  },
  {
    id: 'U38',
    label: 'clear',
    what: 'a run that hangs: no CPU either',
    seconds: 150,
    box: { ...training(), cards: [WAITING_CARD], cpu: IDLE_CPU },
  },
  {
    id: 'U38',
    label: 'clear',
    what: 'half a minute between two epochs',
    seconds: 180,
    box: {
      ...training(),
      cards: [{ dmon: (second) => (second >= 90 && second < 120 ? WAITING : {}) }],
    },
  },
  {
    id: 'U38',
    label: 'clear',
    what: 'the CPUs are at work and no job holds the card',
    seconds: 150,
    box: { cards: [RESTING_CARD], processes: [], cpu: CALM_CPU },
  },
  {
    id: 'U38',
    label: 'unknown',
    what: 'what the box uses of its CPUs is not told',
    seconds: 150,
    box: { ...training(), cards: [WAITING_CARD], cpu: null },
  },
  {
    id: 'U38',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 150,
    box: { ...training(), cards: [MIG_CARD] },
  },
];
