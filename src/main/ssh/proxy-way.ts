import type { SshAddress } from '../../shared/boxes/address.ts';
import type { Proxy } from '../../shared/boxes/route.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, unreachable, type Result } from '../../shared/result.ts';
import { converse, ConversationOver, type Trouble } from './conversation.ts';
import { dial, type DialFailure } from './dial.ts';
import { askHttpConnect } from './http-connect.ts';
import { askSocks5 } from './socks5.ts';
import type { OpenWay } from './way.ts';

export const ANSWER_TIMEOUT_MS = 15_000;

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

/** What a proxy said in its own protocol. */
export type ProxyAnswer =
  | { readonly kind: 'connected' }
  | { readonly kind: 'login-refused' }
  | { readonly kind: 'refused'; readonly because: string };

export interface ProxyOptions {
  readonly proxy: Proxy;
  readonly target: SshAddress;
  /** The password that is kept for this proxy; null: there is none. */
  readonly password: (proxy: Proxy) => Result<string | null, Problem>;
  readonly timeoutMs?: number;
}

export const throughProxy =
  ({ proxy, target, password, timeoutMs = ANSWER_TIMEOUT_MS }: ProxyOptions): OpenWay =>
  async (signal) => {
    const login = loginFor(proxy, password);
    if (!login.ok) return err(before(login.error));
    const dialled = await dial(proxy, signal);
    if (!dialled.ok) return err(before(notReached(proxy, dialled.error)));
    const { socket } = dialled.value;
    try {
      const answer = await converse(socket, { timeoutMs, signal }, (talk) =>
        proxy.protocol === 'http'
          ? askHttpConnect(talk, target, login.value)
          : askSocks5(talk, target, login.value),
      );
      if (answer.kind === 'connected') {
        // The first answer came from the proxy, so nothing is known of the time to the box.
        return ok({
          stream: socket,
          latencyMs: null,
          isDirect: false,
          close: () => undefined,
          explain: (seen) => seen,
        });
      }
      socket.destroy();
      return err(before(refused(proxy, target, answer)));
    } catch (cause) {
      if (!(cause instanceof ConversationOver)) throw cause;
      return err(before(brokenOff(proxy, cause.trouble)));
    }
  };

/** A proxy knows what is behind it by hearsay: nobody here has asked the box. */
const before = (what: Problem): Problem => ({ ...what, reach: 'no-way' });

function loginFor(
  proxy: Proxy,
  password: ProxyOptions['password'],
): Result<ProxyLogin | null, Problem> {
  const { user } = proxy;
  if (user === null) return ok(null);
  const kept = password(proxy);
  if (!kept.ok) return kept;
  if (kept.value !== null) return ok({ user, password: kept.value });
  return err(
    problem('proxy-password-missing', `No password is kept for ${user} at ${nameOf(proxy)}.`),
  );
}

function notReached(proxy: Proxy, { code, message }: DialFailure): Problem {
  if (code === 'ABORT_ERR') return stopped();
  const what =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? `Can’t resolve ${nameOf(proxy)}.`
      : `Nothing answers at ${nameOf(proxy)}.`;
  return problem('proxy-unreachable', what, { detail: message });
}

function refused(
  proxy: Proxy,
  { host, port }: SshAddress,
  answer: Exclude<ProxyAnswer, { kind: 'connected' }>,
): Problem {
  if (answer.kind === 'refused') {
    return problem(
      'proxy-refused',
      `${capital(nameOf(proxy))} did not connect to ${host} port ${port}: ${answer.because}.`,
    );
  }
  const { user } = proxy;
  return problem(
    'proxy-login-refused',
    user === null
      ? `${capital(nameOf(proxy))} asks for a login.`
      : `Sign-in to ${nameOf(proxy)} failed for ${user}.`,
  );
}

function brokenOff(proxy: Proxy, trouble: Trouble): Problem {
  const name = capital(nameOf(proxy));
  switch (trouble) {
    case 'aborted':
      return stopped();
    case 'late':
      return problem('proxy-timeout', `${name} did not answer in time.`);
    case 'closed':
      return problem('proxy-garbled', `${name} hung up instead of answering.`);
    case 'too-long':
    case 'garbled':
      return problem(
        'proxy-garbled',
        `${name} does not speak ${proxy.protocol === 'http' ? 'HTTP' : 'SOCKS5'}.`,
      );
    default:
      return unreachable(trouble);
  }
}

function stopped(): Problem {
  return problem('aborted', 'Connecting was stopped.');
}

function nameOf({ protocol, host, port }: Proxy): string {
  return `the ${protocol === 'http' ? 'HTTP' : 'SOCKS5'} proxy ${host} port ${port}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
