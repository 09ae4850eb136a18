import { forSlack } from '../webhook/for-slack.ts';
import type { WebhookKind } from '../webhook/webhook-kinds.ts';

/** The box puts its own time there when it posts. */
export const WHEN = '@when@';
/** And there what the folder of a launched run says of its end (parts/push-waiter.sh). */
const OUTCOME = '@outcome@';
const CODE = '@code@';

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
  /** The launched run that the process keeps; null: it keeps none. The name is on one line and without secrets. */
  readonly run: { readonly id: string; readonly name: string } | null;
  readonly maxHours: number;
}

const HIDDEN = '••••';

/** The same target with nothing in it that lets anybody write there: for a person to look at. */
export function maskTarget(target: PushTarget): PushTarget {
  return {
    kind: target.kind,
    address: target.address.replace(/^([a-z]+:\/\/[^/?#]*)(?:[/?#].*)?$/, `$1/${HIDDEN}`),
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
  { boxName, pid, command, run, maxHours }: PushSubject,
  because: PushCause,
): { readonly title: string; readonly body: string } {
  const who = run === null ? `Process ${String(pid)}` : `Run “${run.name}”`;
  const what = `${who}${command === null ? '' : ` (${command})`}`;
  const titled = `${boxName}: ${run === null ? 'a run' : `run “${run.name}”`}`;
  const told = `Told by the box itself at ${WHEN}.`;
  if (because === 'expired') {
    return {
      title: `${titled} goes on`,
      body: `${what} still runs after ${waitWords(maxHours)}. The box waits no longer: nothing is told when it ends. ${told}`,
    };
  }
  return {
    title: `${titled} has ended`,
    body:
      run === null
        ? `${what} is not there any more. Whether it finished is not known from this: look at its log. ${told}`
        : `${what} has ended: ${OUTCOME}; exit code ${CODE}. ${told}`,
  };
}

/** A message with words for what only the box can say, when it posts. */
export function withoutMarks(text: string): string {
  return text
    .replace(WHEN, '(the box’s time)')
    .replace(OUTCOME, '(done, failed or ended by you)')
    .replace(CODE, '(as its folder has it)');
}

/** "7 days", "36 hours". */
export function waitWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

interface Message {
  readonly title: string;
  readonly body: string;
  readonly because: PushCause | 'test';
  readonly at: string;
}

function bodyOf(target: PushTarget, subject: PushSubject, told: Message): string {
  const { title, body, because, at } = told;
  const { id, boxName, pid, command, run } = subject;
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
      const ending =
        run === null || because !== 'ended'
          ? { outcome: null, exitCode: null }
          : { outcome: OUTCOME, exitCode: CODE };
      return JSON.stringify({
        source: 'leasehold',
        id,
        about: 'run',
        because,
        title,
        body,
        box: boxName,
        process: pid,
        command,
        run: run?.name ?? null,
        ...ending,
        at,
      });
    }
  }
}
