import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { NO_WAY } from './dial.ts';
import { handshakeProblemCode, unagreedOn, type Unagreed } from './handshake-problem.ts';

const BY_ERRNO: Readonly<Record<string, ProblemCode>> = {
  ENOTFOUND: 'host-not-found',
  EAI_AGAIN: 'host-not-found',
  ECONNREFUSED: 'unreachable',
  ETIMEDOUT: 'connect-timeout',
  ECONNRESET: 'link-lost',
  EPIPE: 'link-lost',
  ...Object.fromEntries(NO_WAY.map((code) => [code, 'no-way' as const])),
};

/** ssh2 tells the layer in `level`. */
const BY_LEVEL: Readonly<Record<string, ProblemCode>> = {
  'client-authentication': 'auth-refused',
  'client-timeout': 'connect-timeout',
};

/** What ssh2 1.17 says of a greeting that never was one, without a level. */
const NO_GREETING =
  /^(header line too long|max greeting lines exceeded|invalid header|invalid identification)/i;

/** The only place that knows the SSH library's errors. */
export function toProblem(cause: unknown, address: SshAddress): Problem {
  const { code, level, message } = cause as { code?: unknown; level?: unknown; message?: unknown };
  if (typeof message === 'string' && NO_GREETING.test(message)) return noSshServer(address);
  const unagreed = unagreedOn(level, message);
  if (unagreed !== null) return nothingInCommon(unagreed, address, String(message));
  const known =
    handshakeProblemCode(level, message) ??
    (typeof level === 'string' ? BY_LEVEL[level] : undefined) ??
    (typeof code === 'string' ? BY_ERRNO[code] : undefined) ??
    'link-lost';
  return problem(known, words(known, address), { detail: String(message ?? cause) });
}

const INSISTS: Readonly<Record<Unagreed, { readonly on: string; readonly nextStep: string }>> = {
  compression: {
    on: 'insists on compression, and Leasehold unpacks nothing that a server packed',
    nextStep: 'Have that server allow connections without compression, or use another address.',
  },
  cipher: {
    on: 'offers no cipher that Leasehold uses',
    nextStep:
      'On that server, add aes256-gcm@openssh.com or aes256-ctr to Ciphers in sshd_config, or update its SSH server.',
  },
  MAC: {
    on: 'offers no MAC (message check) that Leasehold uses',
    nextStep: 'On that server, add hmac-sha2-256 to MACs in sshd_config, or update its SSH server.',
  },
};

function nothingInCommon(what: Unagreed, { host, port }: SshAddress, detail: string): Problem {
  const { on, nextStep } = INSISTS[what];
  return problem('key-exchange-refused', `${host} port ${String(port)} ${on}. Nothing was sent.`, {
    nextStep,
    detail,
  });
}

/** It sent more than a greeting and a key exchange have, or no greeting at all. */
export function noSshServer({ host, port }: SshAddress): Problem {
  return problem(
    'key-exchange-refused',
    `What answers at ${host} port ${String(port)} does not talk like an SSH server. Nothing was sent.`,
    { nextStep: 'Check that host and port are those of an SSH server.' },
  );
}

function words(code: ProblemCode, { host, port, user }: SshAddress): string {
  switch (code) {
    case 'host-not-found':
      return `Can’t resolve ${host}.`;
    case 'unreachable':
      return `Nothing answers at ${host} port ${String(port)}.`;
    case 'no-way':
      return `This computer has no way to ${host}: a network or a router on the way does not lead there.`;
    case 'connect-timeout':
      return `${host} port ${String(port)} did not answer in time.`;
    case 'auth-refused':
      return `Sign-in failed for ${user}@${host}.`;
    case 'key-exchange-refused':
      return `${host} port ${String(port)} offers no key exchange over X25519 or the curves P-256, P-384 and P-521, and Leasehold uses no other. Nothing was sent.`;
    case 'host-key-unproven':
      return `${host} shows a host key, but could not prove that it owns it. Leasehold sent nothing.`;
    case 'host-key-unusable':
      return `${host} port ${String(port)} offers no host key that Leasehold can check. Leasehold sent nothing.`;
    default:
      return `The connection to ${host} was lost.`;
  }
}
