import { isoUtc } from '../iso-time.ts';
import type { News } from '../news/news.ts';
import { forSlack } from './for-slack.ts';
import { TEST } from './test-news.ts';
import type { WebhookKind } from './webhook-kinds.ts';

/** What is posted, as each kind of receiver wants it. The news' id is in each of them. */
export function webhookBody(kind: WebhookKind, topic: string, news: News): string {
  const { id, title, body, box, severity, atMs, picture, facts } = news;
  const mark = `Leasehold message ${id}`;
  switch (kind) {
    case 'ntfy':
      return JSON.stringify({
        topic,
        title,
        message: `${body}\n${mark}`,
        priority: severity === 'critical' ? 5 : 3,
        tags: [picture],
      });
    case 'slack':
      return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(body)}\n_${mark}_` });
    case 'json':
      return JSON.stringify({
        source: 'leasehold',
        id,
        isTest: news.kind === TEST.kind,
        about: news.kind,
        severity,
        title,
        body,
        box: box?.name ?? '',
        rangAt: isoUtc(atMs),
        // Always there, as receivers may expect it.
        ...{ clock: '', leftMs: null, share: null, endsAt: null },
        ...facts,
      });
  }
}
