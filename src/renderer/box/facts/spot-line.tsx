import type { Spot } from '../../../shared/profiles/whereabouts.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './facts-tab.module.css';
import { MountSize } from './mount-size.tsx';

interface SpotLineProps {
  readonly spot: Spot;
  /** Other tiers at the same path. */
  readonly rivals: readonly string[];
}

/** One path of a tier as it is on this box. */
export function SpotLine({ spot, rivals }: SpotLineProps) {
  return (
    <div className={styles['spot']}>
      <span className="mono selectable">{showHidden(spot.path)}</span>
      <SpotState spot={spot} />
      {spot.kind === 'mount' && rivals.length > 0 && (
        <span className={styles['doubt']}>
          <Glyph tone="warn" />
          <span>
            May as well be: {rivals.join(', ')}. It is mounted from{' '}
            <span className="mono selectable">{showHidden(spot.mount.source)}</span>.
          </span>
        </span>
      )}
    </div>
  );
}

function SpotState({ spot }: { readonly spot: Spot }) {
  switch (spot.kind) {
    case 'mount':
      return <MountSize mount={spot.mount} />;
    case 'folder':
      if (spot.tierName === null) return <MountSize mount={spot.mount} />;
      return (
        <span className={styles['doubt']}>
          <Glyph tone="warn" />
          <span>
            No disk of its own here: what is written to it lies on{' '}
            <span className="mono">{showHidden(spot.mount.path)}</span>, the {spot.tierName}.
          </span>
        </span>
      );
    case 'absent':
      return <span className={styles['muted']}>not on this box</span>;
    case 'unknown':
      return (
        <span className={styles['muted']}>
          {UNKNOWN}: {spot.because}
        </span>
      );
  }
}
