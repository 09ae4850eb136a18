import { describe, expect, it } from 'vitest';
import { formatTable, parseResult } from '../bench/harness.ts';

const row = {
  measure: 'paint',
  value: 312.5,
  unit: 'ms',
  baseline: 250,
  ratio: 1.25,
  goal: 'at most 1.25× bare',
  isMet: true,
};

describe('a benchmark', () => {
  it('answers with its last line', () => {
    const result = { name: 'start', rows: [row] };
    expect(parseResult(`warming up\n${JSON.stringify(result)}\n`)).toEqual(result);
  });

  it.each([
    ['', /not JSON/],
    ['{"name":"x"}', /not \{name, rows\}/],
    ['{"name":"x","rows":[{"measure":"m","value":null,"unit":"s"}]}', /row 0 is not/],
    ['{"name":"x","rows":[{"measure":"m","value":1,"unit":"s","isMet":"yes"}]}', /row 0 is not/],
  ])('that prints %j is told what is wrong', (stdout, why) => {
    expect(parseResult(stdout)).toMatch(why);
  });
});

it('results are a table with the numbers to the right', () => {
  const rows = [
    row,
    {
      measure: 'rows',
      value: 1_234_567.8,
      unit: 'rows/s',
      goal: 'at least 2,000,000',
      isMet: false,
    },
  ];
  expect(formatTable([{ name: 'start', rows }]).split('\n')).toEqual([
    'benchmark  measure      value  unit    baseline  ratio  goal',
    'start      paint          313  ms           250  1.25×  at most 1.25× bare  met',
    'start      rows     1,234,568  rows/s                   at least 2,000,000  MISSED',
  ]);
});
