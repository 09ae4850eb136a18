import type { BoxMounts, MeasuredMount } from '../../../shared/mounts/mount.ts';
import { survivesRestart } from '../../../shared/profiles/after-restart.ts';
import type { StorageRate } from '../../../shared/profiles/price.ts';
import type { Profile, YesNo } from '../../../shared/profiles/profile.ts';
import { placeTiers, type TierPlace } from '../../../shared/profiles/whereabouts.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { rateWords, survivalOf } from '../../facts/fact-words.ts';
import { JudgedWord } from '../../facts/judged-cell.tsx';
import { usePageAct } from '../../state/page-part.ts';
import { Age } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';
import { MountSize } from './mount-size.tsx';
import { SpotLine } from './spot-line.tsx';
import type { MountsLook } from './use-mounts.ts';

interface StorageSectionProps {
  /** Null: nothing is known of the box's platform. */
  readonly profile: Profile | null;
  readonly look: MountsLook;
}

/** What lives where on this very box, and what it outlives. */
export function StorageSection({ profile, look }: StorageSectionProps) {
  const { found } = look;
  return (
    <FactSection
      title="Storage: what survives stop, restart and destroy"
      action={<LookAgain look={look} />}
    >
      {look.problem !== null && <ProblemNote problem={look.problem} />}
      {profile !== null && <SurvivalMatrix profile={profile} found={found} />}
      {found !== null && <Strangers profile={profile} found={found} />}
    </FactSection>
  );
}

function LookAgain({
  look: { found, isLooking, lookAgain, problem },
}: {
  readonly look: MountsLook;
}) {
  usePageAct('measure-again', lookAgain, !isLooking);
  return (
    <span className={styles['looked']} role="status">
      {isLooking && 'Measuring…'}
      {!isLooking && found !== null && (
        <>
          Measured <Age atMs={found.atMs} />
        </>
      )}
      <Button
        size="small"
        disabled={isLooking || problem?.code === 'not-connected'}
        onClick={lookAgain}
      >
        Measure again
      </Button>
    </span>
  );
}

function SurvivalMatrix({
  profile,
  found,
}: {
  readonly profile: Profile;
  readonly found: BoxMounts | null;
}) {
  const tiers: readonly TierPlace[] =
    found === null
      ? profile.storage.map((tier) => ({ tier, spots: [], rivals: [] }))
      : placeTiers(profile, found).tiers;
  if (tiers.length === 0) {
    return <p className={styles['muted']}>The facts name no storage of this platform.</p>;
  }
  return (
    <table className={styles['matrix']}>
      <thead>
        <tr>
          <th scope="col">Storage</th>
          <th scope="col">On this box</th>
          <th scope="col" title="What becomes of the data, and what it costs from then on">
            Stop
          </th>
          <th
            scope="col"
            title="A stop and a start, or a verb of its own where the platform has one"
          >
            Restart
          </th>
          <th scope="col" title="The verb that ends the box for good">
            Destroy
          </th>
        </tr>
      </thead>
      <tbody>
        {tiers.map(({ tier, spots, rivals }) => (
          <tr key={tier.name}>
            <th scope="row">
              {tier.name}
              {tier.path !== null && <small className="mono">{tier.path}</small>}
              {tier.cap !== null && <small>{tier.cap}</small>}
              {tier.note !== null && <small>{tier.note}</small>}
              <FactStamp {...tier} sources={profile.sources} />
            </th>
            <td>
              {found === null && <span className={styles['muted']}>not measured</span>}
              {found !== null && spots.length === 0 && (
                <span
                  className={styles['muted']}
                  title="The facts name no path of it, so no mount can be matched to it."
                >
                  cannot be told by a path
                </span>
              )}
              {spots.map((spot) => (
                <SpotLine key={spot.path} spot={spot} rivals={rivals} />
              ))}
            </td>
            <Fate survives={tier.survivesStop} rate={tier.rates.stopped} />
            <Fate survives={survivesRestart(tier, profile)} rate={null} />
            <Fate survives={tier.survivesDestroy} rate={tier.rates.destroyed} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is deleted costs nothing any more; saying so again would only be in the way. */
function Fate({ survives, rate }: { readonly survives: YesNo; readonly rate: StorageRate }) {
  const costs = survives === false ? null : rateWords(rate);
  return (
    <td>
      <JudgedWord judged={survivalOf(survives)} />
      {costs !== null && (
        <small title="The platform’s own price, as an example. Your bill may differ.">
          {costs}
        </small>
      )}
    </td>
  );
}

/** Mounts that the facts do not name. */
function Strangers({
  profile,
  found,
}: {
  readonly profile: Profile | null;
  readonly found: BoxMounts;
}) {
  const strangers = profile === null ? found.mounts : placeTiers(profile, found).strangers;
  const isEmpty = strangers.length + found.leftOut + found.unreadable.length === 0;
  if (isEmpty) return null;
  return (
    <div className={styles['strangers']}>
      {strangers.length > 0 && (
        <>
          <h3>{profile === null ? 'Mounted on this box' : 'Mounted too'}</h3>
          <p className={styles['muted']}>
            The facts of its platform say nothing of these places: whether they outlive a stop is
            not known.
          </p>
          <ul>
            {strangers.map((mount) => (
              <StrangerLine key={mount.id} mount={mount} />
            ))}
          </ul>
        </>
      )}
      {found.leftOut > 0 && (
        <p className={styles['muted']}>
          {formatCount(found.leftOut, 'further mount was', 'further mounts were')} not measured.
        </p>
      )}
      {found.unreadable.length > 0 && (
        <p className={styles['muted']}>
          {formatCount(found.unreadable.length, 'line')} of the box’s list could not be read.
        </p>
      )}
    </div>
  );
}

const MEMORY = new Set(['tmpfs', 'ramfs']);

function StrangerLine({ mount }: { readonly mount: MeasuredMount }) {
  return (
    <li>
      <span className="mono selectable">{showHidden(mount.path)}</span>
      <span>
        <MountSize mount={mount} />
        {MEMORY.has(mount.type) && (
          <small title="It is kept in memory, on every machine.">
            {' '}
            · memory: gone with each stop
          </small>
        )}
      </span>
    </li>
  );
}
