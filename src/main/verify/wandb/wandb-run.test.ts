import { expect, it } from 'vitest';
import { flipsOf, load, loadAll, passedOf, specimen } from '../load.fixture.ts';

const whole = specimen('wandb/wandb-0.31.0--run.wandb');
/** Where each record begins, but for the parts of one that is cut by a block. */
function beginnings(): readonly number[] {
  const found: number[] = [];
  for (let at = 7; at < whole.length;) {
    const left = 32_768 - (at % 32_768);
    if (left < 7) {
      at += left;
      continue;
    }
    const type = whole[at + 6] ?? 0;
    if (type < 3) found.push(at);
    at += 7 + whole.readUInt16LE(at + 4);
  }
  return found;
}

it('what the library wrote is loaded', async () => {
  expect(await loadAll('wandb')).toEqual({
    'wandb-0.31.0--run.wandb': `${String(beginnings().length)} records`,
  });
  for (const bytes of [7, 1000]) {
    expect(await load('x.wandb', whole, bytes)).toMatchObject({ kind: 'loaded' });
  }
});

it('is found out wherever it is cut off but between two records', async () => {
  const from = whole.length - 1500;
  const cuts = Array.from({ length: 1500 }, (_, at) => whole.subarray(0, from + at));
  const passed = (await passedOf('x.wandb', cuts)).map((at) => at + from);
  expect(passed).toEqual(beginnings().filter((at) => at >= from));
});

it('is found out with any bit flipped at the beginning, of a record and of its content', async () => {
  const [first = 0, second = 0] = beginnings();
  expect(await passedOf('x.wandb', flipsOf(whole, 0, 6))).toEqual([]);
  expect(await passedOf('x.wandb', flipsOf(whole, first, second))).toEqual([]);
  expect(await passedOf('x.wandb', flipsOf(whole, 32_768, 32_776))).toEqual([]);
});

it('says how many records are whole before one that is not', async () => {
  const broken = Buffer.from(whole);
  const third = beginnings()[2] ?? 0;
  broken[third] = (broken[third] ?? 0) ^ 1;
  expect(await load('x.wandb', broken)).toBe(
    'damaged: the record behind 2 whole records is broken',
  );
});
