import { bits, cards, MIG_CARD, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u21BusyButUnderfed: readonly GpuIncident[] = [
  {
    id: 'U21',
    label: 'found',
    what: '99 % busy at 45 % of the clock and a third of the power, and nothing holds it',
    seconds: 90,
    box: { ...training(), cards: [{ dmon: { sm: 99, pclk: 890, pwr: 230 } }] },
  },
  {
    id: 'U21',
    label: 'found',
    what: 'one of eight',
    also: ['straggler'],
    seconds: 200,
    box: {
      ...training(8),
      cards: cards(8).map((card, i) =>
        i === 5 ? { dmon: { sm: 98, pclk: 1005, pwr: 260 } } : card,
      ),
    },
  },
  {
    id: 'U21',
    label: 'clear',
    what: 'honest compute: little memory traffic, full clock, high power',
    seconds: 90,
    box: { ...training(), cards: [{ dmon: { sm: 99, mem: 1, pwr: 610 } }] },
  },
  {
    id: 'U21',
    label: 'clear',
    what: 'full clock at a third of the power',
    seconds: 90,
    box: { ...training(), cards: [{ dmon: { sm: 100, pwr: 250 } }] },
  },
  {
    id: 'U21',
    label: 'clear',
    what: 'the clock is low because heat holds it',
    also: ['U23'],
    seconds: 90,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': bits(0x20) },
          dmon: { sm: 99, pclk: 890, pwr: 230, tviol: 1, gtemp: 88 },
        },
      ],
    },
  },
  {
    id: 'U21',
    label: 'clear',
    what: 'ten seconds of it',
    seconds: 120,
    box: {
      ...training(),
      cards: [
        { dmon: (second) => (second >= 60 && second < 70 ? { sm: 99, pclk: 890, pwr: 230 } : {}) },
      ],
    },
  },
  {
    id: 'U21',
    label: 'unknown',
    what: 'MIG is on',
    seconds: 90,
    box: { ...training(), cards: [MIG_CARD] },
  },
  {
    id: 'U21',
    label: 'unknown',
    what: 'the card’s power is not told',
    seconds: 90,
    box: {
      ...training(),
      cards: [{ fields: { 'power.draw': '[N/A]' }, dmon: { sm: 99, pclk: 890, pwr: '-' } }],
    },
  },
];
