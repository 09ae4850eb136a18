import { Glyph } from '../ui/glyph.tsx';
import styles from './facts.module.css';
import type { Judged } from './fact-words.ts';

/** A word with its shape and colour. */
export function JudgedWord({ judged: { tone, word } }: { readonly judged: Judged }) {
  return (
    <span className={styles['judged']}>
      <Glyph tone={tone} /> <span>{word}</span>
    </span>
  );
}
