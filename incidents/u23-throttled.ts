import { bits, cards, GEFORCE_FIELDS, RESTING, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const u23Throttled: readonly GpuIncident[] = [
  {
    id: 'U23',
    label: 'found',
    what: 'heat takes a third of the clock',
    seconds: 90,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': bits(0x20) },
          dmon: { pclk: 1320, gtemp: 88, tviol: 1, pwr: 420 },
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'found',
    what: 'the hardware slows the card down for heat',
    seconds: 90,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': bits(0x48) },
          dmon: { pclk: 700, gtemp: 91, tviol: 1, pwr: 300 },
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'found',
    what: 'the machine’s power brake, on two of eight cards',
    also: ['straggler'],
    seconds: 200,
    box: {
      ...training(8),
      cards: cards(8).map((card, i) =>
        i > 5
          ? {
              fields: { 'clocks_event_reasons.active': bits(0x88) },
              dmon: { pclk: 900, pwr: 310, pviol: 100 },
            }
          : card,
      ),
    },
  },
  {
    id: 'U23',
    label: 'found',
    what: 'a card whose power limit was lowered to half holds a low clock',
    also: ['power-cap'],
    seconds: 120,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            'clocks_event_reasons.active': bits(0x4),
            'power.limit': '350.00',
            'enforced.power.limit': '350.00',
          },
          dmon: { pclk: 1260, pwr: 349, pviol: 100 },
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'found',
    what: 'it begins after a minute of health',
    seconds: 150,
    box: training(),
    later: [
      {
        fromS: 60,
        box: {
          cards: [
            {
              fields: { 'clocks_event_reasons.active': bits(0x20) },
              dmon: { pclk: 1200, gtemp: 87, tviol: 1, pwr: 380 },
            },
          ],
        },
      },
    ],
  },
  {
    id: 'U23',
    label: 'clear',
    what: 'full load at the power limit, two percent below the full clock',
    seconds: 120,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': bits(0x4) },
          dmon: { pclk: 1940, pwr: 699, pviol: 100 },
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'clear',
    what: 'hot, at its full clock',
    seconds: 120,
    box: { ...training(), cards: [{ dmon: { gtemp: 84 } }] },
  },
  {
    id: 'U23',
    label: 'clear',
    what: 'the job ended and the card falls asleep',
    seconds: 120,
    box: training(),
    later: [
      {
        fromS: 60,
        box: {
          cards: [
            {
              fields: { 'clocks_event_reasons.active': bits(0x1), 'memory.used': 4 },
              dmon: (second) => ({ ...RESTING, pclk: second < 64 ? 900 : 345 }),
            },
          ],
          processes: [],
        },
      },
    ],
  },
  {
    id: 'U23',
    label: 'clear',
    what: 'three seconds of heat in each minute',
    seconds: 180,
    box: {
      ...training(),
      cards: [
        {
          dmon: (second) => (second % 60 < 3 ? { tviol: 1, pclk: 1700, gtemp: 86 } : { gtemp: 84 }),
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'clear',
    what: 'a GeForce that never holds the clock that it promises',
    seconds: 120,
    box: {
      ...training(),
      cards: [
        {
          fields: { ...GEFORCE_FIELDS, 'clocks_event_reasons.active': bits(0x4) },
          dmon: {
            pwr: 446,
            pclk: 2610,
            gtemp: 66,
            mtemp: '-',
            fb: 19_818,
            pviol: 60,
            sbecc: '-',
            dbecc: '-',
          },
        },
      ],
    },
  },
  {
    id: 'U23',
    label: 'unknown',
    what: 'a driver that tells no reasons',
    seconds: 90,
    box: {
      ...training(),
      cards: [
        { fields: { 'clocks_event_reasons.active': '[N/A]' }, dmon: { pviol: '-', tviol: '-' } },
      ],
    },
  },
  {
    id: 'U23',
    label: 'found',
    what: 'a driver that tells no reasons, at 87 °C and two thirds of the clock',
    seconds: 90,
    box: {
      ...training(),
      cards: [
        {
          fields: { 'clocks_event_reasons.active': '[N/A]' },
          dmon: { pviol: '-', tviol: '-', gtemp: 87, pclk: 1310, pwr: 480 },
        },
      ],
    },
  },
];
