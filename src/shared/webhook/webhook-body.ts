import type { AlarmMessage, Delivery } from './delivery.ts';
import type { WebhookKind } from './webhook-kinds.ts';

/** At or below this a phone should ring and not only show. */
const URGENT_MS = 3_600_000;

/** As ntfy names its pictures. */
const TAGS: Readonly<Record<AlarmMessage['about'], string>> = {
  clock: 'hourglass_flowing_sand',
  budget: 'moneybag',
  sentinel: 'eyes',
  test: 'hourglass_flowing_sand',
};

/** What is posted, as each kind of receiver wants it. The delivery's id is in each of them. */
export function webhookBody(kind: WebhookKind, topic: string, delivery: Delivery): string {
  const { id, message, isTest } = delivery;
  const { title, body, about, boxName, clockId, markMs, share, endsAtMs, rangAtMs } = message;
  const mark = `Leasehold message ${id}`;
  switch (kind) {
    case 'ntfy':
      return JSON.stringify({
        topic,
        title,
        message: `${body}\n${mark}`,
        priority: isUrgent(message) ? 5 : 3,
        tags: [TAGS[about]],
      });
    case 'slack':
      return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(body)}\n_${mark}_` });
    case 'json':
      return JSON.stringify({
        source: 'leasehold',
        id,
        isTest,
        about,
        title,
        body,
        box: boxName,
        clock: clockId,
        leftMs: markMs,
        share,
        endsAt: endsAtMs === null ? null : new Date(endsAtMs).toISOString(),
        rangAt: new Date(rangAtMs).toISOString(),
      });
  }
}

/** A clock that is nearly over, or a budget that is used up. */
function isUrgent({ markMs, share }: AlarmMessage): boolean {
  return (markMs !== null && markMs <= URGENT_MS) || (share !== null && share >= 1);
}

/** Slack reads these as the beginning of links and mentions; a box's name must not call a channel. */
export function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
