import type { ReactNode } from 'react';
import type { Box } from '../../../shared/boxes/box.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import { settingsChanged } from '../../state/actions.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import styles from './teardown.module.css';

interface GiveUpProps {
  readonly box: Pick<Box, 'id' | 'platform'>;
  /** When to forget the box, and what to make sure of first. */
  readonly children: ReactNode;
  /** The same of the demo box: it is not stored, so the settings take it off the list. */
  readonly ofDemo: string;
}

/** The way out of an end that nothing may ever confirm. */
export function GiveUp({ box, children, ofDemo }: GiveUpProps) {
  const isDemo = box.platform === DEMO_PLATFORM;
  return (
    <>
      <p className={styles['lead']}>
        {isDemo ? ofDemo : children} That takes it off the list and stops the cost meter here. The
        evidence log keeps your approval, and never says that the box is gone.
      </p>
      <Button
        size="small"
        onClick={() =>
          isDemo
            ? settingsChanged({ demo: { isOn: false } })
            : overlayOpened({ kind: 'forget-box', boxId: box.id })
        }
      >
        {isDemo ? 'Switch the demo box off' : 'Remove from Leasehold…'}
      </Button>
    </>
  );
}
