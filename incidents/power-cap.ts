import { bits, cards, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const powerCap: readonly GpuIncident[] = [
  {
    id: 'power-cap',
    label: 'found',
    what: '500 W of 700',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'power.limit': '500.00', 'enforced.power.limit': '500.00' },
          dmon: { pwr: 480 },
        },
      ],
    },
  },
  {
    id: 'power-cap',
    label: 'found',
    what: 'one of eight',
    seconds: 45,
    box: {
      ...training(8),
      cards: cards(8).map((card, i) =>
        i === 7
          ? {
              fields: { 'power.limit': '600.00', 'enforced.power.limit': '600.00' },
              dmon: { pwr: 590 },
            }
          : card,
      ),
    },
  },
  {
    id: 'power-cap',
    label: 'clear',
    what: 'the usual limit, reached',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        { fields: { 'clocks_event_reasons.active': bits(0x4) }, dmon: { pwr: 699, pclk: 1950 } },
      ],
    },
  },
  {
    id: 'power-cap',
    label: 'clear',
    what: 'somebody raised it',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            'power.default_limit': '400.00',
            'power.limit': '500.00',
            'enforced.power.limit': '500.00',
          },
          dmon: { pwr: 490 },
        },
      ],
    },
  },
  {
    id: 'power-cap',
    label: 'unknown',
    what: 'the card does not tell',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            'power.limit': '[N/A]',
            'power.default_limit': '[N/A]',
            'enforced.power.limit': '[N/A]',
          },
        },
      ],
    },
  },
];
