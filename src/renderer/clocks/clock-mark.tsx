import { classNames } from '../ui/class-names.ts';
import { Glyph } from '../ui/glyph.tsx';
import type { ClockSummary } from './clock-words.ts';
import styles from './clock-mark.module.css';

const LEFT = / left$/;

interface ClockMarkProps {
  readonly clock: ClockSummary;
  /** In a column that says what it is: a time without the word for what is left, and a long name over two lines. */
  readonly isBrief?: boolean;
}

/** The nearest clock in a few words, with the shape of how near it is. */
export function ClockMark({ clock, isBrief = false }: ClockMarkProps) {
  return (
    <span
      className={classNames(
        styles['mark'],
        'figures',
        styles[clock.tone],
        isBrief && styles['brief'],
      )}
      title={clock.title}
    >
      <Glyph tone={clock.tone} />
      <span className="sr-only">Danger clock: </span>
      <span className={styles['words']}>
        {isBrief ? clock.words.replace(LEFT, '') : clock.words}
      </span>
      {clock.tone === 'unknown' && <span className="sr-only"> {clock.title}</span>}
    </span>
  );
}
