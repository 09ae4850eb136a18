import type { LinkState } from '../../../shared/boxes/box.ts';
import { afterEndWords } from '../../clocks/after-end-words.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './clocks.module.css';

/** A clock that ran out, and nobody saw what the platform did then. */
export function OverNote({ link }: { readonly link: LinkState }) {
  return (
    <p className={styles['over']}>
      <Glyph tone="danger" />
      <span>{afterEndWords(link)}</span>
    </p>
  );
}
