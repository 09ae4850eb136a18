import { isIPv4, isIPv6 } from 'node:net';
import { ConversationOver, type Conversation } from './conversation.ts';
import type { Place } from './dial.ts';
import type { ProxyLogin, ProxyAnswer } from './proxy-way.ts';

// RFC 1928 (SOCKS 5) and RFC 1929 (user name and password).
const VERSION = 5;
const LOGIN_VERSION = 1;
const NO_LOGIN = 0;
const USER_PASSWORD = 2;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;

const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it failed',
  2: 'its rules forbid it',
  3: 'it cannot reach that network',
  4: 'it cannot reach that host',
  5: 'nothing answers there',
  6: 'it took too long',
  7: 'it does not make connections',
  8: 'it does not know that kind of address',
};

export async function askSocks5(
  talk: Conversation,
  target: Place,
  login: ProxyLogin | null,
): Promise<ProxyAnswer> {
  const methods = login === null ? [NO_LOGIN] : [NO_LOGIN, USER_PASSWORD];
  talk.send(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method = NONE_ACCEPTABLE] = await talk.readBytes(2);
  if (version !== VERSION) throw new ConversationOver('garbled');
  if (method === NONE_ACCEPTABLE) return { kind: 'login-refused' };
  if (!methods.includes(method)) throw new ConversationOver('garbled');
  if (method === USER_PASSWORD && login !== null) {
    talk.send(
      Buffer.concat([Buffer.from([LOGIN_VERSION]), counted(login.user), counted(login.password)]),
    );
    const [loginVersion, status] = await talk.readBytes(2);
    if (loginVersion !== LOGIN_VERSION) throw new ConversationOver('garbled');
    if (status !== 0) return { kind: 'login-refused' };
  }
  talk.send(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressBytes(target)]));
  const [replyVersion, reply = 1, , kind = 0] = await talk.readBytes(4);
  if (replyVersion !== VERSION) throw new ConversationOver('garbled');
  if (reply !== 0) return { kind: 'refused', because: REFUSALS[reply] ?? `it answered ${reply}` };
  await skipBoundAddress(talk, kind);
  return { kind: 'connected' };
}

async function skipBoundAddress(talk: Conversation, kind: number): Promise<void> {
  if (kind === 1) await talk.readBytes(4 + 2);
  else if (kind === 4) await talk.readBytes(16 + 2);
  else if (kind === 3) await talk.readBytes(((await talk.readBytes(1))[0] ?? 0) + 2);
  else throw new ConversationOver('garbled');
}

/** A name goes as a name: the proxy resolves it where it stands. */
function addressBytes({ host, port }: Place): Buffer {
  const portBytes = Buffer.from([port >> 8, port & 0xff]);
  if (isIPv4(host))
    return Buffer.concat([Buffer.from([1, ...host.split('.').map(Number)]), portBytes]);
  if (isIPv6(host)) return Buffer.concat([Buffer.from([4]), ipV6Bytes(host), portBytes]);
  return Buffer.concat([Buffer.from([3]), counted(host), portBytes]);
}

function ipV6Bytes(host: string): Buffer {
  const [plain = ''] = host.split('%');
  // A dotted tail (::ffff:192.0.2.1) is two groups.
  const text = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((n) => n.toString(16)).join(':'),
  );
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const bytes = Buffer.alloc(16);
  for (const [i, group] of [...before, ...zeros, ...after].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  }
  return bytes;
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8').subarray(0, 255);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}
