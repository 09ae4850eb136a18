import { classNames } from '../ui/class-names.ts';
import { Glyph } from '../ui/glyph.tsx';
import type { ClockSummary } from './clock-words.ts';
import styles from './clock-mark.module.css';

/** The nearest clock in a few words, with the shape of how near it is. */
export function ClockMark({ clock }: { readonly clock: ClockSummary }) {
  return (
    <span className={classNames(styles['mark'], 'figures', styles[clock.tone])} title={clock.title}>
      <Glyph tone={clock.tone} />
      <span className="sr-only">Danger clock: </span>
      <span className={styles['words']}>{clock.words}</span>
    </span>
  );
}
