import { expect, it } from 'vitest';
import type { ResultList } from './launched-run.ts';
import { readRunResults } from './read-run-results.ts';
import { makeRunId } from './run-id.ts';
import { runId } from './run-request-schema.ts';

const head = 'banner\nMARK folder 20 /w/out\n';

it('reads files, whatever they are called, in the order of their names', () => {
  const text = `${head}2 10 b\nMARK whole\n\x003 -1 a b\0\nMARK whole\n`;
  expect(readRunResults(text, 'MARK', 100_000)).toEqual({
    atMs: 100_000,
    folder: '/w/out',
    isCut: false,
    files: [
      { path: 'a b', bytes: 3, modifiedAtMs: 79_000 },
      { path: 'b\nMARK whole\n', bytes: 2, modifiedAtMs: 90_000 },
    ],
  });
});

it('says that there are more, or that the box took too long', () => {
  const many = `${head}${'1 1 x\0'.repeat(2001)}\nMARK whole\n`;
  expect(readRunResults(many, 'MARK', 100_000)).toMatchObject({ isCut: true });
  expect((readRunResults(many, 'MARK', 100_000) as ResultList).files).toHaveLength(2000);
  const exact = `${head}${'1 1 x\0'.repeat(2000)}\nMARK whole\n`;
  expect(readRunResults(exact, 'MARK', 100_000)).toMatchObject({ isCut: false });
  const late = `${head}1 1 x\0\nMARK late\n\nMARK whole\n`;
  expect(readRunResults(late, 'MARK', 100_000)).toMatchObject({
    isCut: true,
    files: [{ path: 'x' }],
  });
  const half = `${head}1 1 x\x001 1 ha\nMARK whole\n`;
  expect(readRunResults(half, 'MARK', 100_000)).toMatchObject({
    isCut: true,
    files: [{ path: 'x' }],
  });
});

it('says why there are none', () => {
  expect(readRunResults('MARK refused no-folder\n', 'MARK', 100_000)).toBe('no-folder');
  expect(readRunResults(`${head}1 1 x\0`, 'MARK', 100_000)).toBeNull();
  expect(readRunResults('', 'MARK', 100_000)).toBeNull();
});

it('makes ids that a box keeps in order, and that the schema takes', () => {
  const id = makeRunId(Date.UTC(2026, 10, 23, 2, 30, 5), '1a2b3c4d');
  expect(id).toBe('r-20261123-023005-1a2b3c4d');
  expect(runId.parse(id)).toBe(id);
});
