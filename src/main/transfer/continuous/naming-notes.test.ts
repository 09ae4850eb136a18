import { expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err } from '../../../shared/result.ts';
import { memoryEntries } from '../../runs/run-box.fixture.ts';
import { NamingNotes } from './naming-notes.ts';

it('knows nothing, and says why, where the database cannot be read', () => {
  const cause = problem('database-corrupt', 'It cannot be read.');
  const told: unknown[] = [];
  const entries = { read: () => err(cause), write: () => err(cause) };
  const of = { boxId: 'box', runId: 'r-1', from: '/out', to: '/home/results' };
  const notes = new NamingNotes(entries, of, (found) => told.push(found));
  expect([notes.of('metrics.csv'), told]).toEqual([[], [cause]]);
});

it('keeps what stands there beside what is about to take its place, whoever read that before', () => {
  const of = { boxId: 'box', runId: 'r-1', from: '/out', to: '/home/results' };
  const entries = memoryEntries();
  const open = () => new NamingNotes(entries, of, () => undefined);
  const version = (sha256: string) => ({ bytes: 7, modifiedAtMs: 1, sha256 });
  const path = 'metrics.csv';
  open().add([{ path, before: null, copy: version('first') }]);
  open().add([{ path, before: version('first'), copy: version('second') }]);
  expect(open().of(path)).toEqual([version('first'), version('second')]);
  open().add([{ path, before: version('second'), copy: version('third') }]);
  expect(open().of(path)).toEqual([version('second'), version('third')]);
  open().drop([{ path, sha256: 'second' }]);
  expect(open().of(path)).toHaveLength(2);
  open().drop([{ path, sha256: 'third' }]);
  expect(open().of(path)).toEqual([]);
});
