import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** In the secrets. */
export const WEBHOOK_SECRET = 'webhook:address';

/**
 * The address and what stands in the header Authorization. SECURITY: one secret and not two, so that a token goes to no
 * address but the one with which it was entered, whatever is refused or killed between two writes.
 */
export interface WebhookSecret {
  readonly url: string;
  readonly authorization: string | null;
}

/** Neither can hold a line feed. */
export function packSecret({ url, authorization }: WebhookSecret): string {
  return authorization === null ? url : `${url}\n${authorization}`;
}

export function unpackSecret(text: string): WebhookSecret {
  const [url = '', authorization] = text.split('\n');
  return { url, authorization: authorization ?? null };
}

/** What was typed as the access token: a bare one, or a whole value with its scheme. SECURITY: no answer repeats it. */
export function readAuthorization(text: string): Result<string | null, Problem> {
  const typed = text.trim();
  if (typed === '') return ok(null);
  // What is not plain in one line would become another header.
  if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)?$/.test(typed)) {
    return err(
      problem('bad-input', 'An access token is one word, or a scheme and a word as in “Basic …”.'),
    );
  }
  return ok(typed.includes(' ') ? typed : `Bearer ${typed}`);
}
