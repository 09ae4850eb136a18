import { forSlack } from '../webhook/webhook-body.ts';
import type { WebhookKind } from '../webhook/webhook-kinds.ts';
import type { PushSubject } from './push-waiter.ts';

/** The box puts its own time there when it posts. */
export const WHEN = '@when@';

/** What a box posts by itself, written before it happens: the box adds only the time. */
export function pushBody(
  kind: WebhookKind,
  topic: string,
  {
    boxName,
    subject,
    because,
  }: {
    readonly boxName: string;
    readonly subject: PushSubject;
    readonly because: 'ended' | 'appeared';
  },
): string {
  const title =
    because === 'ended' ? `${boxName}: a run has ended` : `${boxName}: a marker has appeared`;
  const what =
    subject.kind === 'process'
      ? `Process ${String(subject.pid)} is not there any more. Whether it finished is not known from this: look at its log.`
      : `${subject.path} is there.`;
  const body = `${what} Told by the box itself at ${WHEN}.`;
  switch (kind) {
    case 'ntfy':
      return JSON.stringify({ topic, title, message: body, priority: 4, tags: ['checkered_flag'] });
    case 'slack':
      return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(body)}` });
    case 'json':
      return JSON.stringify({ source: 'leasehold', title, body, box: boxName, because, at: WHEN });
  }
}
