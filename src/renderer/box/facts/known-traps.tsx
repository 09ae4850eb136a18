import { useEffect, useMemo } from 'react';
import { trapsOf } from '../../../shared/gotchas/platform-scope.ts';
import { SEVERITY_TONES, SEVERITY_WORDS } from '../../fleet/finding-words.ts';
import { platformName } from '../../../shared/profiles/platform-names.ts';
import { gotchasNeeded, useGotchas } from '../../handbook/gotchas.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './known-traps.module.css';

/** What is known to go wrong on the box's platform, each with its entry: read before it happens. */
export function KnownTraps({ platform }: { readonly platform: string }) {
  const state = useGotchas();
  useEffect(gotchasNeeded, []);
  const traps = useMemo(
    () => (state.kind === 'known' ? trapsOf(platform, state.byId.values()) : []),
    [state, platform],
  );
  if (state.kind === 'failed') return <ProblemNote problem={state.problem} />;
  if (traps.length === 0) return null;
  return (
    <FactSection title={`Known traps of ${platformName(platform)}`}>
      <ul className={styles['traps']}>
        {traps.map(({ id, title, severity }) => (
          <li key={id}>
            <Glyph tone={SEVERITY_TONES[severity]} />
            <a href={`#${id}`}>
              <span className="sr-only">{SEVERITY_WORDS[severity]}: </span>
              {title}
            </a>
            <span className={styles['id']}>{id}</span>
          </li>
        ))}
      </ul>
    </FactSection>
  );
}
