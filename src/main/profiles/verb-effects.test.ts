import { expect, it } from 'vitest';
import type { ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import { endVerbs } from '../../shared/teardown/end-verb.ts';
import { effectsOf } from '../../shared/teardown/verb-effects.ts';
import { SHIPPED_IDS, shippedProfile } from './profiles.fixture.ts';

function effects(id: ShippedPlatform, name: string) {
  const profile = shippedProfile(id);
  const verb = endVerbs(profile).find((each) => each.verb === name);
  if (verb === undefined) throw new Error(`${id} has no ${name}`);
  const { billedAs, tiers, clocks } = effectsOf(profile, verb);
  return {
    billedAs,
    deleted: tiers.filter(({ survives }) => survives === false).map(({ tier }) => tier.name),
    billed: tiers
      .filter(({ rate }) => rate !== null && rate !== 'free')
      .map((each) => each.tier.name),
    clocks: clocks.map((clock) => clock.id),
  };
}

it('tells a stop that deletes and goes on billing (RP2, RP4), and the clock that begins with it', () => {
  const stop = effects('runpod', 'stop');
  expect(stop.billedAs).toBe('stopped');
  expect(stop.deleted).toContain('container disk');
  expect(stop.billed).toContain('volume disk');
  expect(stop.clocks).toContain('runpod.stale-30d');
});

it('tells what is deleted for good, and what is billed after it (RP3, LAM6)', () => {
  expect(effects('runpod', 'terminate').deleted).toContain('volume disk');
  const terminate = effects('lambda', 'terminate');
  expect(terminate.billedAs).toBe('destroyed');
  expect(terminate.billed).toContain('NFS filesystem');
});

it('tells the release that follows a power-off on its own (AD-DANGER)', () => {
  const [stop] = endVerbs(shippedProfile('autodl')).filter(({ kind }) => kind === 'stop');
  const { clocks } = effectsOf(shippedProfile('autodl'), stop!);
  expect(clocks.map(({ rule }) => rule.kind)).toContain('after');
});

it('says of nothing that is deleted what it costs afterwards, on any platform', () => {
  for (const id of SHIPPED_IDS) {
    const profile = shippedProfile(id);
    for (const verb of endVerbs(profile)) {
      for (const { survives, rate } of effectsOf(profile, verb).tiers) {
        if (survives === false) expect(rate).toBe(null);
      }
    }
  }
});

it('bills the machine on where only its job ends, and begins no clock that the verb itself ends', () => {
  const job = effects('kubernetes', 'kubectl delete job');
  expect([job.billedAs, job.clocks]).toEqual(['running', ['k8s.nodes-left']]);
  const pool = effects('kubernetes', 'scale the node pool down');
  expect([pool.billedAs, pool.clocks]).toEqual(['destroyed', []]);
});
