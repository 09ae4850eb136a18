import { expect, it } from 'vitest';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { DmonSummary } from './dmon-summary.ts';

function summarise(...texts: readonly string[]) {
  const summary = new DmonSummary();
  for (const text of texts) summary.add(parseDmon(text).readings);
  return summary.build();
}

const HEADER = '# gpu pwr sm tviol new\n# Idx W % bool x\n';

it('keeps minimum, mean, maximum and the last reading of each GPU', () => {
  const { readings, cycles, gpus } = summarise(
    `${HEADER} 0 100 0 0 7\n 1 50 - - 7\n`,
    `${HEADER} 0 300 50 1 8\n 1 50 - - 8\n`,
    `${HEADER} 0 101 100 0 9\n`,
  );
  expect({ readings, cycles }).toEqual({ readings: 5, cycles: 3 });
  expect(gpus.map(({ index }) => index)).toEqual([0, 1]);
  expect(gpus[0]).toMatchObject({
    readings: 3,
    figures: {
      powerW: { reported: 3, min: 100, mean: 167, max: 300 },
      smPct: { reported: 3, min: 0, mean: 50, max: 100 },
    },
    thermal: { reported: 3, held: 1 },
    unknownColumns: ['new'],
    last: { powerW: 101, unknownColumns: { new: '9' } },
  });
});

it('leaves out what was never reported instead of counting it as 0', () => {
  const [gpu] = summarise(`${HEADER} 1 50 - - 7\n`).gpus;
  expect(gpu?.figures).toEqual({ powerW: { reported: 1, min: 50, mean: 50, max: 50 } });
  expect(gpu?.neverReported).toContain('smPct');
  expect(gpu?.thermal).toEqual({ reported: 0, held: 0 });
});

it('averages only over the readings that had the figure', () => {
  const [gpu] = summarise(`${HEADER} 0 10 - - 7\n 0 - 5 - 7\n 0 30 - - 7\n`).gpus;
  expect(gpu?.figures.powerW).toEqual({ reported: 2, min: 10, mean: 20, max: 30 });
});

it('knows nothing of an empty stream', () => {
  expect(summarise('')).toEqual({ readings: 0, cycles: 0, gpus: [] });
});
