import type { LoadedProfile, Profiles } from '../../shared/profiles/loaded.ts';
import { stampsOf } from '../../shared/profiles/stamps.ts';
import { formatCount } from '../ui/format.ts';
import styles from './facts.module.css';
import { originWords } from './origin-words.ts';
import { PageSection } from './page-section.tsx';

/** Where each profile comes from, and field by field what the person has changed. */
export function ProfileList({ profiles: { all, ownFolder } }: { readonly profiles: Profiles }) {
  return (
    <PageSection
      title="Where the facts come from"
      note={
        <>
          Files in <span className="mono selectable">{ownFolder}</span> win over those that ship,
          field by field, as soon as they are saved.
        </>
      }
    >
      <ul className={styles['profiles']}>
        {all.map((loaded) => (
          <ProfileLine key={loaded.profile.id} loaded={loaded} />
        ))}
      </ul>
    </PageSection>
  );
}

function ProfileLine({ loaded }: { readonly loaded: LoadedProfile }) {
  const { profile, file, changes } = loaded;
  return (
    <li>
      <div className={styles['profile']}>
        <strong>{profile.name}</strong>
        <span className="mono">{profile.id}</span>
        <span className={styles['muted']}>{formatCount(stampsOf(profile).length, 'fact')}</span>
        <span className={styles['muted']}>{originWords(loaded)}</span>
      </div>
      {file !== null && <p className={`${styles['file']} mono selectable`}>{file}</p>}
      {changes.length > 0 && (
        <details className={styles['fold']}>
          <summary>What you changed ({changes.length})</summary>
          <table className={styles['changes']}>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">As it ships</th>
                <th scope="col">Yours</th>
                <th scope="col">Line</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, line, was, now }) => (
                <tr key={`${String(line)} ${field}`}>
                  <th scope="row">{field}</th>
                  <td className={styles['muted']}>{was ?? 'nothing'}</td>
                  <td>{now}</td>
                  <td className="figures">{line}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </li>
  );
}
