import { expect, it } from 'vitest';
import type { PulledFile } from '../transfer/pull.ts';
import type { EvidenceEntry } from './chain.ts';
import { evidencePage } from './evidence-page.ts';

const SHA = 'ab'.repeat(32);
const file = (path: string, more: Partial<PulledFile> = {}): PulledFile => ({
  ...{ path, bytes: 10, modifiedAtMs: 0, keep: 'unknown', mark: 'equal', level: 'hashed' },
  ...{ sha256: SHA, loaded: null, says: null, ...more },
});

it('says of each file of a round no more than it proved', () => {
  const files = [
    file('old.csv', { provenIn: 3 }),
    file('train.log', { isGrowing: true }),
    file('step_1.pt', {
      ...{ mark: 'missing-here', level: 'listed', sha256: null },
      ...{ waits: 'older-checkpoint', says: 'There is a newer checkpoint.' },
    }),
  ];
  const report = { runId: 'r', runName: 'a', from: '/b', to: '/r', manifest: SHA, files };
  const proof = { atMs: 0, seq: 7, hash: SHA, report };
  const entry: EvidenceEntry = {
    kind: 'pull',
    ...{ seq: 7, atMs: 0, boxId: 'b', about: 'r', body: '', previous: SHA, hash: SHA },
  };
  const check = { count: 7, fault: null };
  const page = evidencePage([{ entry, says: { kind: 'pull', ...proof } }], { check, atMs: 0 });
  const text = JSON.stringify(page);
  expect(text).toContain('hashed; in entry 3, unchanged since');
  expect(text).toContain('hashed, of its beginning alone: it was growing');
  expect(text).toContain('not here: There is a newer checkpoint.');
  expect(text).toContain('home 1 with 10 bytes, left on the box 0, not proven 1, begun 1');
});

it('says of a record whose end is not known that it may not be all of it, and not that it was changed', () => {
  const check = { count: 0, fault: { seq: 1, because: 'end-unknown' } } as const;
  const text = JSON.stringify(evidencePage([], { check, atMs: 0 }));
  expect(text).toContain('THIS MAY NOT BE ALL OF THE RECORD');
  expect(text).not.toContain('WAS CHANGED');
});
