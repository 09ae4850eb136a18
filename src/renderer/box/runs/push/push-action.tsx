import { BellRing } from 'lucide-react';
import { useState } from 'react';
import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { selectEntry, useFleet } from '../../../state/feeds.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { PushDialog } from './push-dialog.tsx';
import { selectPushes, usePushes, waiterFor } from './push-looks.ts';
import styles from './push.module.css';

interface PushActionProps {
  readonly boxId: string;
  readonly run: SeenRun;
}

/** Has the box itself tell when this run ends. */
export function PushAction({ boxId, run }: PushActionProps) {
  const isUp = useFleet((feed) => selectEntry(boxId)(feed)?.link.kind === 'up');
  const { view } = usePushes(selectPushes(boxId));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['action']}>
      <Button
        size="small"
        look="quiet"
        disabled={!isUp}
        title={isUp ? undefined : 'Connect to the box first'}
        onClick={() => setIsOpen(true)}
      >
        <BellRing size={14} aria-hidden />
        Tell me from the box when it ends…
      </Button>
      {waiterFor(view, run.key) !== null && (
        <span className={styles['armed']}>
          <Glyph tone="ok" />
          armed
        </span>
      )}
      {isOpen && <PushDialog boxId={boxId} run={run} onClose={() => setIsOpen(false)} />}
    </div>
  );
}
