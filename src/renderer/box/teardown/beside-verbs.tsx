import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { noEnds, restVerbs, type EndVerb } from '../../../shared/teardown/end-verb.ts';
import { RestingFacts } from '../../facts/resting-facts.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './teardown.module.css';

/** What looks like an end on this platform and is none: whoever does it goes on paying for a box that does not answer. */
export function NoEnds({ profile }: { readonly profile: Profile }) {
  return noEnds(profile).map(({ verb, note, goesOn }) => (
    <p key={verb} className={styles['warn']}>
      <Glyph tone="warn" />
      <span>
        “{verb}” does not end a box on {profile.name}.{note !== null && ` ${note}`}{' '}
        {goesOn !== null && (
          <a href={`#${goesOn}`} className={styles['why']}>
            Why
          </a>
        )}
      </span>
    </p>
  ));
}

/** Said once, and not beside each fact. */
export function Invented({ profile }: { readonly profile: Profile }) {
  if (profile.id !== DEMO_PLATFORM) return null;
  return (
    <p className={styles['note']}>
      The demo box is not a real rental: what it costs, and what each action does, is invented.
    </p>
  );
}

/** What ends the bills that an end leaves, each by itself. */
export function RestVerbs({ profile }: { readonly profile: Profile }) {
  const rest = restVerbs(profile);
  if (rest.length === 0) return null;
  return (
    <RestingFacts
      title="How to stop the remaining charges"
      sources={profile.sources}
      facts={rest.map((verb) => ({ ...verb, says: restWords(verb) }))}
    />
  );
}

const restWords = ({ verb, deletes, how, note }: EndVerb): string =>
  [
    `“${verb}” deletes ${deletes ?? 'what is not known; expect everything'}`,
    ...(how === null ? [] : [how]),
    ...(note === null ? [] : [note]),
  ]
    .map((sentence) => sentence.replace(/\.$/, ''))
    .join('. ') + '.';
