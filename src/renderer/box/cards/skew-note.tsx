import type { Skew } from '../../../shared/clocks/skew.ts';
import { skewWords } from '../../clocks/skew-words.ts';
import styles from './cards.module.css';

/** That the box's clock is not this computer's; nothing where it is, or where nobody knows. */
export function SkewNote({ skew }: { readonly skew: Skew }) {
  const words = skewWords(skew);
  return (
    words !== null && (
      <span className={styles['warn']} title={words}>
        {' · box clock off'}
      </span>
    )
  );
}
