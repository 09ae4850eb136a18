import { describe, expect, it } from 'vitest';
import { judgeRecorded } from './recorded-box.ts';

const two = (value: number): string => String(value).padStart(2, '0');

function timeOf(ms: number, date: string): string {
  const s = Math.floor(ms / 1000);
  const clock = [Math.floor(s / 3600), Math.floor(s / 60) % 60, s % 60].map(two).join(':');
  return `${date} ${clock}`;
}
const stamp = (ms: number): string =>
  `${timeOf(ms, '2026/01/01')}.${String(ms % 1000).padStart(3, '0')}`;

function judge(kind: 'query' | 'dmon', lines: readonly string[]) {
  const report = judgeRecorded([{ kind, text: `${lines.join('\n')}\n` }]);
  const found = [...report.findings, ...report.past].map(({ detector }) => detector);
  return { ...report, found };
}

/** Rows that name no card: when each was printed, and how busy it was. */
const unnamed = (rows: readonly (readonly [number, number])[]) =>
  judge('query', [
    'timestamp, utilization.gpu [%], memory.used [MiB], clocks.current.sm [MHz]',
    ...rows.map(([ms, pct]) => `${stamp(ms)}, ${String(pct)} %, 60000 MiB, 1980 MHz`),
  ]);
const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

describe('rows that name no card', () => {
  it('belong together by their distance, also over the end of a second', () => {
    const { found, recordedS } = unnamed(
      counted(300).flatMap((i) => [[i * 1000 + 998, 98] as const, [i * 1000 + 1001, 97] as const]),
    );
    expect(found).toEqual([]);
    expect(recordedS).toBe(300);
  });

  it('are one card where they come evenly', () => {
    const { found } = unnamed(counted(1200).map((i) => [i * 500, i % 2 === 0 ? 99 : 90] as const));
    expect(found).toEqual([]);
    const uneven = unnamed(counted(1200).map((i) => [i * 500, i % 2 === 0 ? 99 : 20] as const));
    expect(uneven.found).not.toContain('straggler');
  });

  it.each([
    ['one look that lacks a card', [0, 3, 1000, 1003, 2000, 3000, 3003]],
    ['a loop as fast as its looks', counted(400).map((i) => i * 50)],
    ['cards that are as far apart as looks', [0, 90, 300, 390, 600, 690]],
    ['a clock that was set back', [5000, 5003, 1000, 1003]],
  ])('conclude nothing of a card in %s', (_, times) => {
    const { found, recordedS } = unnamed(times.map((ms, i) => [ms, i % 2 === 0 ? 99 : 1] as const));
    expect(found).toEqual([]);
    expect(recordedS).toBe(0);
  });
});
