import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MARKS_MS, judgeMarks, snooze, type MarkState } from './escalation.ts';

const H = 3_600_000;
const END = Date.parse('2026-03-29T12:00:00Z');
const HOURS = DEFAULT_MARKS_MS.map((mark) => mark / H);

/** Hours left at which something was told, looking at these moments (hours before the end). */
function toldAt(
  looks: readonly number[],
  start: MarkState | null = null,
): readonly (readonly number[])[] {
  let state = start;
  return looks.flatMap((hoursLeft) => {
    const answer = judgeMarks(state, END, END - hoursLeft * H);
    // As over a restart.
    state = JSON.parse(JSON.stringify(answer.state)) as MarkState;
    return answer.due === null ? [] : [[hoursLeft, answer.due / H]];
  });
}

describe('judgeMarks', () => {
  it('tells each mark once, and that the time is over', () => {
    expect(HOURS).toEqual([24, 6, 1, 0.25]);
    expect(toldAt([30, 24, 23, 6, 5.9, 1, 0.9, 0.25, 0.1, 0, -1])).toEqual([
      [24, 24],
      [6, 6],
      [1, 1],
      [0.25, 0.25],
      [0, 0],
    ]);
  });

  it('tells the most urgent one of those that were slept through', () => {
    expect(toldAt([30, 0.5, 0.4])).toEqual([[0.5, 1]]);
    expect(toldAt([30, -48])).toEqual([[-48, 0]]);
  });

  it('does not repeat itself when this machine’s clock is set back', () => {
    expect(toldAt([6, 30, 6, 5, 1])).toEqual([
      [6, 6],
      [1, 1],
    ]);
  });

  it('tells anew when the end moves away, and not when an estimate trembles', () => {
    const told = judgeMarks(null, END, END - H).state;
    const trembling = judgeMarks(told, END + 5 * 60_000, END - H + 60_000);
    expect(trembling.due).toBeNull();
    expect(judgeMarks(trembling.state, END + 5 * 60_000, END - H + 5 * 60_000).due).toBeNull();
    const moved = judgeMarks(told, END + 10 * H, END - H);
    expect(moved.due).toBeNull();
    expect(judgeMarks(moved.state, END + 10 * H, END + 4 * H).due).toBe(6 * H);
    expect(judgeMarks(moved.state, END + 10 * H, END + 9 * H).due).toBe(H);
  });

  it('does not let many small steps carry an end away unnoticed', () => {
    let state = judgeMarks(null, END, END - H).state;
    for (let minute = 1; minute <= 600; minute += 1) {
      state = judgeMarks(state, END + minute * 60_000, END - H).state;
    }
    expect(judgeMarks(state, END + 10 * H, END + 9 * H).due).toBe(H);
  });

  it('is silent while it is put off, and comes back', () => {
    const told = judgeMarks(null, END, END - 6 * H).state;
    const put = snooze(told, END - 3 * H, { atMs: END, nowMs: END - 6 * H });
    expect(judgeMarks(put, END, END - 4 * H).due).toBeNull();
    const again = judgeMarks(put, END, END - 3 * H);
    expect(again.due).toBe(6 * H);
    expect(judgeMarks(again.state, END, END - 2.9 * H).due).toBeNull();
    expect(judgeMarks(again.state, END, END - H).due).toBe(H);
  });

  it('does not stay put off when the end comes nearer than that', () => {
    const put = snooze(judgeMarks(null, END, END - 6 * H).state, END - 2 * H, {
      atMs: END,
      nowMs: END - 6 * H,
    });
    expect(judgeMarks(put, END - 4 * H, END - 5 * H).due).toBe(H);
  });
});

describe('snooze', () => {
  it.each([Number.POSITIVE_INFINITY, Number.NaN, END, END + H, END - 6 * H, 0])(
    'needs an end that comes, before the clock runs out: not %d',
    (until) => {
      const { state } = judgeMarks(null, END, END - 6 * H);
      expect(snooze(state, until, { atMs: END, nowMs: END - 6 * H })).toBeNull();
    },
  );
});

describe('any story of looks, sleep, restarts and set clocks', () => {
  it('never tells a mark twice and never loses one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3 * 60, max: 48 * 60 }), { minLength: 1, maxLength: 60 }),
        (minutesLeft) => {
          const told = toldAt(minutesLeft.map((minutes) => minutes / 60));
          const marks = told.map(([, mark]) => mark ?? 0);
          expect(marks).toEqual([...new Set(marks)].sort((a, b) => b - a));
          // The most urgent moment that was looked at decides what must have been told.
          const least = Math.min(...minutesLeft) / 60;
          const reached = [...HOURS, 0].filter((mark) => least <= mark);
          expect(marks.at(-1) ?? null).toBe(reached.length === 0 ? null : Math.min(...reached));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
