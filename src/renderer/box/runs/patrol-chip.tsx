import { tabChosen } from '../../state/view.ts';
import { usePatrol } from '../../state/patrol.ts';
import { classNames } from '../../ui/class-names.ts';
import { useClock } from '../../ui/clock.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from '../box-header.module.css';
import { lastWords, nextWords, PACE_WORDS } from './patrol-words.ts';

/** That somebody looks at what runs on the box, also when nothing has changed; opens what was seen. */
export function PatrolChip({ boxId }: { readonly boxId: string }) {
  const feed = usePatrol(boxId);
  const state = feed.kind === 'live' ? feed.state : null;
  const last = useClock((nowMs) => (state === null ? null : lastWords(state, nowMs)));
  const next = useClock((nowMs) => (state === null ? null : nextWords(state, nowMs)));
  // A box that was never looked at and is not connected says so already.
  if (state === null || last === null || (state.seen === null && state.phase.kind === 'off')) {
    return null;
  }
  const isFailed = state.failed !== null && state.phase.kind !== 'off';
  return (
    <button
      type="button"
      className={classNames(styles['chip'], styles['opens'], styles['patrol'], 'figures')}
      title={state.phase.kind === 'waiting' ? PACE_WORDS[state.phase.pace] : undefined}
      onClick={() => tabChosen(boxId, 'runs')}
    >
      {isFailed && <Glyph tone="unknown" />}
      <span>
        {last}
        <span className={styles['optional']}>, {next}</span>
      </span>
    </button>
  );
}
