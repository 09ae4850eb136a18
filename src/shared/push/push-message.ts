import { forSlack } from '../webhook/webhook-body.ts';
import type { WebhookKind } from '../webhook/webhook-kinds.ts';

/** The box puts its own time there when it posts. */
export const WHEN = '@when@';

/** Why a box posts: the process ended, or the longest wait is over. */
export type PushCause = 'ended' | 'expired';

/** Where a box posts to. SECURITY: all of it is secret but the host. */
export interface PushTarget {
  readonly kind: WebhookKind;
  /** As a browser would write it: whole, and without blanks or quotes. */
  readonly address: string;
  /** ntfy's topic; empty for the others. */
  readonly topic: string;
  /** What stands in the header Authorization. */
  readonly authorization: string | null;
}

/** What the message is about. */
export interface PushSubject {
  /** The waiter's, so that a repeat can be told. */
  readonly id: string;
  readonly boxName: string;
  readonly pid: number;
  /** On one line and without secrets; null: the box did not tell it. */
  readonly command: string | null;
  readonly maxHours: number;
}

const HIDDEN = '••••';

/** The same target with nothing in it that lets anybody write there: for a person to look at. */
export function maskTarget(target: PushTarget): PushTarget {
  return {
    kind: target.kind,
    address: target.address.replace(/^([a-z]+:\/\/[^/?#]*).*$/, `$1/${HIDDEN}`),
    topic: target.topic === '' ? '' : HIDDEN,
    authorization: target.authorization === null ? null : HIDDEN,
  };
}

/** What parts/push-waiter.sh reads from its stdin, a line each. JSON has no line break in it. */
export function waiterLines(target: PushTarget, subject: PushSubject): readonly string[] {
  return [
    target.address,
    target.authorization ?? '',
    runBody(target, subject, 'ended'),
    runBody(target, subject, 'expired'),
    'end',
  ];
}

/** What push-test.sh reads from its stdin. */
export function testLines(target: PushTarget, subject: PushSubject, at: string): readonly string[] {
  const words = {
    title: `${subject.boxName}: a test`,
    body: 'This box can reach you. A message like this comes when the run ends.',
  };
  return [
    target.address,
    target.authorization ?? '',
    bodyOf(target, subject, { ...words, because: 'test', at }),
    'end',
  ];
}

function runBody(target: PushTarget, subject: PushSubject, because: PushCause): string {
  return bodyOf(target, subject, { ...runWords(subject, because), because, at: WHEN });
}

/** What a person reads on their phone. */
export function runWords(
  { boxName, pid, command, maxHours }: PushSubject,
  because: PushCause,
): { readonly title: string; readonly body: string } {
  const what = `Process ${String(pid)}${command === null ? '' : ` (${command})`}`;
  return because === 'ended'
    ? {
        title: `${boxName}: a run has ended`,
        body: `${what} is not there any more. Whether it finished is not known from this: look at its log. Told by the box itself at ${WHEN}.`,
      }
    : {
        title: `${boxName}: a run goes on`,
        body: `${what} still runs after ${waitWords(maxHours)}. The box waits no longer: nothing is told when it ends. Told by the box itself at ${WHEN}.`,
      };
}

/** "7 days", "36 hours". */
export function waitWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

interface Told {
  readonly title: string;
  readonly body: string;
  readonly because: PushCause | 'test';
  readonly at: string;
}

function bodyOf(target: PushTarget, subject: PushSubject, told: Told): string {
  const { title, body, because, at } = told;
  const { id, boxName, pid, command } = subject;
  const mark = `Leasehold message ${id}`;
  switch (target.kind) {
    case 'ntfy':
      return JSON.stringify({
        topic: target.topic,
        title,
        message: `${body}\n${mark}`,
        priority: because === 'test' ? 3 : 4,
        tags: ['checkered_flag'],
      });
    case 'slack':
      return JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(body)}\n_${mark}_` });
    case 'json': {
      const run = { box: boxName, process: pid, command };
      return JSON.stringify({
        source: 'leasehold',
        id,
        about: 'run',
        because,
        title,
        body,
        ...run,
        at,
      });
    }
  }
}
