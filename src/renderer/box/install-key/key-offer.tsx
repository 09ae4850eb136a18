import { KeyRound, X } from 'lucide-react';
import type { Box } from '../../../shared/boxes/box.ts';
import { keyOfferDismissed } from '../../state/actions.ts';
import { useKeyOffers } from '../../state/feeds.ts';
import { overlayOpened } from '../../state/view.ts';
import { Button } from '../../ui/button.tsx';
import styles from './install-key.module.css';

/** Said once, calmly, after a log-in with a password; a dismissed offer does not come back for this box, but its menu has the same. */
export function KeyOffer({ box }: { readonly box: Box }) {
  const isOffered = useKeyOffers((feed) => feed.kind === 'live' && feed.state.includes(box.id));
  if (!isOffered) return null;
  return (
    <section className={styles['offer']} aria-label="Log in with a key">
      <KeyRound size={16} aria-hidden />
      <p>
        You logged in with a password. With a key on the box, Leasehold can log in again by itself
        when the connection drops.
      </p>
      <Button size="small" onClick={() => overlayOpened({ kind: 'install-key', boxId: box.id })}>
        Install a public key…
      </Button>
      <Button
        look="quiet"
        size="small"
        isIcon
        title="Do not offer this again for this box"
        aria-label="Do not offer this again for this box"
        onClick={() => keyOfferDismissed(box.id)}
      >
        <X size={15} aria-hidden />
      </Button>
    </section>
  );
}
