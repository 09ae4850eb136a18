import type { Blind } from '../../../shared/detectors/box-findings.ts';
import { subjectKeyOf } from '../../../shared/detectors/finding.ts';
import { idWords, subjectWords } from '../../fleet/finding-words.ts';
import { formatCount } from '../../ui/format.ts';
import styles from './alerts-tab.module.css';

interface BlindListProps {
  readonly blind: readonly Blind[];
  readonly count: number;
}

/** What could not be looked at, and why: calm, because it is no finding, but never left out. */
export function BlindList({ blind, count }: BlindListProps) {
  if (count === 0) return null;
  return (
    <details className={styles['fold']}>
      <summary>{formatCount(count, 'check')} could not look</summary>
      <p className={styles['lead']}>Whether any of this is so cannot be told:</p>
      <ul className={styles['blind']}>
        {blind.map(({ detector, title, because, gpus, subject }) => (
          <li key={`${detector} ${subject === undefined ? because : subjectKeyOf(subject)}`}>
            <span className={styles['id']} title={idWords(detector, title)}>
              {detector}
            </span>
            <span>
              {title}
              <small>
                {gpus.length > 0 && `GPU ${gpus.join(', ')}: `}
                {subject !== undefined && `${subjectWords(subject)}: `}
                {because}.
              </small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
