import {
  bits,
  cards,
  MIG_CARD,
  RESTING_CARD,
  training,
  WAITING,
  WAITING_CARD,
  jobOn,
} from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const straggler: readonly GpuIncident[] = [
  {
    id: 'straggler',
    label: 'found',
    what: 'one of four was forgotten',
    seconds: 220,
    box: { ...training(4), cards: [...cards(3), RESTING_CARD], processes: jobOn(3) },
  },
  {
    id: 'straggler',
    label: 'found',
    what: 'one of eight at two thirds of the others’ clock, and nothing holds it',
    seconds: 220,
    box: {
      ...training(8),
      cards: cards(8).map((card, i) => (i === 2 ? { dmon: { pclk: 1320, pwr: 450 } } : card)),
    },
  },
  {
    id: 'straggler',
    label: 'found',
    what: 'one rank stopped in the middle of the run',
    seconds: 300,
    box: training(4),
    later: [{ fromS: 100, box: { cards: [...cards(3), WAITING_CARD] } }],
  },
  {
    id: 'straggler',
    label: 'clear',
    what: 'all alike, a few percent apart',
    seconds: 200,
    box: {
      ...training(8),
      cards: cards(8, {
        dmon: (second, index) => ({ sm: 92 + ((second + index) % 8), pclk: 1905 + 10 * index }),
      }),
    },
  },
  {
    id: 'straggler',
    label: 'clear',
    what: 'the first rank saves for a minute while the others wait in a collective',
    seconds: 300,
    box: {
      ...training(4),
      cards: [{ dmon: (second) => (second >= 120 && second < 180 ? WAITING : {}) }, ...cards(3)],
    },
  },
  {
    id: 'straggler',
    label: 'clear',
    what: 'the slow one is held by heat, which U23 says',
    also: ['U23'],
    seconds: 220,
    box: {
      ...training(4),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': bits(0x20) },
          dmon: { pclk: 1200, tviol: 1, gtemp: 88, pwr: 380 },
        },
        ...cards(3),
      ],
    },
  },
  { id: 'straggler', label: 'clear', what: 'a single card', seconds: 200, box: training() },
  {
    id: 'straggler',
    label: 'clear',
    what: 'the whole box rests',
    seconds: 200,
    box: { cards: cards(4, RESTING_CARD), processes: [] },
  },
  {
    id: 'straggler',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 200,
    box: { ...training(2), cards: cards(2, MIG_CARD) },
  },
];
