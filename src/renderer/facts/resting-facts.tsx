import type { ReactNode } from 'react';
import { FactStamp } from './fact-stamp.tsx';
import styles from './facts.module.css';

/** A fact that something which cannot be undone rests on. */
export interface RestingFact {
  readonly says: ReactNode;
  readonly verified: string | null;
  readonly source: string;
}

interface RestingFactsProps {
  readonly title: string;
  readonly facts: readonly RestingFact[];
  readonly sources: readonly string[];
}

/** Shown before what cannot be undone: what it rests on, how old that is, and where to look it up again first. */
export function RestingFacts({ title, facts, sources }: RestingFactsProps) {
  return (
    <section className={styles['resting']} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {facts.map(({ says, verified, source }, at) => (
          <li key={at}>
            {says} <FactStamp verified={verified} source={source} sources={sources} />
          </li>
        ))}
      </ul>
    </section>
  );
}
