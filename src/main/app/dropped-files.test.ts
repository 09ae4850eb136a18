import { expect, it } from 'vitest';
import { DroppedFiles } from './dropped-files.ts';

it('what was dropped is taken once, and only the last drop', () => {
  const drops = new DroppedFiles();
  expect(drops.take()).toEqual([]);
  drops.dropped(['/home/a']);
  drops.dropped(['/home/b', '/home/c']);
  expect(drops.take()).toEqual(['/home/b', '/home/c']);
  expect(drops.take()).toEqual([]);
});

it.each([null, 'text', [1], ['relative'], ['/a', '../b'], Array(1001).fill('/a')])(
  'what is no list of places of files is none: %j',
  (paths) => {
    const drops = new DroppedFiles();
    drops.dropped(['/home/a']);
    drops.dropped(paths);
    expect(drops.take()).toEqual([]);
  },
);
