import { expect, it } from 'vitest';
import { doAtOnce } from '../../steps.ts';
import { readQueueLook } from './read-queue-look.ts';

const MARK = 'leasehold-0123456789abcdef01234567';
const told = (cells: string, journal: string): string =>
  `\n${MARK} now 9\n\n${MARK} cells sum\n${cells}\n${MARK} journal 0\n${journal}\n${MARK} whole\n`;
const at = { run: 'r', atMs: 0 };
const stepsOf = (text: string): number => {
  const steps = readQueueLook(text, MARK, at);
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
};

it('reads cells and journal in steps, between which main answers others', () => {
  expect(stepsOf(told('a\tb\n', ''))).toBeLessThan(5);
  expect(stepsOf(told('a\tb\n'.repeat(90_000), ''))).toBeGreaterThan(80);
  expect(stepsOf(told('', 'exit 1 0 9 .\n'.repeat(50_000)))).toBeGreaterThan(45);
  expect(stepsOf(told(`${'x'.repeat(400_000)}\n`.repeat(9), ''))).toBeGreaterThan(8);
});

it('keeps of a line no more than a cell can have, and reads no journal that is longer than the script tells', () => {
  const long = doAtOnce(readQueueLook(told('\\\\'.repeat(5_000_000), ''), MARK, at));
  expect(long).toMatchObject({ cells: [{ name: '\\'.repeat(50_000) }] });
  const endless = told('', 'exit 1 0 9 .\n'.repeat(100_000));
  expect(doAtOnce(readQueueLook(endless, MARK, at))).toBeNull();
});
