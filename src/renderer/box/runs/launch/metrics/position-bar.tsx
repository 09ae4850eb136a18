import type { CSSProperties } from 'react';
import type { Charge } from '../../../../../shared/meter/interval.ts';
import type { RunPosition } from '../../../../../shared/runs/progress/run-metrics.ts';
import { useNow } from '../../../../ui/clock.ts';
import { formatNumber } from '../../../../ui/format.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { costToEndWords } from '../run-cost.tsx';
import {
  doneWords,
  endWords,
  paceWords,
  shareOf,
  silenceWords,
  slowerWords,
} from './position-words.ts';
import styles from './metrics.module.css';

interface PositionBarProps {
  readonly position: RunPosition;
  /** Of a run that is over nothing is estimated. */
  readonly isAlive: boolean;
  /** Says what it costs until then, too; null: it does not. */
  readonly charges: readonly Charge[] | null;
}

/** How far a run is, and when it would end. */
export function PositionBar({ position, isAlive, charges }: PositionBarProps) {
  const nowMs = useNow();
  const share = shareOf(position);
  const words = doneWords(position);
  const slower = isAlive ? slowerWords(position) : null;
  const silence = silenceWords(position, nowMs);
  const facts = [
    ...(share === null ? [] : [`${formatNumber(Math.floor(share * 100))} %`]),
    ...(isAlive
      ? [
          silence ?? paceWords(position),
          endWords(position, nowMs),
          costToEndWords(charges, position.end, nowMs),
        ]
      : []),
  ].filter((fact) => fact !== null);
  return (
    <div className={styles['position']}>
      {share !== null && (
        <div
          className={styles['bar']}
          role="progressbar"
          aria-label="Progress of the run"
          aria-valuenow={Math.floor(share * 100)}
          aria-valuetext={words}
          style={{ '--share': share } as CSSProperties}
        />
      )}
      <p>
        <b>{words}</b>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {slower !== null && (
        <p className={styles['slower']}>
          <Glyph tone="warn" />
          <span>
            {slower}{' '}
            <a
              href="#U23"
              title="Heat or a power limit can hold a card down. Open this entry of the Handbook"
            >
              More in the Handbook
            </a>
          </span>
        </p>
      )}
    </div>
  );
}
