import { describe, expect, it } from 'vitest';
import type { BoxBehind, RunBehind } from '../../shared/transfer/behind.ts';
import { behindWords } from './behind-words.ts';

const NOW = Date.parse('2026-11-24T01:00:00Z');
const MIN = 60_000;

const seen = { atMs: NOW - 3 * MIN, files: 0, bytes: 0, checkpoints: 0, scratchBytes: 0 };
const run = (part: Partial<RunBehind> = {}): RunBehind => ({
  ...{ runId: 'r-1', runName: 'train', seen, problem: null },
  ...part,
});
const box = (runs: readonly RunBehind[], part: Partial<BoxBehind> = {}): BoxBehind => ({
  ...{ runs, unseenRuns: 0, rate: { bytesPerS: 41e6, atMs: NOW } },
  ...part,
});
const words = (behind: BoxBehind | null, leftMs: number | null = null) => {
  const { sentence, short, tone, title } = behindWords(behind, leftMs, NOW);
  const plain = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, ' ') ?? null;
  return { sentence: plain(sentence), short: plain(short), tone, title: plain(title) };
};

describe('how far this computer is behind a box', () => {
  it('is never nothing where nobody has looked', () => {
    const unlisted = run({ seen: null, problem: 'The results folder does not exist on the box.' });
    for (const unknown of [null, box([unlisted]), box([run()], { unseenRuns: 1 })]) {
      expect(words(unknown)).toMatchObject({ tone: 'unknown', short: 'backup unchecked' });
    }
    expect(words(box([unlisted])).title).toContain('train: not looked at. The results folder');
  });

  it('is nothing only where every run was listed', () => {
    expect(words(box([run()]))).toMatchObject({
      ...{ tone: 'ok', short: null },
      sentence: 'All known results are backed up (checked 3 min ago).',
    });
    expect(words(box([]))).toMatchObject({ tone: 'off', short: null });
  });

  it('is the least that it can be where a run is not known', () => {
    const behind = run({ seen: { ...seen, files: 3, bytes: 2_000_000 } });
    expect(words(box([behind], { unseenRuns: 2 }), 60 * MIN)).toMatchObject({
      tone: 'warn',
      short: '≥ 2.0 MB behind',
      sentence:
        'You are at least 3 files and 2.0 MB behind; at 41.0 MB/s that is less than a second; 1 h left (checked 3 min ago).',
    });
  });

  it('looks calm while there is time, and alarms where that is not enough', () => {
    const behind = box([run({ seen: { ...seen, files: 1, bytes: 41e6 * 3600 } })]);
    const tones = [null, 48, 20, 0.9].map((hours) => {
      return words(behind, hours === null ? null : hours * 60 * MIN).tone;
    });
    expect(tones).toEqual(['info', 'info', 'warn', 'danger']);
  });

  it('names no rate that nobody measured, and says when the time is over', () => {
    const behind = box([run({ seen: { ...seen, files: 1, bytes: 5e9, checkpoints: 1 } })], {
      rate: null,
    });
    expect(words(behind, 0).sentence).toBe(
      'You are 1 checkpoint and 5.0 GB behind; rate not measured; the time is over (checked 3 min ago).',
    );
  });
});
