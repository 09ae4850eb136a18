import { Notification } from 'electron';
import { formatWhen } from '../../shared/clocks/when.ts';
import { isInSight, type News } from '../../shared/news/news.ts';

/** Told later than this, as after a restart, it says when it was true. */
const LATE_MS = 5 * 60_000;

export interface NotificationOptions {
  readonly isWanted: () => boolean;
  readonly isWindowInFront: () => boolean;
  /** Whether what a click would show is in a window that is not hidden. */
  readonly isPageLookedAt: (shows: News['shows']) => boolean;
  readonly show: (shows: News['shows']) => void;
}

/** Shows news to a person who does not look at it already. */
export function notifyOf(options: NotificationOptions): (news: News) => void {
  // Referenced until closed: a collected notification loses its click.
  const shown = new Map<string, Notification>();
  return (news) => {
    if (!options.isWanted() || !Notification.isSupported()) return;
    if (isInSight(news, options.isWindowInFront(), options.isPageLookedAt)) return;
    const { kind, about, title, body, shows, atMs } = news;
    const key = `${kind} ${about}`;
    const late = Date.now() - atMs > LATE_MS ? `${formatWhen(atMs)}: ` : '';
    shown.get(key)?.close();
    const notification = new Notification({ title, body: late + body });
    notification.on('click', () => options.show(shows));
    notification.on('close', () => {
      if (shown.get(key) === notification) shown.delete(key);
    });
    shown.set(key, notification);
    notification.show();
  };
}
