import { expect, it } from 'vitest';
import type { Profile } from '../../shared/profiles/profile.ts';
import { APPROVAL_LASTS_MS, GatePass } from '../../shared/teardown/gate.ts';
import { inspectionOf } from '../../shared/teardown/gate.fixture.ts';
import { VerbsByHand, type TeardownVerbs } from './teardown-verbs.ts';

const platform = {
  actions: [
    { kind: 'destroy', verb: 'Terminate' },
    { kind: 'delete-storage', verb: 'Delete volume' },
  ],
} as unknown as Profile;
const verbs = new VerbsByHand(
  () => 'demo',
  () => platform,
);

function passFor(verb: string): GatePass {
  const inspection = inspectionOf('seen');
  const yes = { verb, digest: 'seen', typed: 'train-a', atMs: 5 };
  const approval = { ...yes, fromMonoMs: 0, untilMonoMs: APPROVAL_LASTS_MS };
  const opened = GatePass.open(
    { kind: 'approved', inspection, approval },
    {
      kind: 'begin',
      ...{ inspection, lookedFromMonoMs: 0, boxName: 'train-a', evidence: 1, monoMs: 1 },
    },
  );
  if (!opened.ok) throw new Error(opened.error);
  return opened.value.pass;
}

it('ends a box once for each pass, and only by a verb of its platform that ends one', async () => {
  expect(verbs.names('b1')).toEqual(['Terminate']);
  const pass = passFor('Terminate');
  expect((await verbs.act('b1', pass)).ok).toBe(true);
  expect((await verbs.act('b1', pass)).ok).toBe(false);
  expect((await verbs.act('b1', passFor('Delete volume'))).ok).toBe(false);
});

it('cannot be called without a pass, and nobody can make one: neither compiles', () => {
  const act = { verb: 'Terminate', approvedAtMs: 5, evidence: 1 };
  const around = (of: TeardownVerbs) => [
    // @ts-expect-error -- without a pass
    () => of.act('b1'),
    // @ts-expect-error -- the act alone is none
    () => of.act('b1', { act }),
    // @ts-expect-error -- nor is what looks like one
    () => of.act('b1', { act, take: () => true }),
    // @ts-expect-error -- the constructor is private
    () => new GatePass(act),
    // @ts-expect-error -- and cannot be inherited
    () => class extends GatePass {},
  ];
  expect(around(verbs)).toHaveLength(5);
});
