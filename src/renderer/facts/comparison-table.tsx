import { useState } from 'react';
import {
  COMPARISON_HEAD,
  compareProfiles,
  type ComparisonRow,
} from '../../shared/profiles/comparison.ts';
import type { LoadedProfile } from '../../shared/profiles/loaded.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';
import { selectEntries, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { capital } from '../ui/format.ts';
import styles from './facts.module.css';
import { PageSection } from './page-section.tsx';

/** The name stands in the first column, and the id is for the command line. */
const COLUMNS = (Object.keys(COMPARISON_HEAD) as readonly (keyof ComparisonRow)[]).filter(
  (key) => key !== 'id' && key !== 'name',
);

/** The same as `profiles table`, on screen: chosen platforms side by side. */
export function ComparisonTable({ profiles }: { readonly profiles: readonly LoadedProfile[] }) {
  // Those that are left out: a platform that is added later is there at once.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const mine = useOwnPlatforms(profiles);
  const shown = profiles.filter(({ profile }) => !hidden.has(profile.id));
  const toggled = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  return (
    <PageSection title="Side by side">
      <div className={styles['filter']} role="group" aria-label="Platforms to compare">
        {profiles.map(({ profile: { id, name } }) => (
          <label key={id} title={name} className={styles['choice']}>
            <input type="checkbox" checked={!hidden.has(id)} onChange={() => toggled(id)} />
            {platformName(id)}
          </label>
        ))}
        <Button
          size="small"
          look="quiet"
          disabled={hidden.size === 0}
          onClick={() => setHidden(new Set())}
        >
          All
        </Button>
        <Button
          size="small"
          look="quiet"
          disabled={mine.length === 0}
          title={mine.length === 0 ? 'No box of a known platform is in your fleet' : undefined}
          onClick={() =>
            setHidden(
              new Set(profiles.map(({ profile }) => profile.id).filter((id) => !mine.includes(id))),
            )
          }
        >
          Those of my boxes
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className={styles['muted']}>Choose at least one platform.</p>
      ) : (
        <div
          className={styles['scroll']}
          tabIndex={0}
          role="region"
          aria-label="Comparison of platforms"
        >
          <table className={styles['comparison']}>
            <thead>
              <tr>
                <th scope="col">Platform</th>
                {COLUMNS.map((key) => (
                  <th key={key} scope="col">
                    {capital(COMPARISON_HEAD[key])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {compareProfiles(shown.map(({ profile }) => profile)).map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  {COLUMNS.map((key) => (
                    <td
                      key={key}
                      className={row[key] === 'not known' ? styles['muted'] : undefined}
                    >
                      {row[key]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </PageSection>
  );
}

function useOwnPlatforms(profiles: readonly LoadedProfile[]): readonly string[] {
  const entries = useFleet(selectEntries);
  const ids = new Set(profiles.map(({ profile }) => profile.id));
  return [...new Set(entries.map(({ box }) => box.platform))].filter((id) => ids.has(id));
}
