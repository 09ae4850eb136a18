import { useId } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import type { BoxMeter, Period } from '../../shared/meter/box-meter.ts';
import { formatMoney } from '../../shared/money.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { FactStamp } from '../facts/fact-stamp.tsx';
import { yesNoWords } from '../facts/fact-words.ts';
import { useProfile } from '../state/profiles.ts';
import { formatBytes } from '../ui/format.ts';
import styles from './costs.module.css';

interface ReceivedBytesProps {
  readonly box: Box;
  readonly meter: BoxMeter;
}

const SHOWN: readonly (readonly [Period, string])[] = [
  ['today', 'Today'],
  ['month', 'This month'],
  ['total', 'In total'],
];

/** What came from the box over our own connections, how that is known, and what such bytes cost. */
export function ReceivedBytes({ box, meter }: ReceivedBytesProps) {
  const titleId = useId();
  const profile = useProfile(box.platform);
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <h2 id={titleId}>Bytes out of the box</h2>
      <dl className={styles['facts']}>
        {SHOWN.map(([period, name]) => (
          <Row key={period} name={name} bytes={meter[period].receivedBytes} />
        ))}
        <dt>Price</dt>
        <dd>
          <PriceWords meter={meter} profile={profile} />
        </dd>
      </dl>
      <p className={styles['hint']}>
        Measured by Leasehold: what came over its own connections, terminals, readings and tunnels
        alike. What other programs moved is not in it; enter it as a transfer. Of tunnels that the
        system’s ssh carries only the content is counted, without what ssh adds.
      </p>
    </section>
  );
}

function Row({ name, bytes }: { readonly name: string; readonly bytes: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="figures">{bytes === 0 ? 'none seen' : formatBytes(bytes)}</dd>
    </>
  );
}

function PriceWords({
  meter: { egressRate, prices },
  profile,
}: {
  readonly meter: BoxMeter;
  readonly profile: Profile | null;
}) {
  if (egressRate !== null) {
    const isOwn = prices.egress !== null;
    return (
      <>
        <span className="figures">{formatMoney(egressRate)}</span> a GB,{' '}
        {isOwn ? 'as you entered it' : <>as {profile?.name ?? 'the platform'} says </>}
        {!isOwn && profile !== null && <FactStamp {...profile.egress} sources={profile.sources} />}
      </>
    );
  }
  if (profile === null) return 'not set: these bytes are in no sum';
  const { isFree } = profile.egress;
  return (
    <>
      {isFree === true
        ? `${profile.name} does not bill them`
        : `not set, so these bytes are in no sum. Free at ${profile.name}: ${yesNoWords(isFree)}`}{' '}
      <FactStamp {...profile.egress} sources={profile.sources} />
    </>
  );
}
