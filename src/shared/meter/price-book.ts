import type { Profile, StorageTier } from '../profiles/profile.ts';
import type { PriceBook } from './box-recorder.ts';
import type { Charge, Phase } from './interval.ts';
import type { PriceEntries } from './price-entries.ts';
import { judgeRate, type Rate } from './rate.ts';

export const NO_PRICES: PriceEntries = {
  compute: null,
  disks: [],
  others: [],
  egress: null,
};

/**
 * What is billed in each phase: what the person said, and for their disks the platform's rates. Where the profile does not say
 * what a disk costs, the charge is there without a rate, so that the sum says that it lacks something.
 */
export function priceBook(entries: PriceEntries, profile: Profile | null): PriceBook {
  const ofPhase = (phase: Phase): readonly Charge[] => [
    ...(phase === 'running'
      ? [{ kind: 'compute' as const, what: 'GPU time', rate: entries.compute }]
      : []),
    ...entries.disks.flatMap((disk) => diskCharge(disk, profile, phase)),
    ...entries.others
      .filter(({ isBilledWhileStopped }) => phase === 'running' || isBilledWhileStopped)
      .filter(() => phase !== 'destroyed')
      .map(({ what, rate }) => ({ kind: 'other' as const, what, rate })),
  ];
  return {
    running: ofPhase('running'),
    stopped: ofPhase('stopped'),
    destroyed: ofPhase('destroyed'),
  };
}

/**
 * What bytes out of the datacenter cost: what the person said, or else what the profile says. Null: neither says that they cost
 * anything, or how much.
 */
export function egressRate({ egress }: PriceEntries, profile: Profile | null): Rate | null {
  if (egress !== null) return egress;
  const told = profile?.egress.price ?? null;
  if (told?.per !== 'GB') return null;
  const rate: Rate = { micros: told.micros, currency: told.currency, per: 'GB' };
  return judgeRate(rate).ok ? rate : null;
}

function diskCharge(
  disk: PriceEntries['disks'][number],
  profile: Profile | null,
  phase: Phase,
): readonly Charge[] {
  const tier = profile?.storage.find(({ name }) => name === disk.tier);
  // A price of the person's own holds as long as the disk is there.
  if (disk.perGB !== null) {
    const isGone = phase === 'destroyed' && tier?.survivesDestroy !== true;
    const perGB = phase === 'running' ? disk.perGB.running : disk.perGB.stopped;
    const own: Rate = { ...perGB, micros: perGB.micros * disk.sizeGB };
    if (isGone) return [];
    return [{ kind: 'storage', what: disk.tier, rate: judgeRate(own).ok ? own : null }];
  }
  const rate = tier === undefined ? null : tier.rates[phase];
  if (rate === 'free') return [];
  const isPriced = tier !== undefined && rate !== null && rate !== 'unpriced';
  const charged = isPriced ? sizedRate(tier, disk.sizeGB, rate) : null;
  return [{ kind: 'storage', what: disk.tier, rate: charged }];
}

function sizedRate(
  { freeGB }: StorageTier,
  sizeGB: number,
  {
    micros,
    currency,
    per,
  }: { readonly micros: number; readonly currency: string; readonly per: string },
): Rate | null {
  const billedGB = Math.max(0, sizeGB - Math.ceil(freeGB ?? 0));
  const size = per.startsWith('G') ? billedGB : 1;
  const unit = per.endsWith('month') ? 'month' : per.endsWith('hour') ? 'hour' : null;
  if (unit === null) return null;
  const rate: Rate = { micros: micros * size, currency, per: unit };
  return judgeRate(rate).ok ? rate : null;
}
