import { useState } from 'react';
import type { Box } from '../../../shared/boxes/box.ts';
import type { BoxMounts } from '../../../shared/mounts/mount.ts';
import type { Problem } from '../../../shared/problem.ts';
import { guessPlatform } from '../../../shared/profiles/guess-platform.ts';
import type { Profiles } from '../../../shared/profiles/loaded.ts';
import { platformName, UNSAID_PLATFORM } from '../../../shared/profiles/platform-names.ts';
import { guessDeclined } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';
import { useRemembered } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import styles from './facts-tab.module.css';

interface PlatformGuessProps {
  readonly box: Box;
  readonly profiles: Profiles;
  readonly mounts: BoxMounts | null;
}

/** An offer, never a change by itself: other facts mean other prices and other clocks. */
export function PlatformGuess({ box, profiles, mounts }: PlatformGuessProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const declined = useRemembered((feed) =>
    feed.kind === 'live' ? feed.state.guessesDeclined : null,
  );
  if (box.platform !== UNSAID_PLATFORM || declined === null || declined.includes(box.id))
    return null;
  const guess = guessPlatform(
    profiles.all.map(({ profile }) => profile),
    box.address,
    (mounts?.mounts ?? []).map(({ path }) => path),
  );
  if (guess === null) return null;
  const name = platformName(guess.platform);

  async function accepted(platform: string): Promise<void> {
    const set = await call('box:set-platform', { boxId: box.id, platform });
    if (!set.ok) setRefusal(set.error);
  }

  return (
    <section className={styles['guess']} aria-label="Whose machine it may be">
      <p>
        <strong>{name}</strong> detected: {guess.because}.
      </p>
      <Button size="small" look="primary" onClick={() => void accepted(guess.platform)}>
        Use {name}
      </Button>
      <Button size="small" onClick={() => guessDeclined(declined, box.id)}>
        Not {name}
      </Button>
      <Refusal problem={refusal} />
    </section>
  );
}
