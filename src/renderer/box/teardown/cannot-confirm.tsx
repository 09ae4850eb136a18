import type { Box } from '../../../shared/boxes/box.ts';
import { GiveUp } from './give-up.tsx';
import styles from './teardown.module.css';

/** What is left to do where no word is enough: calling it off would not be true, and it may never be confirmed. */
export function CannotConfirm({ box }: { readonly box: Pick<Box, 'id' | 'platform'> }) {
  return (
    <div className={styles['wayOut']} role="note" aria-label="What you can do">
      <p className={styles['lead']}>
        Check again from a network that leads to the address. If the address or its name went away
        with the box, no check can confirm the end.
      </p>
      <GiveUp box={box} ofDemo="In that case switch the demo box off.">
        In that case make sure in your provider’s console that the machine is gone, then forget the
        box.
      </GiveUp>
    </div>
  );
}
