import { UNKNOWN } from './format.ts';
import styles from './figure.module.css';

/** A number already written with its unit, or the word for what nobody reported. */
export function Figure({ text }: { readonly text: string | null }) {
  const isUnknown = text === null || text === UNKNOWN;
  return (
    <span className={isUnknown ? styles['unknown'] : styles['figure']}>{text ?? UNKNOWN}</span>
  );
}

/** Where there is no room for words: a figure that is missing, which is neither zero nor fine, and why. */
export function Dash({ why }: { readonly why: string }) {
  return (
    <span className={styles['unknown']} title={why}>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}
