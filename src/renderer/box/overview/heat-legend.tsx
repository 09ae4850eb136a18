import type { CSSProperties } from 'react';
import styles from './metric-chart.module.css';
import { LEAST_ALPHA } from './paint/paint-heat.ts';

const STEPS = 12;

/** How to read the cells, in the place beside the last strip. */
export function HeatLegend() {
  return (
    <div className={styles['legend']}>
      <p>Darker to brighter = 0 to 100 % of the card’s limit. Current value on the right.</p>
      <div className={styles['ramp']} aria-hidden="true">
        {Array.from({ length: STEPS }, (_, i) => (
          <span
            key={i}
            style={
              { '--share': LEAST_ALPHA + ((1 - LEAST_ALPHA) * i) / (STEPS - 1) } as CSSProperties
            }
          />
        ))}
      </div>
      <p className={styles['rampEnds']}>
        <span>none</span>
        <span>its limit</span>
      </p>
      <p>Temperature begins at 20 °C. Crossed out: nothing was reported.</p>
    </div>
  );
}
