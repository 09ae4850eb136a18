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

/** One idle card that is named, with rows at these times. */
const idleCard = (times: readonly number[]) =>
  judge('query', [
    'timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], clocks.current.sm [MHz]',
    ...times.map((ms) => `${stamp(ms)}, 0, GPU-1, NVIDIA H100, 0 %, 0 MiB, 345 MHz`),
  ]);
const stream = (names: string, units: string, times: readonly string[]) =>
  judge('dmon', [
    `#${names}gpu sm fb`,
    `#${units}Idx % MB`,
    ...times.map((time) => `${time}0 0 0`),
  ]);

describe('the time of a recording', () => {
  it('is that of its rows: a fast loop counts no second for each of them', () => {
    const short = idleCard(counted(900).map((i) => i * 100));
    expect(short).toMatchObject({ found: [], recordedS: 90 });
    const long = idleCard(counted(7200).map((i) => i * 100));
    expect(long).toMatchObject({ found: ['idle'], recordedS: 720 });
  });

  it('is an hour where a row comes each minute, and each minute is a gap', () => {
    const slow = idleCard(counted(60).map((i) => i * 60_000));
    expect(slow).toMatchObject({ found: [], recordedS: 3600 });
    const times = counted(60).map((i) => `${timeOf(i * 60_000, '20260101')} `);
    const cycles = stream('Date Time ', 'YYYYMMDD HH:MM:SS ', times);
    expect(cycles).toMatchObject({ found: [], recordedS: 3600 });
  });

  it('tells what is over by the same times', () => {
    const busy = counted(60).map((i) => [i * 5000, 99] as const);
    const starved = counted(60).map((i) => [300_000 + i * 5000, 30] as const);
    const rows = [...busy, ...starved, ...busy.map(([ms]) => [600_000 + ms, 99] as const)];
    const { past, recordedS } = unnamed(rows);
    expect(recordedS).toBe(900);
    expect(past.map(({ detector }) => detector)).toEqual(['U24']);
    expect(past[0]?.sinceMs).toBeGreaterThan(290_000);
    expect(past[0]?.lastSeenMs).toBeLessThan(640_000);
  });

  it('survives a clock that is set back, a midnight without a date, and no clock at all', () => {
    const back = idleCard([...counted(30), ...counted(30)].map((i) => 7_200_000 + i * 1000));
    expect(back).toMatchObject({ found: [], recordedS: 60 });
    const night = ['23:59:50 ', '23:59:55 ', '00:00:00 ', '00:00:05 '];
    expect(stream('Time ', 'HH:MM:SS ', night).recordedS).toBe(20);
    expect(
      stream(
        ' ',
        ' ',
        counted(700).map(() => ''),
      ).recordedS,
    ).toBe(700);
  });
});
