import type { Profile } from '../../../shared/profiles/profile.ts';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';

/** What the platform does without being asked. When that is due on this box, its danger clock says. */
export function TimersSection({ profile: { clocks, sources } }: { readonly profile: Profile }) {
  return (
    <FactSection title="Automatic actions">
      {clocks.length === 0 && (
        <p className={styles['muted']}>The facts name nothing that it does by itself.</p>
      )}
      {clocks.length > 0 && (
        <table className={styles['matrix']}>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">After</th>
              <th scope="col">What happens</th>
              <th scope="col">Read it at</th>
            </tr>
          </thead>
          <tbody>
            {clocks.map((clock) => (
              <tr key={clock.id}>
                <th scope="row">
                  {clock.trigger} <FactStamp {...clock} sources={sources} />
                </th>
                <td>{clock.after ?? 'not known'}</td>
                <td>
                  {clock.consequence}
                  {clock.stops !== null && <small>Ends it: {clock.stops}</small>}
                </td>
                <td>{clock.readAt}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </FactSection>
  );
}
