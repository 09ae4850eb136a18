import styles from '../box-header.module.css';
import { overlayOpened } from '../../state/view.ts';
import { classNames } from '../../ui/class-names.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { useClockSummary } from '../../clocks/use-clock-summary.ts';

/** The nearest clock beside the link's state, as long as it is near; opens all of them. */
export function ClockChip({ boxId }: { readonly boxId: string }) {
  const clock = useClockSummary(boxId);
  if (clock === null || (clock.tone !== 'warn' && clock.tone !== 'danger')) return null;
  return (
    <button
      type="button"
      className={classNames(
        styles['chip'],
        styles['opens'],
        styles['clock'],
        'figures',
        styles[clock.tone],
      )}
      title={clock.title}
      onClick={() => overlayOpened({ kind: 'clocks', boxId })}
    >
      <Glyph tone={clock.tone} />
      <span className="sr-only">Danger clock: </span>
      <span className={styles['event']}>{clock.event}</span> <b>{clock.words}</b>
    </button>
  );
}
