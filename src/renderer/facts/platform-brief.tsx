import { useState } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import type { Profile, ProfileClock } from '../../shared/profiles/profile.ts';
import { isUnsaid, platformName } from '../../shared/profiles/platform-names.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { platformBriefed } from '../state/actions.ts';
import { useRemembered } from '../state/feeds.ts';
import { useProfile } from '../state/profiles.ts';
import { tabChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { FactStamp } from './fact-stamp.tsx';
import styles from './facts.module.css';

/** What is lost weighs more than what is billed, and both more than a run that ends. */
const WEIGHT: Readonly<Record<ProfileClock['danger'], number>> = {
  data: 0,
  money: 1,
  run: 2,
  none: 3,
};
/** Brief: who wants more opens the Facts tab. */
const MAX_TIMERS = 3;
const MAX_CONVENIENCES = 3;

interface BriefProps {
  readonly box: Box;
  /** As one line, which leads to the rest. */
  readonly isStrip: boolean;
}

/** Said once, when the first box of a platform is there: what it does by itself and what is worth knowing. */
export function PlatformBrief({ box, isStrip }: BriefProps) {
  const briefed = useRemembered((feed) => (feed.kind === 'live' ? feed.state.briefed : null));
  // Of a machine whose provider nobody has told there is nothing to say that is not true of any.
  const isKnown = box.platform !== DEMO_PLATFORM && !isUnsaid(box.platform);
  const isDue = briefed !== null && isKnown && !briefed.includes(box.platform);
  return isDue ? <Brief {...{ box, isStrip, briefed }} /> : null;
}

function Brief({ box, isStrip, briefed }: BriefProps & { readonly briefed: readonly string[] }) {
  const profile = useProfile(box.platform);
  // Gone at once, not when main has answered.
  const [isSeen, setIsSeen] = useState(false);
  if (profile === null || isSeen) return null;
  const seen = (): void => {
    setIsSeen(true);
    platformBriefed(briefed, box.platform);
  };
  const name = platformName(box.platform);
  return (
    <section
      className={styles['brief']}
      data-strip={isStrip || undefined}
      aria-label={`Before you start on ${name}`}
    >
      <div className={styles['briefHead']}>
        <h2>Before you start on {name}</h2>
        <Button
          size="small"
          onClick={() => {
            seen();
            tabChosen(box.id, 'facts');
          }}
        >
          All facts
        </Button>
        <Button size="small" look="primary" onClick={seen}>
          Got it
        </Button>
      </div>
      {!isStrip && <BriefFacts profile={profile} />}
    </section>
  );
}

function BriefFacts({ profile }: { readonly profile: Profile }) {
  const { billing, actions, clocks, conveniences, sources } = profile;
  const stop = actions.find(({ kind }) => kind === 'stop');
  const timers = clocks
    .filter(({ danger }) => danger !== 'none')
    .sort((a, b) => WEIGHT[a.danger] - WEIGHT[b.danger])
    .slice(0, MAX_TIMERS);
  return (
    <dl className={styles['briefFacts']}>
      <dt>To stop paying</dt>
      <dd>
        {billing.stopVerb}
        {billing.isIrreversible === true && '. This can’t be undone.'}{' '}
        <FactStamp {...billing} sources={sources} />
      </dd>
      {stop !== undefined && (
        <>
          <dt>A stop deletes</dt>
          <dd>
            {stop.deletes ?? 'not known; expect everything'}
            {stop.stopsStorage === false && '; its disks go on costing'}{' '}
            <FactStamp {...stop} sources={sources} />
          </dd>
        </>
      )}
      {timers.length > 0 && <dt>Automatic actions</dt>}
      {timers.map((clock) => (
        <BriefTimer key={clock.id} clock={clock} sources={sources} />
      ))}
      {conveniences.length > 0 && (
        <>
          <dt>Worth knowing</dt>
          <dd>{conveniences.slice(0, MAX_CONVENIENCES).join(' · ')}</dd>
        </>
      )}
    </dl>
  );
}

function BriefTimer({
  clock,
  sources,
}: {
  readonly clock: ProfileClock;
  readonly sources: readonly string[];
}) {
  const { trigger, after, consequence } = clock;
  return (
    <dd>
      {trigger}
      {after !== null && `, ${after}`}: {consequence} <FactStamp {...clock} sources={sources} />
    </dd>
  );
}
