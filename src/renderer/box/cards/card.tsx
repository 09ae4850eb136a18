import { useId, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import styles from './cards.module.css';

interface CardProps {
  readonly title: string;
  readonly note: ReactNode;
  readonly tone: Tone;
  readonly answer: ReactNode;
  readonly why: string;
}

/** One of the three answers above the tabs: a word, a sign and a reason. */
export function Card({ title, note, tone, answer, why }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>{title}</h2>
        {typeof note === 'string' ? <span>{note}</span> : note}
      </div>
      <p className={styles['answer']}>
        <Glyph tone={tone} /> {answer}
      </p>
      <p className={classNames(styles['why'], styles['brief'])} title={why}>
        {why}
      </p>
    </section>
  );
}
