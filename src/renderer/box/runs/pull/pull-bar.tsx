import type { PullProgress } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';
import { usePull } from '../../../state/launched-runs.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import styles from './pull.module.css';

const STAGES: Readonly<Record<PullProgress['stage'], string>> = {
  hashing: 'The box hashes its files…',
  pulling: 'Bringing home and proving…',
  'looking-again': 'Checking that nothing changed on the box…',
};

/** How far the results of a box are on their way home. */
export function PullBar({ boxId }: { readonly boxId: string }) {
  const progress = usePull(boxId);
  if (progress === null) return null;
  const { stage, doneFiles, files, doneBytes, bytes } = progress;
  return (
    <div className={styles['bar']}>
      <p className={styles['line']}>
        <Glyph tone="wait" />
        <span className={styles['grow']}>
          {STAGES[stage]} {String(doneFiles)} of {formatCount(files, 'file')},{' '}
          {formatBytes(Math.min(doneBytes, bytes))} of {formatBytes(bytes)}
        </span>
        <Button size="small" onClick={() => void call('runs:stop-pull', { boxId })}>
          Stop
        </Button>
      </p>
      <progress
        aria-label="Results brought home"
        max={Math.max(1, bytes)}
        value={bytes === 0 ? 1 : Math.min(doneBytes, bytes)}
      />
    </div>
  );
}
