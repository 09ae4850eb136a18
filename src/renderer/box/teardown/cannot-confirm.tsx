import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import styles from './teardown.module.css';

/** What is left to do where no word is enough: calling it off would not be true, and it may never be confirmed. */
export function CannotConfirm({ boxId }: { readonly boxId: string }) {
  return (
    <div className={styles['wayOut']} role="note" aria-label="What you can do">
      <p className={styles['lead']}>
        Check again from a network that leads to the address. If the address or its name went away
        with the box, no check can confirm the end. In that case make sure in your provider’s
        console that the machine is gone, then forget the box. That takes it off the list and stops
        the cost meter here. The evidence log keeps your approval, and never says that the box is
        gone.
      </p>
      <Button size="small" onClick={() => overlayOpened({ kind: 'forget-box', boxId })}>
        Forget box…
      </Button>
    </div>
  );
}
