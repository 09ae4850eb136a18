import { unknownClocks } from '../../../shared/clocks/select-clocks.ts';
import { isUnsaid } from '../../../shared/profiles/platform-names.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { selectClocksOf, selectMeter, useClocks, useMeter } from '../../state/feeds.ts';
import { overlayOpened, tabChosen } from '../../state/view.ts';
import { formatCount } from '../../ui/format.ts';
import { tellLabel } from '../../clocks/tell-label.ts';
import styles from './cards.module.css';

interface Missing {
  readonly what: string;
  readonly run: () => void;
}

/** All that the person alone can tell of a box and has not, in one line; each part leads to where it is told. Nothing missing: no line. */
export function MissingLine({ entry: { box } }: { readonly entry: BoxEntry }) {
  const clocks = useClocks(selectClocksOf(box.id));
  const meter = useMeter(selectMeter(box.id));
  const untold = unknownClocks(clocks?.clocks ?? []).filter((clock) => tellLabel(clock) !== null);
  const missing: readonly Missing[] = [
    ...(isUnsaid(box.platform)
      ? [{ what: 'provider', run: () => tabChosen(box.id, 'facts') }]
      : []),
    ...(meter !== null && meter.prices.compute === null
      ? [{ what: 'price', run: () => overlayOpened({ kind: 'set-price', boxId: box.id }) }]
      : []),
    ...(untold.length > 0
      ? [
          {
            what: `${formatCount(untold.length, 'timer')} of the platform`,
            run: () => overlayOpened({ kind: 'clocks', boxId: box.id }),
          },
        ]
      : []),
  ];
  if (missing.length === 0) return null;
  return (
    <p className={styles['missing']}>
      <span>Not entered:</span>
      {missing.map(({ what, run }) => (
        <button key={what} type="button" className={styles['link']} onClick={run}>
          {what}
        </button>
      ))}
    </p>
  );
}
