import { expect, it } from 'vitest';
import { formatNames } from '../../shared/verify/loaded.ts';
import { runFixture } from '../storage/disk.fixture.ts';

const FIXTURE = new URL('./lying-sizes.fixture.ts', import.meta.url);
/** What a process of Node takes before it reads anything is in it. */
const MOST_MIB = 256;

it('no reader takes the memory that a file claims to need, whatever number in it lies', async () => {
  const { lines, stderr } = await runFixture(FIXTURE, formatNames);
  expect(stderr).toBe('');
  const loads = lines.map((line) => line.split(' '));
  expect(loads.map(([format]) => format)).toEqual([...formatNames]);
  for (const [format, count, mostMiB] of loads) {
    expect(Number(count), format).toBeGreaterThan(40);
    expect(Number(mostMiB), format).toBeLessThan(MOST_MIB);
  }
});
