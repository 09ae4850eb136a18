import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import styles from './cards.module.css';

interface PlainAnswerProps {
  readonly tone: Tone;
  readonly answer: ReactNode;
  readonly why: string;
}

/** A sign, a word and a reason, where a card has no figure to show. */
export function PlainAnswer({ tone, answer, why }: PlainAnswerProps) {
  return (
    <>
      <p className={styles['answer']}>
        <Glyph tone={tone} /> {answer}
      </p>
      <p className={classNames(styles['why'], styles['brief'])} title={why}>
        {why}
      </p>
    </>
  );
}
