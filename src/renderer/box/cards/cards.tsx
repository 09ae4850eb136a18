import { useId } from 'react';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './cards.module.css';

/** The three questions of every box. This version cannot answer them, and says "unknown", never "clear" or "$0". */
export function Cards() {
  return (
    <div className={styles['cards']}>
      <Card title="Danger clock" why="No clock is watched for this box in this version." />
      <Card title="Cost meter" why="No price or bill is read for this box in this version." />
      <Card title="Alerts" why="Nothing on this box is judged in this version." />
    </div>
  );
}

function Card({ title, why }: { readonly title: string; readonly why: string }) {
  const titleId = useId();
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>{title}</h2>
        <span>Not connected yet</span>
      </div>
      <p className={styles['answer']}>
        <Glyph tone="unknown" /> Unknown
      </p>
      <p className={styles['why']}>{why}</p>
    </section>
  );
}
