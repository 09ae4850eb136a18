import type { FactAge } from '../../shared/profiles/freshness.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { settingsChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { FactStamp } from './fact-stamp.tsx';
import styles from './facts.module.css';
import { PageSection } from './page-section.tsx';

interface OldFact {
  readonly profile: Profile;
  readonly fact: FactAge;
}

interface OldFactsProps {
  readonly old: readonly OldFact[];
  readonly factCount: number;
  readonly maxAgeMonths: number;
}

/** What nobody has compared with its source for too long. Listing it is not looking it up. */
export function OldFacts({ old, factCount, maxAgeMonths }: OldFactsProps) {
  const within = maxAgeMonths === 1 ? 'month' : formatCount(maxAgeMonths, 'month');
  const note = (
    <>
      {formatCount(factCount, 'fact')}; one that was not checked within the last {within} is old.{' '}
      <Button size="small" look="quiet" onClick={() => settingsChosen('settings')}>
        Change that in Settings
      </Button>
    </>
  );
  const platforms = [...new Set(old.map(({ profile }) => profile))];
  return (
    <PageSection
      title={
        old.length === 0
          ? 'All facts are up to date'
          : `To be looked up again: ${formatCount(old.length, 'fact')}`
      }
      note={note}
    >
      {platforms.map((profile) => (
        <details key={profile.id} className={styles['fold']} open={platforms.length === 1}>
          <summary>
            {profile.name} ({old.filter((each) => each.profile === profile).length})
          </summary>
          <ul className={styles['oldFacts']}>
            {old
              .filter((each) => each.profile === profile)
              .map(({ fact: { label, path, verified, source } }) => (
                <li key={path.join('.')}>
                  <span>{label}</span>
                  <FactStamp verified={verified} source={source} sources={profile.sources} />
                </li>
              ))}
          </ul>
        </details>
      ))}
    </PageSection>
  );
}
