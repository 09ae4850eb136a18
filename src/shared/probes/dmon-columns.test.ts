import { expect, it } from 'vitest';
import { namesDmonColumns } from './dmon-columns.ts';
import { sample, sampleNames } from './sample.fixture.ts';

const ANSWER = '# gpu   pwr gtemp\n# Idx     W     C\n    0    59    30\n';
const warnings = (chars: number): string => 'a warning\n'.repeat(chars / 10);

it.each(sampleNames('dmon'))('tells that %s is an answer of dmon', (name) => {
  expect(namesDmonColumns(sample(name).text)).toBe(true);
});

it('tells a refusal from an answer', () => {
  expect(
    namesDmonColumns('Not supported on the device(s)\nFailed to process command line.\n'),
  ).toBe(false);
  expect(namesDmonColumns(`${warnings(1000)}${ANSWER}`)).toBe(true);
});

it('looks for the head in the beginning alone, however much a box prints', () => {
  expect(namesDmonColumns(`${warnings(100_000)}${ANSWER}`)).toBe(false);
});
