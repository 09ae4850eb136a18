import { BookOpen } from 'lucide-react';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { factAges, needsALook } from '../../shared/profiles/freshness.ts';
import { profileFolderRequested } from '../state/actions.ts';
import { useProfiles } from '../state/profiles.ts';
import { Button } from '../ui/button.tsx';
import { useClock } from '../ui/clock.ts';
import { formatCount } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { FaultList } from './fault-list.tsx';
import styles from './facts.module.css';
import { OldFacts } from './old-facts.tsx';
import { ProfileList } from './profile-list.tsx';
import { useMaxAge } from './use-max-age.ts';

/** What is known of every platform: how old, from where, changed by whom, and side by side. */
export function FactsPage() {
  const feed = useProfiles();
  return (
    <>
      <PageHeader
        title="Facts about platforms"
        {...(feed.kind === 'live' && {
          meta: formatCount(feed.state.all.length, 'platform'),
        })}
        actions={
          <Button onClick={profileFolderRequested}>Open the folder with your own profiles</Button>
        }
      />
      <div className={styles['page']}>
        {feed.kind === 'loading' && <LoadingState title="Reading what is known of platforms…" />}
        {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
        {feed.kind === 'live' && <AllFacts profiles={feed.state} />}
      </div>
    </>
  );
}

function AllFacts({ profiles }: { readonly profiles: Profiles }) {
  const maxAge = useMaxAge();
  // Days are enough: a fact grows old by the month.
  const today = useClock((nowMs) => Math.floor(nowMs / DAY_MS));
  const { all, faults } = profiles;
  const facts = all.flatMap(({ profile }) =>
    factAges(profile, today * DAY_MS, maxAge).map((fact) => ({ profile, fact })),
  );
  const old = facts.filter(({ fact }) => needsALook(fact));
  return (
    <>
      {faults.length > 0 && <FaultList faults={faults} />}
      {all.length === 0 ? (
        <EmptyState icon={<BookOpen size={28} strokeWidth={1.4} />} title="No facts can be read">
          <p>What platforms do to a box, and what that costs, is not known here.</p>
        </EmptyState>
      ) : (
        <>
          <OldFacts old={old} factCount={facts.length} maxAgeMonths={maxAge} />
          <ComparisonTable profiles={all} />
          <ProfileList profiles={profiles} />
        </>
      )}
    </>
  );
}

const DAY_MS = 86_400_000;
