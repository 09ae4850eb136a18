import { Notification } from 'electron';
import { selectLinkNotification } from '../../shared/boxes/fleet-summary.ts';
import type { FleetListener } from '../boxes/fleet.ts';

/** Tells a person who does not look at the window about links that need them. */
export function notifyAboutLinks(options: {
  readonly isWanted: () => boolean;
  readonly isWindowInFront: () => boolean;
  readonly showBox: (boxId: string) => void;
}): FleetListener {
  // Referenced until closed: a collected notification loses its click.
  const shown = new Map<string, Notification>();
  return (entry, before) => {
    if (before === null || !options.isWanted() || options.isWindowInFront()) return;
    const text = selectLinkNotification(entry.box.name, before.link, entry.link);
    if (text === null || !Notification.isSupported()) return;
    shown.get(entry.box.id)?.close();
    const notification = new Notification(text);
    notification.on('click', () => options.showBox(entry.box.id));
    notification.on('close', () => shown.delete(entry.box.id));
    shown.set(entry.box.id, notification);
    notification.show();
  };
}
