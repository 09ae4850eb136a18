import { describe, expect, it } from 'vitest';
import { queueEnd } from './queue-end.ts';
import type { CellState } from './queue-view.ts';

const NOW = 1_000_000;
const done = (ms: number): CellState => ({ kind: 'done', beganAtMs: 0, atMs: ms });
const running = (ageMs: number): CellState => ({ kind: 'running', beganAtMs: NOW - ageMs });
const waiting: CellState = { kind: 'waiting' };
const end = (states: readonly CellState[], slots = 1, isStopping = false) =>
  queueEnd(states, { slots, isStopping }, NOW);
const between = (fromMs: number, toMs: number) => ({
  kind: 'between',
  span: { fromMs: NOW + fromMs, toMs: NOW + toMs },
});

describe('the end of a queue', () => {
  it('is not known while no cell is done, whatever has failed', () => {
    const failed: CellState = { kind: 'failed', exitCode: 1, beganAtMs: 0, atMs: 10 };
    expect(end([failed, running(50), waiting])).toEqual({ kind: 'unknown' });
  });

  it('is that of what runs and waits, by the shortest and the longest of a few', () => {
    expect(end([done(100), done(300), running(50), waiting, waiting])).toEqual(between(250, 850));
    expect(end([done(100), done(300), running(50), waiting], 1, true)).toEqual(between(50, 250));
  });

  it('counts so many at once as the queue runs, each in the slot that is free first', () => {
    const two = [done(100), running(0), running(60), waiting, waiting, waiting];
    expect(end(two, 2)).toEqual(between(240, 240));
    // Slots that came free are used.
    expect(end([done(100), running(0), waiting, waiting], 3)).toEqual(between(100, 100));
  });

  it('leaves out what is rare among many, and gives one that takes longer as long again', () => {
    const many = Array.from({ length: 20 }, (_, at) => done(at === 0 ? 1 : at === 19 ? 9999 : 100));
    expect(end([...many, waiting])).toEqual(between(100, 100));
    expect(end([done(100), running(400)])).toEqual(between(0, 400));
  });

  it('has nothing left where all have ended, and counts a copy as a part of its cell', () => {
    const copying: CellState = { kind: 'copying', beganAtMs: NOW - 80, ranAtMs: NOW - 10 };
    expect(end([done(5), { kind: 'commented' }])).toEqual({ kind: 'nothing-left' });
    expect(end([done(100), copying])).toEqual(between(20, 20));
  });
});
