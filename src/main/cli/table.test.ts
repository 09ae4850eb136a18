import { expect, it } from 'vitest';
import { counted, tableLines } from './table.ts';

it('aligns words to the left and numbers to the right', () => {
  const lines = tableLines(
    ['name', 'count', 'note'],
    [
      ['a', 5, null],
      ['longer', 1000, null],
      ['b', null, null],
    ],
  );
  expect(lines).toEqual([
    'name    count  note',
    'a           5  –',
    'longer   1000  –',
    'b           –  –',
  ]);
});

it('escapes before it measures', () => {
  const [head, row] = tableLines(['what', 'x'], [['\x1b[31m', 'y']]);
  expect(row).toBe('\\x1b[31m  y');
  expect(head).toBe('what      x');
});

it('counts a Chinese character as the two columns that it takes', () => {
  const lines = tableLines(
    ['verb', 'x'],
    [
      ['关机 (off)', 'y'],
      ['stop', 'y'],
    ],
  );
  expect(lines).toEqual(['verb        x', '关机 (off)  y', 'stop        y']);
});

it('prints only the head without rows', () => {
  expect(tableLines(['a', 'b'], [])).toEqual(['a  b']);
});

it.each([
  [0, '0 GPUs'],
  [1, '1 GPU'],
  [8, '8 GPUs'],
])('counts %i', (count, text) => {
  expect(counted(count, 'GPU')).toBe(text);
});
