import { describe, expect, it } from 'vitest';
import { LogMetricsReader } from './log-metrics.ts';
import { StepPace } from './step-pace.ts';

const S = 1000;

/** Steps that come every `everyS`, as a log tells them. */
function follow(
  pace: StepPace,
  from: { atMs: number; done: number },
  steps: number,
  everyS: number,
) {
  let { atMs, done } = from;
  for (let step = 0; step < steps; step += 1) {
    atMs += everyS * S;
    done += 1;
    pace.take(atMs, done);
  }
  return { atMs, done };
}

describe('the pace of a run, against its own beginning (U23)', () => {
  it('is told where its steps take longer for minutes, with both figures', () => {
    const pace = new StepPace();
    let at = follow(pace, { atMs: 0, done: 0 }, 100, 5);
    expect(pace.slowdown).toBeNull();
    at = follow(pace, at, 100, 8);
    expect(pace.slowdown).toEqual({
      firstPerS: 1 / 5,
      nowPerS: 1 / 8,
      firstMs: 15 * 5 * S,
      nowMs: 15 * 8 * S,
    });
    follow(pace, at, 100, 5);
    expect(pace.slowdown).toBeNull();
  });

  it('is not told of what varies, of pauses between steps, nor of what is made ready first', () => {
    const pace = new StepPace();
    // Compiling, then steady, with an evaluation every fifth step.
    let at = follow(pace, { atMs: 0, done: 0 }, 2, 120);
    for (let round = 0; round < 40; round += 1) {
      at = follow(pace, at, 4, round % 2 === 0 ? 5 : 5.8);
      at = follow(pace, at, 1, 60);
      expect(pace.slowdown).toBeNull();
    }
  });

  it('is not told of a run that went on from a checkpoint, nor of a few steps', () => {
    const pace = new StepPace();
    const at = follow(pace, { atMs: 0, done: 0 }, 40, 5);
    const after = { atMs: at.atMs + 3600 * S, done: 10 };
    pace.take(after.atMs, after.done);
    follow(pace, after, 40, 5);
    expect(pace.slowdown).toBeNull();
    const few = new StepPace();
    follow(few, follow(few, { atMs: 0, done: 0 }, 20, 5), 8, 50);
    expect(few.slowdown).toBeNull();
  });

  it('is read from the lines of a log, by when they came', () => {
    const reader = new LogMetricsReader((text) => text);
    let atMs = 0;
    const print = (from: number, everyS: number): void => {
      for (let step = from; step < from + 60; step += 1) {
        atMs += everyS * S;
        reader.take(`step ${String(step)}/1000 loss 0.5\n`, atMs);
      }
    };
    print(1, 30);
    expect(reader.takeChange()?.position?.slowdown).toBeNull();
    print(61, 60);
    expect(reader.takeChange()?.position?.slowdown).toMatchObject({ firstPerS: 1 / 30 });
  });
});
