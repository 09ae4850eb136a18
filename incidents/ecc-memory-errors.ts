import { cards, GEFORCE_FIELDS, training } from './gpu/cards.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';

export const eccMemoryErrors: readonly GpuIncident[] = [
  {
    id: 'ecc',
    label: 'found',
    what: 'a row waits to be remapped',
    seconds: 45,
    box: {
      ...training(),
      cards: [{ fields: { 'remapped_rows.pending': 'Yes', 'remapped_rows.uncorrectable': 1 } }],
    },
  },
  {
    id: 'ecc',
    label: 'found',
    what: 'no spare row was left, on the last of four',
    seconds: 45,
    box: {
      ...training(4),
      cards: cards(4).map((card, i) =>
        i === 3 ? { fields: { 'remapped_rows.failure': 'Yes' } } : card,
      ),
    },
  },
  {
    id: 'ecc',
    label: 'found',
    what: 'the SRAM’s threshold is exceeded',
    seconds: 45,
    box: {
      ...training(),
      cards: [{ fields: { 'ecc.errors.uncorrected.aggregate.sram.thresholdExceeded': 'Yes' } }],
    },
  },
  {
    id: 'ecc',
    label: 'found',
    what: 'three uncorrectable errors since the driver was loaded',
    seconds: 90,
    box: training(),
    later: [
      {
        fromS: 30,
        box: {
          cards: [
            {
              fields: {
                'ecc.errors.uncorrected.volatile.total': 3,
                'ecc.errors.uncorrected.aggregate.total': 3,
              },
            },
          ],
        },
      },
    ],
  },
  {
    id: 'ecc',
    label: 'found',
    what: 'a page waits to be retired (V100)',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            name: 'Tesla V100-SXM2-32GB',
            'retired_pages.pending': 'Yes',
            'remapped_rows.histogram.max': 'N/A',
            'remapped_rows.pending': 'N/A',
            'remapped_rows.failure': 'N/A',
          },
        },
      ],
    },
  },
  {
    id: 'ecc',
    label: 'clear',
    what: 'four hundred errors that were corrected',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            'ecc.errors.corrected.volatile.total': 400,
            'ecc.errors.corrected.aggregate.total': 1800,
          },
        },
      ],
    },
  },
  {
    id: 'ecc',
    label: 'clear',
    what: 'rows that were remapped long ago',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: {
            'remapped_rows.correctable': 2,
            'remapped_rows.uncorrectable': 1,
            'ecc.errors.uncorrected.aggregate.total': 1,
          },
        },
      ],
    },
  },
  {
    id: 'ecc',
    label: 'unknown',
    what: 'a GeForce tells nothing of it',
    seconds: 45,
    box: {
      ...training(),
      cards: [
        {
          fields: GEFORCE_FIELDS,
          dmon: { pclk: 2600, pwr: 440, mtemp: '-', sbecc: '-', dbecc: '-' },
        },
      ],
    },
  },
];
