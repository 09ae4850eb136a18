import { cards, RESTING, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const pcieDegraded: readonly GpuIncident[] = [
  {
    id: 'pcie',
    label: 'found',
    what: 'eight of sixteen lanes, under load',
    seconds: 120,
    box: { ...training(), cards: [{ fields: { 'pcie.link.width.current': 8 } }] },
  },
  {
    id: 'pcie',
    label: 'found',
    what: 'generation 3 of 5, on one of four',
    seconds: 120,
    box: {
      ...training(4),
      cards: cards(4).map((card, i) =>
        i === 1 ? { fields: { 'pcie.link.gen.current': 3 } } : card,
      ),
    },
  },
  {
    id: 'pcie',
    label: 'found',
    what: 'one lane',
    seconds: 120,
    box: { ...training(), cards: [{ fields: { 'pcie.link.width.current': 1 } }] },
  },
  { id: 'pcie', label: 'clear', what: 'the full link', seconds: 90, box: training() },
  {
    id: 'pcie',
    label: 'clear',
    what: 'a board of generation 4 at generation 4',
    seconds: 90,
    box: {
      ...training(),
      cards: [{ fields: { 'pcie.link.gen.current': 4, 'pcie.link.gen.max': 4 } }],
    },
  },
  {
    id: 'pcie',
    label: 'clear',
    what: 'asleep at generation 1 until the job begins',
    seconds: 180,
    box: {
      cards: [{ fields: { 'pcie.link.gen.current': 1, 'memory.used': 4 }, dmon: RESTING }],
      processes: [],
    },
    later: [{ fromS: 60, box: { ...training() } }],
  },
  {
    id: 'pcie',
    label: 'unknown',
    what: 'the card rests, and a resting card lowers its link',
    seconds: 90,
    box: {
      cards: [{ fields: { 'pcie.link.gen.current': 1, 'memory.used': 4 }, dmon: RESTING }],
      processes: [],
    },
  },
  {
    id: 'pcie',
    label: 'unknown',
    what: 'the card does not tell its link',
    seconds: 90,
    box: { ...training(), cards: [{ fields: { 'pcie.link.gen.current': '[N/A]' } }] },
  },
];
