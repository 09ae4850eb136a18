import { expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err } from '../../../shared/result.ts';
import { NamingNotes } from './naming-notes.ts';

it('knows nothing, and says why, where the database cannot be read', () => {
  const cause = problem('database-corrupt', 'It cannot be read.');
  const told: unknown[] = [];
  const entries = { read: () => err(cause), write: () => err(cause) };
  const of = { boxId: 'box', runId: 'r-1', from: '/out', to: '/home/results' };
  const notes = new NamingNotes(entries, of, (found) => told.push(found));
  expect([notes.of('metrics.csv'), told]).toEqual([[], [cause]]);
});
