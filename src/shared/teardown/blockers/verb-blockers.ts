import { formatPrice, type StorageRate } from '../../profiles/price.ts';
import type { ProfileClock, StorageTier } from '../../profiles/profile.ts';
import { endVerbs, type EndVerb } from '../end-verb.ts';
import type { EndFacts, FoundOnBox, OthersData } from '../found-on-box.ts';
import { hasCurves, linesOf, lossOf, namesOf, othersLines, strayWords } from './place-blockers.ts';
import { MOST_SHOWN, type Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

type Found = Pick<FoundOnBox, 'outside' | 'profile'>;

/** What is in the way of one verb of the platform: what it takes along, and what it leaves to be paid for. */
export function verbBlockers(found: Found, sha256: Hashing): readonly Raised[] {
  const { profile } = found;
  if (profile === null) return [];
  return endVerbs(profile).flatMap((verb) => [
    ...profile.storage.flatMap((tier) => {
      const end = endOf(tier, verb, profile);
      if (end === null) return [];
      return [
        ...tierGoes(tier, verb, end, found, sha256),
        ...othersData(tier, verb, found, sha256),
      ];
    }),
    ...billsOn(profile.storage, verb, sha256),
  ]);
}

const survives = ({ survivesStop, survivesDestroy }: StorageTier, { kind }: EndVerb) =>
  kind === 'stop' ? survivesStop : survivesDestroy;

/** How the verb ends the tier; null: it is known to outlive it, and no clock takes it that begins then. */
function endOf(
  tier: StorageTier,
  verb: EndVerb,
  { clocks }: EndFacts,
): { readonly says: string; readonly entry: string | null } | null {
  const called = `“${verb.verb}”`;
  const stays = survives(tier, verb);
  // What goes at once is taken by no clock; of what stays for a while, or depends, the clock says more.
  const isGone = stays === false || stays === null;
  const clock = verb.kind === 'stop' && !isGone ? soonestClock(tier, clocks) : null;
  if (clock === null) {
    return stays === true
      ? null
      : { says: `${called} may delete the ${tier.name}.`, entry: verb.takes };
  }
  const when = clock.after === null ? '' : ` after ${clock.after}`;
  return {
    says: `${called} starts what deletes the ${tier.name}${when}: ${clock.consequence}.`,
    entry: verb.later,
  };
}

/** Of the clocks that begin with a stop and take the tier, the one that is through first. */
function soonestClock({ name }: StorageTier, clocks: EndFacts['clocks']): ProfileClock | null {
  const forMs = ({ rule }: ProfileClock): number =>
    rule.kind === 'after' && rule.from === 'stopped' ? rule.for : Infinity;
  const [first] = clocks
    .filter((clock) => clock.loses.includes(name) && forMs(clock) < Infinity)
    .sort((a, b) => forMs(a) - forMs(b));
  return first ?? null;
}

function tierGoes(
  { name }: StorageTier,
  { verb }: EndVerb,
  { says, entry }: NonNullable<ReturnType<typeof endOf>>,
  { outside }: Found,
  sha256: Hashing,
): readonly Raised[] {
  const files = outside.files.filter(({ tier }) => tier === name);
  if (files.length === 0) return [];
  return [
    {
      ...{ id: `tier-goes:${verb}:${name}`, kind: 'tier-goes', stage: 'effect', verb },
      ...{ entry: entry ?? (hasCurves(files) ? 'U20' : null), shows: linesOf(files) },
      says: `${says} There: ${strayWords(files, outside)}`,
      loss: lossOf(files, outside, sha256),
    },
  ];
}

function othersData(
  { name }: StorageTier,
  { verb }: EndVerb,
  { outside }: Found,
  sha256: Hashing,
): readonly Raised[] {
  const others = outside.others.filter(({ tier }) => tier === name);
  if (others.length === 0) return [];
  const lines = othersLines(others);
  return [
    {
      ...{ id: `others-data:${verb}:${name}`, kind: 'others-data', stage: 'effect', verb },
      ...{ entry: 'LR2', shows: lines.slice(0, MOST_SHOWN) },
      says: `“${verb}” may delete the ${name}. ${othersWords(others)}`,
      loss: sha256(JSON.stringify(lines)),
    },
  ];
}

function othersWords(others: readonly OthersData[]): string {
  const kept = namesOf(others.filter(({ path }) => path !== null));
  const unseen = namesOf(others).filter((name) => !kept.includes(name));
  return [
    ...(kept.length === 0
      ? []
      : [`${kept.join(', ')} ${kept.length === 1 ? 'keeps' : 'keep'} results there, too.`]),
    ...(unseen.length === 0
      ? []
      : [
          `Whether ${unseen.join(', ')} ${unseen.length === 1 ? 'keeps' : 'keep'} anything there is not known: connect, and look at the Runs tab.`,
        ]),
  ].join(' ');
}

/** What is deleted with the box costs nothing any more; what is not said of the rest is not free. */
function billsOn(
  storage: readonly StorageTier[],
  verb: EndVerb,
  sha256: Hashing,
): readonly Raised[] {
  const rateOf = ({ rates }: StorageTier): StorageRate =>
    verb.kind === 'stop' ? rates.stopped : rates.destroyed;
  const kept = storage.filter((tier) => survives(tier, verb) !== false && rateOf(tier) !== 'free');
  const billed = [...kept.map(({ name }) => name), ...verb.leaves.map(({ what }) => what)];
  if (billed.length === 0) return [];
  const lines = [
    ...kept.map((tier) => `${tier.name}: ${rateWords(rateOf(tier))}${factWords(tier)}`),
    ...verb.leaves.map(
      ({ what, rate }) =>
        `${what}: ${rateWords(rate)}${factWords({ billing: null, verified: verb.verified })}`,
    ),
  ];
  return [
    {
      ...{ id: `bills-on:${verb.verb}`, kind: 'bills-on', stage: 'effect', verb: verb.verb },
      ...{ entry: verb.goesOn, shows: lines, loss: sha256(JSON.stringify(lines)) },
      says: `“${verb.verb}” does not stop billing for what else may exist: ${billed.join(', ')}.`,
    },
  ];
}

/** A price is as old as the look at its source. */
const factWords = ({ billing, verified }: Pick<StorageTier, 'billing' | 'verified'>): string =>
  `${billing === null ? '' : ` – ${billing}`}${verified === null ? '' : ` (as of ${verified})`}`;

function rateWords(rate: StorageRate): string {
  if (rate === null) return 'what it costs is not known';
  if (rate === 'unpriced') return 'it costs something; how much is not known';
  return rate === 'free' ? 'free' : formatPrice(rate);
}
