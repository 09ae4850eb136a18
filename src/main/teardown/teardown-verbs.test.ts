import { afterEach, describe, expect, it } from 'vitest';
import type { Profile } from '../../shared/profiles/profile.ts';
import { APPROVAL_LASTS_MS, GatePass } from '../../shared/teardown/gate.ts';
import { MACHINE } from '../../shared/teardown/found-on-box.fixture.ts';
import { inspectionOf } from '../../shared/teardown/gate.fixture.ts';
import { ProviderLinks, type ProviderLink } from './provider-links.ts';
import { LinkedVerbs, VerbsByHand, type TeardownVerbs } from './teardown-verbs.ts';

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

const WITHIN = { signal: new AbortController().signal, forMs: 20_000, of: 'i-1' };

function passFor(verb: string, instance: string | null = 'i-1'): GatePass {
  const inspection = { ...inspectionOf('seen'), machine: { ...MACHINE, instance } };
  const yes = { verb, aim: 'gone', digest: 'seen', typed: 'train-a', atMs: 5 } as const;
  const approval = { ...yes, fromMonoMs: 0, untilMonoMs: APPROVAL_LASTS_MS };
  const opened = GatePass.open(
    { kind: 'approved', inspection, approval },
    {
      kind: 'begin',
      ...{ inspection, lookedFromMonoMs: 0, boxName: 'train-a', monoMs: 1 },
      ...{ actId: 'act-1', evidence: 1 },
    },
  );
  if (!opened.ok) throw new Error(opened.error);
  return opened.value.pass;
}

it('ends a box once for each pass, and only by a verb of its platform that ends one', async () => {
  expect(verbs.aimOf('b1', 'Terminate')).toBe('gone');
  expect(verbs.aimOf('b1', 'Delete volume')).toBe(null);
  const pass = passFor('Terminate');
  const kindOf = async (given: GatePass) => (await verbs.act('b1', given)).kind;
  expect(await kindOf(pass)).toBe('by-hand');
  expect(await kindOf(pass)).toBe('refused');
  expect(await kindOf(passFor('Delete volume'))).toBe('refused');
});

describe('LinkedVerbs', () => {
  const links = new ProviderLinks();
  const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
  const linked = new LinkedVerbs({ byHand: verbs, links, redact, actForMs: 10 });
  const never = (): Promise<never> => new Promise(() => undefined);
  const link: ProviderLink = {
    ...{ provider: 'Acme', verbs: ['Terminate'] },
    act: (instance, pass) =>
      Promise.resolve({
        kind: pass.take() ? 'accepted' : 'refused',
        says: `${instance} ${pass.act.id}`,
      }),
    look: () => Promise.resolve({ kind: 'running', says: 'up' }),
    list: () => Promise.resolve([]),
    price: () => Promise.resolve({ running: null, stopped: null, isWithStorage: false }),
  };
  afterEach(() => links.hold('b1', { link, instance: 'i-1' })());

  it('gives the pass to the provider of the box, which takes it once', async () => {
    const letGo = links.hold('b1', { link, instance: 'i-1' });
    const pass = passFor('Terminate');
    expect(await linked.act('b1', pass)).toMatchObject({ kind: 'accepted', says: 'i-1 act-1' });
    expect((await linked.act('b1', pass)).kind).toBe('refused');
    expect(await linked.look('b1', WITHIN)).toMatchObject({
      ...{ provider: 'Acme', kind: 'running' },
    });
    letGo();
    expect(linked.providerOf('b1', null)).toBe(null);
    expect(await linked.look('b1', WITHIN)).toBe(null);
  });

  it('tells and asks its provider of the machine that was approved alone, whichever is linked by now', async () => {
    let orders = 0;
    const act: ProviderLink['act'] = () => {
      orders += 1;
      return Promise.resolve({ kind: 'accepted', says: 'deleted' });
    };
    const look: ProviderLink['look'] = () => Promise.resolve({ kind: 'gone', says: '404' });
    const letGo = links.hold('b1', { link: { ...link, act, look }, instance: 'i-2' });
    for (const instance of ['i-1', null]) {
      const pass = passFor('Terminate', instance);
      expect((await linked.act('b1', pass)).kind).toBe('refused');
      expect(pass.take()).toBe(true);
    }
    expect(orders).toBe(0);
    // “Gone” of another machine is no word about this one.
    expect(await linked.look('b1', WITHIN)).toMatchObject({
      ...{
        provider: 'Acme',
        kind: 'silent',
        says: expect.stringMatching(/^It was not asked/) as unknown,
      },
    });
    expect((await linked.look('b1', { ...WITHIN, of: 'i-2' }))?.kind).toBe('gone');
    letGo();
  });

  it('leaves to the person what the provider does not carry out', async () => {
    links.hold('b1', { link: { ...link, verbs: [] }, instance: 'i-1' });
    expect((await linked.act('b1', passFor('Terminate'))).kind).toBe('by-hand');
    // And says so: nobody was told.
    expect(linked.providerOf('b1', 'Terminate')).toBe(null);
    expect(linked.providerOf('b1', null)).toBe('Acme');
  });

  it('tells why a call failed, without secrets and not without end', async () => {
    const broken = () => Promise.reject(new Error(`401 for hunter2 ${'x'.repeat(9000)}`));
    links.hold('b1', { link: { ...link, act: broken, look: broken }, instance: 'i-1' });
    const answers = [await linked.act('b1', passFor('Terminate')), await linked.look('b1', WITHIN)];
    for (const answer of answers) {
      const says = answer !== null && 'says' in answer ? answer.says : '';
      expect(says).toMatch(/^401 for \[redacted\] x+$/);
      expect(says.length).toBeLessThan(1000);
    }
  });

  it('takes a call that hangs, or breaks, for an answer that is lost (LAM14)', async () => {
    for (const act of [never, () => Promise.reject(new Error('reset'))]) {
      links.hold('b1', { link: { ...link, act, look: never }, instance: 'i-1' });
      expect((await linked.act('b1', passFor('Terminate'))).kind).toBe('lost');
      expect((await linked.look('b1', { ...WITHIN, signal: AbortSignal.abort() }))?.kind).toBe(
        'silent',
      );
    }
  });
});

it('cannot be called without a pass, and nobody can make one: neither compiles', () => {
  const act = {
    ...{ id: 'act-1', verb: 'Terminate', aim: 'gone' as const, approvedAtMs: 5, evidence: 1 },
    machine: null,
  };
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

it('tells who follows of each box that is linked, and that no longer is', () => {
  const links = new ProviderLinks();
  const told: (readonly [string, boolean])[] = [];
  const unfollow = links.follow((boxId) => told.push([boxId, links.of(boxId) !== null]));
  const linked = { link: {} as ProviderLink, instance: 'i-1' };
  const letGo = links.hold('b1', linked);
  const again = links.hold('b1', { ...linked, instance: 'i-2' });
  // The first one is held no more.
  letGo();
  again();
  unfollow();
  links.hold('b1', linked);
  expect(told).toEqual([
    ['b1', true],
    ['b1', true],
    ['b1', false],
  ]);
});
