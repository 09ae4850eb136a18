import {
  CALM_CPU,
  cards,
  MIG_CARD,
  RESTING_CARD,
  takingTurns,
  training,
  WAITING,
} from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u24Starved: readonly GpuIncident[] = [
  {
    id: 'U24',
    label: 'found',
    what: 'steadily at 40 %',
    seconds: 120,
    box: { ...training(), cards: [{ dmon: { sm: 40, pwr: 300 } }] },
  },
  {
    id: 'U24',
    label: 'found',
    what: 'six seconds of work, fourteen of waiting, again and again',
    seconds: 150,
    box: { ...training(), cards: [{ dmon: takingTurns(20, 6, {}, WAITING) }] },
  },
  {
    id: 'U24',
    label: 'found',
    what: 'all eight cards at a third',
    seconds: 120,
    box: {
      ...training(8),
      cards: cards(8, {
        dmon: (second, index) => ({ sm: 25 + ((second * 7 + index * 11) % 20), pwr: 280 }),
      }),
    },
  },
  {
    id: 'U24',
    label: 'found',
    what: 'at 12 %, just above what counts as resting',
    seconds: 120,
    box: { ...training(), cards: [{ dmon: { sm: 12, pwr: 170 } }] },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'three seconds of stalls in each half minute',
    seconds: 180,
    box: { ...training(), cards: [{ dmon: takingTurns(30, 3, WAITING, {}) }] },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'a validation pause of twenty seconds',
    seconds: 180,
    box: {
      ...training(),
      cards: [{ dmon: (second) => (second >= 90 && second < 110 ? { sm: 35, pwr: 260 } : {}) }],
    },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'a desktop draws, and no job is there',
    seconds: 120,
    box: {
      cards: [{ fields: { 'memory.used': 600 }, dmon: { sm: 15, pwr: 90, fb: 600, pclk: 900 } }],
      processes: [],
      cpu: CALM_CPU,
    },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'a video job: the encoder is full and the rest nearly rests',
    seconds: 120,
    box: { ...training(), cards: [{ dmon: { sm: 12, enc: 96, pwr: 150 } }] },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'the box rests',
    seconds: 120,
    box: { cards: [RESTING_CARD], processes: [], cpu: CALM_CPU },
  },
  {
    id: 'U24',
    label: 'clear',
    what: 'a start: half a minute of loading, then full load',
    seconds: 180,
    box: {
      ...training(),
      cards: [{ dmon: (second) => (second < 30 ? { sm: 20, pwr: 180 } : {}) }],
    },
  },
  {
    id: 'U24',
    label: 'unknown',
    what: 'WSL tells no load',
    seconds: 120,
    box: { ...training(), cards: [{ dmon: { sm: '-', mem: '-' } }] },
  },
  {
    id: 'U24',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 120,
    box: { ...training(), cards: [MIG_CARD] },
  },
  {
    id: 'U24',
    label: 'unknown',
    what: 'the stream says nothing',
    seconds: 120,
    box: { ...training(), isStreamSilent: true },
  },
];
