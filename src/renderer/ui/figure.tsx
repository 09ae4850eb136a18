import { UNKNOWN } from './format.ts';
import styles from './figure.module.css';

/** A number already written with its unit, or the word for what nobody reported. */
export function Figure({ text }: { readonly text: string | null }) {
  const isUnknown = text === null || text === UNKNOWN;
  return (
    <span className={isUnknown ? styles['unknown'] : styles['figure']}>{text ?? UNKNOWN}</span>
  );
}
