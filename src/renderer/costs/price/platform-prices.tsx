import { judgeFreshness } from '../../../shared/profiles/freshness.ts';
import { formatPrice } from '../../../shared/profiles/price.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { decimalOf } from '../../../shared/money.ts';
import { useMaxAge } from '../../facts/use-max-age.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useNow } from '../../ui/clock.ts';
import { formatCount } from '../../ui/format.ts';
import styles from './price-dialog.module.css';

interface PlatformPricesProps {
  readonly profile: Profile;
  readonly gpus: number;
  readonly onUse: (amount: string, currency: string) => void;
}

/** What the platform's own pages ask for a machine, with the month in which somebody looked. To begin with, never the bill. */
export function PlatformPrices({ profile, gpus, onUse }: PlatformPricesProps) {
  const maxAgeMonths = useMaxAge();
  const nowMs = useNow();
  const hourly = profile.prices.filter(
    ({ price }) => price.per.endsWith('hour') && !price.per.startsWith('GB'),
  );
  if (hourly.length === 0) return null;
  return (
    <details className={styles['platform']}>
      <summary>
        Examples of what {profile.name} asks <small>to begin with, not your bill</small>
      </summary>
      <ul>
        {hourly.map(({ what, price, verified }) => {
          const times = price.per === 'GPU-hour' ? gpus : 1;
          const isOld = judgeFreshness(verified, nowMs, maxAgeMonths).kind === 'stale';
          return (
            <li key={what}>
              <span>
                {what} <b className="figures">{formatPrice(price)}</b>
              </span>
              <span className={classNames(styles['checked'], isOld && styles['old'])}>
                {verified === null ? 'never checked' : `checked ${verified}${isOld ? ', old' : ''}`}
              </span>
              <Button
                size="small"
                onClick={() => onUse(decimalOf(price.micros * times), price.currency)}
              >
                {times === 1 ? 'Use' : `Use × ${formatCount(times, 'GPU')}`}
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
