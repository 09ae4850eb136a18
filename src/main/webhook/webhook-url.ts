import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { WebhookKind } from '../../shared/webhook/webhook-kinds.ts';

/** Where to post, and what ntfy wants to know in the body. */
export interface WebhookEndpoint {
  readonly url: URL;
  /** ntfy's topic; empty for the others. */
  readonly topic: string;
}

/** SECURITY: no answer repeats the address: whoever knows it can write there. */
export function readWebhookUrl(
  kind: WebhookKind,
  text: string,
  isPlainAllowed: boolean,
): Result<WebhookEndpoint, Problem> {
  const url = parseUrl(text.trim());
  if (url === null)
    return refuse('That is no address of a webhook: write all of it, from https:// on.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('A webhook’s address begins with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'An address with a name and password in it is not used; take one with a token in its path.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isPlainAllowed) {
    return refuse('Over http:// anybody on the way can read the alarms and the address itself.');
  }
  if (kind !== 'ntfy') return ok({ url, topic: '' });
  const [, folder, topic] = /^(.*\/)([\w-]{1,64})$/.exec(url.pathname) ?? [];
  if (folder === undefined || topic === undefined) {
    return refuse(
      'The address of an ntfy topic ends with the topic, as in https://ntfy.sh/my-topic.',
    );
  }
  const root = new URL(url);
  root.pathname = folder;
  return ok({ url: root, topic });
}

/** URL.canParse is younger than the oldest runtime (decision 1). */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function refuse(message: string): Result<never, Problem> {
  return err(problem('bad-input', message));
}
