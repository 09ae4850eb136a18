import { expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { BoxInspector } from './box-inspector.ts';
import { findsNothing } from './finds-nothing.fixture.ts';

it('says of a record that nobody could read to its end what to do about just that', async () => {
  const never = () => Promise.reject(new Error('nothing was launched here'));
  const nextStep = 'Restore it from a backup, or move it away.';
  const damaged = problem('database-unavailable', 'Its note is damaged.', { nextStep });
  const inspector = new BoxInspector('b1', {
    ...findsNothing,
    runs: {
      look: () => Promise.resolve(ok({ runs: [], leftOut: 0, problem: null, atMs: 0 })),
      ...{ proof: never, folders: () => [], list: never, hash: never },
    },
    patrol: () => Promise.resolve(ok(null)),
    seenOn: () => null,
    home: { check: never, checkRecord: () => Promise.resolve(err(damaged)) },
    records: { losses: () => ok([]), appendLosses: () => ok(1) },
    ...{ monoMs: () => 0, proofHoldsMs: () => 1 },
  });
  const { blockers } = await inspector.inspect();
  expect(blockers.filter(({ kind }) => kind === 'evidence-broken')).toMatchObject([
    { says: `Its note is damaged. ${nextStep}`, loss: null },
  ]);
});
