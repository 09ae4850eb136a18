import { expect, it } from 'vitest';
import type { ResultList } from './launched-run.ts';
import { doAtOnce } from '../../steps.ts';
import { readRunResults } from './read-run-results.ts';

const ASKED = { atMs: 100_000, maxFiles: 2000 };
/** As a whole, and with each file a text of its own. */
function read(text: string): ResultList | string | null {
  const [whole, one] = [
    (from: number, to: number) => [text.slice(from, to)],
    (from: number, to: number) => text.slice(from, to).split(/(?<=\0)/),
  ].map((textsOf) => doAtOnce(readRunResults(text, 'MARK', { ...ASKED, textsOf })));
  expect(one).toEqual(whole);
  return whole ?? null;
}
const head = 'banner\nMARK folder 20 yes /w/out\n';

it('reads files, whatever they are called, in the order of their names', () => {
  const text = `${head}f 2 10.1234567891 11.0000000050 7 b\nMARK whole\n\x00f 3 -1 12 8 a b\0l 4 0 0 9 c\0p 0 0 0 10 d\0\nMARK whole\n`;
  expect(read(text)).toEqual({
    atMs: 100_000,
    folder: '/w/out',
    ...{ isCut: false, grainMs: 2000, tellsWrites: true },
    others: [
      { path: 'c', bytes: 4, modifiedAtMs: 80_000, stamp: '0 0 9', kind: 'link' },
      { path: 'd', bytes: 0, modifiedAtMs: 80_000, stamp: '0 0 10', kind: 'special' },
    ],
    files: [
      { path: 'a b', bytes: 3, modifiedAtMs: 79_000, stamp: '-1 12 8' },
      {
        ...{ path: 'b\nMARK whole\n', bytes: 2, modifiedAtMs: 90_000 },
        stamp: '10.123456789 11.000000005 7',
      },
    ],
  });
});

it('says that there are more, or that the box took too long', () => {
  const many = `${head}${'f 1 1 1 1 x\0'.repeat(2001)}\nMARK whole\n`;
  expect(read(many)).toMatchObject({ isCut: true });
  expect((read(many) as ResultList).files).toHaveLength(2000);
  const exact = `${head}${'f 1 1 1 1 x\0'.repeat(2000)}\nMARK whole\n`;
  expect(read(exact)).toMatchObject({ isCut: false });
  const late = `${head}f 1 1 1 1 x\0\nMARK late\n\nMARK whole\n`;
  expect(read(late)).toMatchObject({
    isCut: true,
    files: [{ path: 'x' }],
  });
  const half = `${head}f 1 1 1 1 x\x00f 1 1 1 1 ha\nMARK whole\n`;
  expect(read(half)).toMatchObject({
    isCut: true,
    files: [{ path: 'x' }],
  });
});

it.each(['f  1 1 1 x', '? 1 1 1 1 x', 'f 1 1 1', 'f 1 1.5e9 1 1 x', ''])(
  'takes “%s”, which tells of some file that nobody can read, for more than is told',
  (record) => {
    const told = `${head}f 1 1 1 1 a\0${record}\0f 1 1 1 1 b\0\nMARK whole\n`;
    expect(read(told)).toMatchObject({ isCut: true, files: [{ path: 'a' }, { path: 'b' }] });
  },
);

it('says how soon after the list a writing shows, and where one need not show at all', () => {
  const fine = `${head}f 1 1.0000000000 1.5000000000 1 x\0\nMARK whole\n`;
  expect(read(fine)).toMatchObject({ grainMs: 50, tellsWrites: true });
  // A disk that keeps seconds.
  const coarse = fine.replace('1.5', '1.0').replace(' yes ', ' no ');
  expect(read(coarse)).toMatchObject({
    ...{ grainMs: 2000, tellsWrites: false },
    files: [{ stamp: '1.000000000 1.000000000 1' }],
  });
});

it('says why there are none', () => {
  expect(read('MARK refused no-folder\n')).toBe('no-folder');
  expect(read(`${head}f 1 1 1 1 x\0`)).toBeNull();
  expect(read('')).toBeNull();
});

it('leaves others a turn after each text and between the comparisons of many names', () => {
  const files = Array.from(
    { length: 20_000 },
    (_, at) => `f 1 1 1 1 ${String(at % 7)}/${String(at)}\0`,
  );
  const text = `${head}${files.join('')}\nMARK whole\n`;
  function* textsOf(from: number, to: number): Generator<string, void> {
    for (const each of text.slice(from, to).split(/(?<=\0)(?=f 1 1 1 1 0\/)/)) yield each;
  }
  const reading = readRunResults(text, 'MARK', { atMs: 0, maxFiles: 30_000, textsOf });
  let steps = 0;
  while (reading.next().done !== true) steps += 1;
  // A seventh of them begins a text; the names are sorted a thousand at a time.
  expect(steps).toBeGreaterThan(20_000 / 7 + 20);
});
