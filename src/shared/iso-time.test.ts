import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatWhen } from './clocks/when.ts';
import { clueText } from './detectors/clue-text.ts';
import { isoUtc, isoUtcSeconds } from './iso-time.ts';
import { isoTime } from './meter/ledger-csv.ts';
import { judgeNoAnswer } from './patrol/detectors/gen8-dropped-poll.ts';
import { utc } from './recovery/handbook-words.ts';

/** Whatever a database or a file of an earlier version, of a box, or of nobody's may hold as a time. */
const storedTime = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(8.64e15, -8.64e15, 8.64e15 + 1, 9_404_000_000_000_000, Number.MAX_SAFE_INTEGER),
);

const WORDS: Readonly<Record<string, (atMs: number) => unknown>> = {
  isoUtc,
  isoUtcSeconds,
  isoTime,
  utc,
  formatWhen: (atMs) => formatWhen(atMs),
  clueText: (atMs) => clueText({ kind: 'line', file: 'dmesg', atMs, line: 'Xid' } as never),
  judgeNoAnswer: (atMs) => judgeNoAnswer({ runs: [{}], atMs } as never, 'the link was lost'),
};

it.each(Object.entries(WORDS))('%s has words for every time that is stored', (_name, words) => {
  fc.assert(
    fc.property(storedTime, (atMs) => {
      expect(words(atMs)).toBeTruthy();
    }),
  );
});

it('prints ordinary times as ever, and the others as what they are', () => {
  expect(isoUtc(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoUtcSeconds(Date.UTC(2026, 10, 28))).toBe('2026-11-28T00:00:00Z');
  expect(isoUtc(9_404_000_000_000_000)).toBe('9404000000000000 ms since 1970');
});

/** These print a time of this very moment, or one that a schema with the bounds of `moment.ts` let in. */
const BOUNDED = new Set(
  'iso-time run-id keep-aside line values-text history-handlers patrol kernel-log'
    .split(' ')
    .map((name) => `${name}.ts`),
);

it('is the one way to print a stored time', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const others = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|fixture)\.tsx?$/.test(path))
    .filter((path) => !BOUNDED.has(path.split('/').at(-1) ?? ''))
    .filter((path) =>
      /(?<!new Date\(\))\.toISOString\(\)/.test(readFileSync(`${root}/${path}`, 'utf8')),
    );
  expect(others).toEqual(['shared/meter/ledger-csv.ts']);
});
