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
  const { single, shared } = byReason(blind);
  return (
    <details className={styles['fold']}>
      <summary>{formatCount(count, 'check')} couldn’t run</summary>
      <p className={styles['lead']}>What they check for is unknown, not clear:</p>
      {shared.map(([because, all]) => (
        <div key={because} className={styles['shared']}>
          <p>For all of these, {because}:</p>
          <ul className={styles['blind']}>
            {all.map((each) => (
              <BlindRow key={each.detector} blind={each} />
            ))}
          </ul>
        </div>
      ))}
      {single.length > 0 && (
        <ul className={styles['blind']}>
          {single.map((each) => (
            <BlindRow
              key={`${each.detector} ${each.subject === undefined ? each.because : subjectKeyOf(each.subject)}`}
              blind={each}
              because={each.because}
            />
          ))}
        </ul>
      )}
    </details>
  );
}

interface BlindRowProps {
  readonly blind: Blind;
  /** Left out: it stands above the row. */
  readonly because?: string;
}

function BlindRow({ blind: { detector, title, gpus, subject }, because }: BlindRowProps) {
  return (
    <li>
      <span>
        {title}{' '}
        <span className={styles['id']} title={idWords(detector, title)}>
          {detector}
        </span>
        {because !== undefined && (
          <small>
            {gpus.length > 0 && `GPU ${gpus.join(', ')}: `}
            {subject !== undefined && `${subjectWords(subject)}: `}
            {because}.
          </small>
        )}
      </span>
    </li>
  );
}

/** A box that is not connected has one reason for all of them, which is said once. */
function byReason(blind: readonly Blind[]): {
  readonly single: readonly Blind[];
  readonly shared: readonly (readonly [string, readonly Blind[]])[];
} {
  const reasons = new Map<string, Blind[]>();
  for (const each of blind) {
    if (each.gpus.length > 0 || each.subject !== undefined) continue;
    reasons.set(each.because, [...(reasons.get(each.because) ?? []), each]);
  }
  const shared = [...reasons].filter(([, all]) => all.length > 1);
  const inShared = new Set(shared.flatMap(([, all]) => all));
  return { single: blind.filter((each) => !inShared.has(each)), shared };
}
