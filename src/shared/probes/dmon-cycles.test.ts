import { describe, expect, it } from 'vitest';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { DmonCycles } from './dmon-cycles.ts';
import { parseDmon } from './dmon.ts';
import { sample } from './sample.fixture.ts';

function rows(...indices: readonly number[]): readonly GpuReading[] {
  return parseDmon(`# gpu sm\n${indices.map((index) => ` ${index} 1 \n`).join('')}`).readings;
}

/** The indices of the cycles that each row completes. */
function feed(cycles: DmonCycles, ...indices: readonly number[]): readonly (readonly number[])[][] {
  return rows(...indices).map((reading) =>
    cycles.push([reading]).map((cycle) => cycle.map(({ index }) => index)),
  );
}

describe('DmonCycles', () => {
  it('gives out the first cycle when the second begins, and every later one with its last row', () => {
    expect(feed(new DmonCycles(), 0, 1, 2, 0, 1, 2, 0, 1, 2)).toEqual([
      [],
      [],
      [],
      [[0, 1, 2]],
      [],
      [[0, 1, 2]],
      [],
      [],
      [[0, 1, 2]],
    ]);
  });

  it('gives out each row of a single GPU at once', () => {
    expect(feed(new DmonCycles(), 0, 0, 0)).toEqual([[], [[0], [0]], [[0]]]);
  });

  it('waits no longer than one cycle when the last GPU is lost', () => {
    expect(feed(new DmonCycles(), 0, 1, 2, 0, 1, 0, 1)).toEqual([
      [],
      [],
      [],
      [[0, 1, 2]],
      [],
      [[0, 1]],
      [[0, 1]],
    ]);
  });

  it('completes a cycle in which a middle GPU is lost', () => {
    expect(feed(new DmonCycles(), 0, 1, 2, 0, 2, 0, 2).at(4)).toEqual([[0, 2]]);
  });

  it('gives out a GPU that joins with the next cycle, then with its own', () => {
    expect(feed(new DmonCycles(), 0, 1, 0, 1, 2, 0, 1, 2)).toEqual([
      [],
      [],
      [[0, 1]],
      [[0, 1]],
      [],
      [[2]],
      [],
      [[0, 1, 2]],
    ]);
  });

  it('groups indices that do not start at 0', () => {
    expect(feed(new DmonCycles(), 4, 6, 4, 6).flat()).toEqual([
      [4, 6],
      [4, 6],
    ]);
  });

  it('loses and doubles no row, whatever order they come in', () => {
    const indices = [3, 1, 2, 2, 0, 5, 4, 4, 9, 0, 1, 1, 0];
    const cycles = new DmonCycles();
    const grouped = [...cycles.push(rows(...indices)), ...cycles.end()];
    expect(grouped.flat().map(({ index }) => index)).toEqual(indices);
    for (const cycle of grouped) {
      const order = cycle.map(({ index }) => index);
      expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
    }
  });

  it('gives out the cut last cycle of a recorded stream at its end', () => {
    const { readings } = parseDmon(sample('dmon--a100x2-pucm-no-ccpm').text);
    const cycles = new DmonCycles();
    expect(cycles.push(readings).map((cycle) => cycle.length)).toEqual([2, 2]);
    expect(cycles.end().map((cycle) => cycle.map(({ powerW }) => powerW))).toEqual([[87]]);
    expect(cycles.end()).toEqual([]);
  });
});
