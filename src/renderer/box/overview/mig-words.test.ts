import { expect, it } from 'vitest';
import { migWords } from './mig-words.ts';

it('says which card is split into what, and says nothing without MIG', () => {
  const words = migWords([
    { index: 0, migMode: 'Enabled', migProfiles: ['3g.40gb', '1g.10gb', '1g.10gb'] },
    { index: 1, migMode: 'Disabled', migProfiles: null },
    { index: 2, migMode: 'Enabled', migProfiles: [] },
    { index: 3, migMode: 'Enabled', migProfiles: null },
  ]);
  expect(words).toContain('GPU 0 is split into 3 parts (3g.40gb, 2 × 1g.10gb)');
  expect(words).toContain('GPU 2 is not split yet; GPU 3 can be split, and into what is not told.');
  expect(words).not.toContain('GPU 1');
  expect(migWords([{ index: 0, migMode: null, migProfiles: null }])).toBeNull();
});
