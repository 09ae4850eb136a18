import type { ReactNode } from 'react';
import { estimateRun, wholeSum } from '../../../../shared/meter/estimate.ts';
import { formatMoney, formatMoneyBriefly } from '../../../../shared/money.ts';
import { slowWayOf } from '../../../../shared/profiles/copy-way.ts';
import { selectEntry, selectMeter, useFleet, useMeter } from '../../../state/feeds.ts';
import { useProfile } from '../../../state/profiles.ts';
import { formatBytes } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { TierNote } from '../../files/places-menu.tsx';
import type { Fates } from './fates.tsx';

/** What the platform takes for bytes that leave it. Where nobody says, that is unknown, and not free. */
export function Egress({ boxId, bytes }: { readonly boxId: string; readonly bytes: number }) {
  const rate = useMeter(selectMeter(boxId))?.egressRate ?? null;
  const profile = useProfile(useFleet(selectEntry(boxId))?.box.platform ?? '');
  if (rate !== null) {
    const sum = wholeSum(estimateRun([], 0, { bytes, rate }));
    const price = `${formatMoney(rate)} a GB`;
    return sum === null ? price : `about ${formatMoneyBriefly(sum)}, at ${price}`;
  }
  return profile?.egress.isFree === true
    ? `${profile.name} does not bill it`
    : 'no price set: it may cost something';
}

/** What becomes of the box's own copy, by the tier on which it lies. What nobody knows is not said to stay. */
export function Fate({ fates, folder }: { readonly fates: Fates; readonly folder: string }) {
  const tier = fates.of(`${folder}/`);
  if (tier !== null) return <TierNote tier={tier} />;
  return fates.isLooking
    ? 'checking…'
    : 'not known: it may be deleted when the box is stopped or destroyed';
}

/** Over which of the platform’s ways in the bytes come, where one of them is slow for that. */
export function WayIn({ boxId }: { readonly boxId: string }) {
  const box = useFleet(selectEntry(boxId))?.box;
  const profile = useProfile(box?.platform ?? '');
  const slow = profile === null ? null : slowWayOf(profile, box?.address.host ?? '');
  if (profile === null || slow === null) return null;
  const { name, copies, better, isCertain } = slow;
  const instead = `${better.name}${better.endpoint === null ? '' : `: ${better.endpoint}`}`;
  return (
    <Fact label="Way in">
      <Glyph tone={isCertain ? 'warn' : 'unknown'} />{' '}
      {isCertain
        ? `This address is ${profile.name}’s ${name}, over which copies are: ${copies}. Change the address to its ${instead}.`
        : `If this address is ${profile.name}’s ${name}, copies over it are: ${copies}. Better is its ${instead}.`}
    </Fact>
  );
}

export function Fact({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

export const freeWords = (freeBytes: number | null): string =>
  freeBytes === null ? 'not known: this disk does not say' : formatBytes(freeBytes);
