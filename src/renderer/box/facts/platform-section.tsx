import { useId, useState } from 'react';
import type { Box } from '../../../shared/boxes/box.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { LoadedProfile, Profiles } from '../../../shared/profiles/loaded.ts';
import { originWords } from '../../facts/origin-words.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { nameToChoose, platformName } from '../../../shared/profiles/platform-names.ts';
import { call } from '../../state/bridge.ts';
import { usePageAct } from '../../state/page-part.ts';
import { factsChosen } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';

interface PlatformSectionProps {
  readonly box: Box;
  readonly profiles: Profiles;
  /** Of the box's platform; null: there is none. */
  readonly loaded: LoadedProfile | null;
}

/** Whose machine it is: all facts, clocks and default prices follow from that. */
export function PlatformSection({ box, profiles, loaded }: PlatformSectionProps) {
  const selectId = useId();
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const isDemo = box.platform === DEMO_PLATFORM;
  usePageAct('rented-from', () => document.getElementById(selectId)?.focus());

  async function chosen(platform: string): Promise<void> {
    const set = await call('box:set-platform', { boxId: box.id, platform });
    setRefusal(set.ok ? null : set.error);
  }

  return (
    <FactSection
      title="Platform"
      action={
        <Button size="small" look="quiet" onClick={factsChosen}>
          Compare platforms
        </Button>
      }
    >
      {isDemo && (
        <p className={styles['muted']}>
          The demo box is simulated on this computer. Its platform, price, balance and rental end
          are invented, and stay out of all your sums.
        </p>
      )}
      {!isDemo && (
        <div className={styles['platform']}>
          <label htmlFor={selectId}>Rented from</label>
          <select
            id={selectId}
            className={styles['select']}
            value={box.platform}
            onChange={({ target }) => void chosen(target.value)}
          >
            {loaded === null && (
              <option value={box.platform}>{platformName(box.platform)} (no facts)</option>
            )}
            {profiles.all.map(({ profile }) => (
              <option key={profile.id} value={profile.id}>
                {nameToChoose(profile)}
              </option>
            ))}
          </select>
          {loaded !== null && <span className={styles['muted']}>{originWords(loaded)}</span>}
        </div>
      )}
      {!isDemo && loaded === null && (
        <p className={styles['muted']}>
          There are no facts about “{box.platform}”: what a stop deletes, and what it costs, is not
          known here. Choose its platform.
        </p>
      )}
      <Refusal problem={refusal} />
    </FactSection>
  );
}
