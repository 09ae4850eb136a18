import { ConversationOver, type Conversation } from './conversation.ts';
import type { Place } from './dial.ts';
import type { ProxyAnswer, ProxyLogin } from './proxy-way.ts';

const MAX_ANSWER_BYTES = 16 * 1024;
const LOGIN_REQUIRED = 407;

/** RFC 9110 §9.3.6. A body after a refusal is not read: the connection ends with it. */
export async function askHttpConnect(
  talk: Conversation,
  { host, port }: Place,
  login: ProxyLogin | null,
): Promise<ProxyAnswer> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (login !== null) {
    const pair = Buffer.from(`${login.user}:${login.password}`, 'utf8').toString('base64');
    lines.push(`Proxy-Authorization: Basic ${pair}`);
  }
  talk.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  const answer = (await talk.readThrough('\r\n\r\n', MAX_ANSWER_BYTES)).toString('latin1');
  const [, digits, reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?\r\n/.exec(answer) ?? [];
  if (digits === undefined) throw new ConversationOver('garbled');
  const status = Number(digits);
  if (status >= 200 && status < 300) return { kind: 'connected' };
  if (status === LOGIN_REQUIRED) return { kind: 'login-refused' };
  return { kind: 'refused', because: `it answered ${digits} ${printable(reason)}`.trimEnd() };
}

/** A proxy's own words, as far as they are plain. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}
