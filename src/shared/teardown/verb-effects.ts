import type { Phase } from '../meter/interval.ts';
import type { Profile, ProfileClock, StorageTier } from '../profiles/profile.ts';
import { aimOf, type EndVerb } from './end-verb.ts';

/** What becomes of one place for data by a verb. */
export interface TierEffect {
  readonly tier: StorageTier;
  readonly survives: StorageTier['survivesStop'];
  /** What it costs afterwards; null where it is deleted, or where that is not known. */
  readonly rate: StorageTier['rates']['stopped'];
}

/** What a verb leaves behind: data, bills, and clocks that begin with it. */
export interface VerbEffects {
  readonly verb: EndVerb;
  /** How the box is afterwards, as its meter counts it: a machine may run on, and be billed, when its job has ended. */
  readonly billedAs: Phase;
  readonly tiers: readonly TierEffect[];
  readonly clocks: readonly ProfileClock[];
}

export function effectsOf({ storage, clocks }: Profile, verb: EndVerb): VerbEffects {
  const phase = aimOf(verb) === 'stopped' ? 'stopped' : 'destroyed';
  return {
    ...{ verb, billedAs: verb.stopsCompute === false ? 'running' : phase },
    tiers: storage.map((tier) => {
      const survives = phase === 'stopped' ? tier.survivesStop : tier.survivesDestroy;
      return { tier, survives, rate: survives === false ? null : tier.rates[phase] };
    }),
    clocks: clocks.filter(({ rule, stops }) => stops !== verb.verb && beginsIn(rule, phase)),
  };
}

/** A clock that only counts what is billed begins, too: nothing else tells that it goes on. */
function beginsIn(rule: ProfileClock['rule'], phase: Exclude<Phase, 'running'>): boolean {
  if (rule.kind === 'after') return phase === 'stopped' && rule.from === 'stopped';
  return rule.kind === 'cost' && rule.while === phase;
}
