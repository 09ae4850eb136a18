import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildIndex, search } from '../../shared/gotchas/search.ts';
import { shippedGotchas } from './gotchas.fixture.ts';

/**
 * What people type, each with the entries that answer it, or none. The last 41 are after titles of public threads. Words and weights
 * of the search are tuned on one half; by the hash of its words nobody chooses in which half a line falls.
 */
const asked = readFileSync(new URL('search-asked.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [text = '', entries = ''] = line.split('\t');
    const digit = createHash('sha256').update(text).digest('hex').slice(0, 1);
    const half = parseInt(digit, 16) % 2 === 0 ? ('tuned' as const) : ('untouched' as const);
    return { text, half, entries: entries === 'none' ? [] : entries.split(',') };
  });
const index = buildIndex(shippedGotchas());
const firstOf = (text: string): string | undefined => search(index, text).hits[0]?.id;

describe.each(['tuned', 'untouched'] as const)('what people type, the %s half', (half) => {
  const those = asked.filter((each) => each.half === half);
  const answered = those.filter(({ entries }) => entries.length > 0);

  it('is answered by the first entry, nine of ten times', () => {
    const right = answered.filter(({ text, entries }) => entries.includes(firstOf(text) ?? ''));
    expect(answered.length).toBeGreaterThanOrEqual(80);
    expect(right.length / answered.length).toBeGreaterThanOrEqual(0.9);
  });

  it('fits nothing where nothing is known of it, all but once', () => {
    const guessed = those.filter(({ text, entries }) => entries.length === 0 && firstOf(text));
    expect(guessed.length).toBeLessThanOrEqual(1);
  });
});
