import type { LinkState } from '../../../shared/boxes/box.ts';
import type { Clock } from '../../../shared/clocks/clock.ts';
import { afterEndWords } from '../../clocks/clock-words.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './clocks.module.css';

/** Which data is gone then. */
export function LostData({ clock: { loses } }: { readonly clock: Clock }) {
  if (loses.length === 0) return null;
  return (
    <>
      At risk:{' '}
      {loses.map(({ name, path }, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <strong>{name}</strong>
          {path !== null && <span className="mono"> {path}</span>}
        </span>
      ))}
      .
    </>
  );
}

/** A clock that ran out, and nobody saw what the platform did then. */
export function OverNote({ link }: { readonly link: LinkState }) {
  return (
    <p className={styles['over']}>
      <Glyph tone="danger" />
      <span>{afterEndWords(link)}</span>
    </p>
  );
}
