import { describe, expect, it } from 'vitest';
import type { MigPart } from '../../../shared/telemetry/gpu-facts.ts';
import { migWords, partMemoryWords, partName, sharedWords } from './mig-words.ts';

const text = (words: string) => words.replace(/[\u202f\u00a0]/g, ' ');

function part(given: Partial<MigPart>): MigPart {
  return {
    device: 0,
    gpuInstance: null,
    profile: '3g.40gb',
    memoryUsedMiB: null,
    memoryTotalMiB: null,
    ...given,
  };
}

it('says which card is split, and says nothing without MIG', () => {
  const words = migWords([
    { index: 0, migMode: 'Enabled', migParts: [part({}), part({ device: 1 })] },
    { index: 1, migMode: 'Disabled', migParts: null },
    { index: 2, migMode: 'Enabled', migParts: [] },
    { index: 3, migMode: 'Enabled', migParts: null },
  ]);
  expect(words).toContain('GPU 0 is split into 2 parts; ');
  expect(words).toContain('GPU 2 is not split; GPU 3 can be split, and into what is not told.');
  expect(words).not.toContain('GPU 1');
  expect(migWords([{ index: 0, migMode: null, migParts: null }])).toBeNull();
});

describe('a part', () => {
  it('tells its memory, and unknown is not none of it', () => {
    expect(text(partMemoryWords(part({ memoryUsedMiB: 11_091, memoryTotalMiB: 40_448 })))).toBe(
      '10.8 of 39.5 GiB',
    );
    expect(text(partMemoryWords(part({ memoryUsedMiB: 512 })))).toBe('0.5 GiB');
    expect(partMemoryWords(part({ memoryTotalMiB: 40_448 }))).toBe('memory not reported');
  });

  it('is called by its number and its profile, as far as they are told', () => {
    expect(partName(part({ device: 2 }))).toBe('Part 2 · 3g.40gb');
    expect(partName(part({ device: 2, profile: null }))).toBe('Part 2');
    expect(partName(part({ device: null }))).toBe('Part · 3g.40gb');
  });

  it('says with which others it shares memory, and claims nothing where that is not told', () => {
    const all = [
      part({ gpuInstance: 2 }),
      part({ device: 1, gpuInstance: 2 }),
      part({ device: 2, gpuInstance: 3 }),
      part({ device: 3 }),
      part({ device: 4 }),
    ];
    expect(all.map((each) => sharedWords(each, all))).toEqual([
      'shared with part 1',
      'shared with part 0',
      null,
      null,
      null,
    ]);
  });
});
