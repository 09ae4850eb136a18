import type { Profile } from '../../../shared/profiles/profile.ts';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { endOf, NOT_SAID, yesNoWords } from '../../facts/fact-words.ts';
import { JudgedWord } from '../../facts/judged-cell.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';

/** What each verb of the platform does to the bill and to the data. */
export function VerbsSection({ profile }: { readonly profile: Profile }) {
  const { billing, actions, sources } = profile;
  return (
    <FactSection title="Stop vs terminate">
      <p className={styles['lead']}>
        To stop paying: <strong>{billing.stopVerb}</strong>
        {billing.isIrreversible === true && '. This can’t be undone'}
        {typeof billing.isIrreversible === 'string' && ` (irreversible: ${billing.isIrreversible})`}
        {billing.steps !== null && `. Billed ${billing.steps}`}.{' '}
        <FactStamp {...billing} sources={sources} />
      </p>
      <table className={styles['matrix']}>
        <thead>
          <tr>
            <th scope="col">Verb</th>
            <th scope="col" title="The bill for the machine itself">
              Compute billing
            </th>
            <th scope="col" title="The bill for its disks">
              Storage billing
            </th>
            <th scope="col">Deletes</th>
            <th scope="col">Can be undone</th>
          </tr>
        </thead>
        <tbody>
          {actions.map((action) => (
            <tr key={action.verb}>
              <th scope="row">
                {action.verb}
                {action.how !== null && <small>{action.how}</small>}
                {action.note !== null && <small>{action.note}</small>}
                <FactStamp {...action} sources={sources} />
              </th>
              <td>
                <JudgedWord judged={endOf(action.stopsCompute)} />
              </td>
              <td>
                <JudgedWord judged={endOf(action.stopsStorage)} />
              </td>
              <td>{action.deletes ?? NOT_SAID}</td>
              <td>{yesNoWords(action.isReversible)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </FactSection>
  );
}
