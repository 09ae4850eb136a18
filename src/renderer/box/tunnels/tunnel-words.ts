import type { TunnelHealth } from '../../../shared/tunnels/judge-tunnel.ts';
import type { Tunnel, TunnelKind } from '../../../shared/tunnels/tunnel.ts';
import type { Tone } from '../../ui/glyph.tsx';

interface HealthWords {
  readonly tone: Tone;
  readonly word: string;
  /** What exactly that says, for the tooltip. */
  readonly hint: string;
}

export const HEALTH_WORDS: Readonly<Record<TunnelHealth, HealthWords>> = {
  answered: {
    tone: 'ok',
    word: 'Answered',
    hint: 'Something came back through this tunnel lately.',
  },
  stale: {
    tone: 'unknown',
    word: 'Not proven now',
    hint: 'The last proof is too old to say anything about now.',
  },
  silent: {
    tone: 'idle',
    word: 'Accepts, silent',
    hint: 'The far end takes connections but said nothing. Some programs wait for their client; a hung one does this too.',
  },
  unproven: {
    tone: 'unknown',
    word: 'Never answered',
    hint: 'The port is open here, but nothing has come back through it.',
  },
  checking: { tone: 'wait', word: 'Checking…', hint: 'A small request is on its way through it.' },
  'no-answer': {
    tone: 'danger',
    word: 'No answer',
    hint: 'The port is open here, but the far end does not answer.',
  },
  refused: {
    tone: 'danger',
    word: 'Forbidden',
    hint: 'The box’s SSH server does not allow this tunnel.',
  },
  opening: { tone: 'wait', word: 'Opening…', hint: 'The port is being opened.' },
  waiting: {
    tone: 'off',
    word: 'Waiting for connection',
    hint: 'It opens by itself when the box is connected.',
  },
  'port-taken': {
    tone: 'warn',
    word: 'Local port taken',
    hint: 'Another program of this machine has this port.',
  },
  failed: { tone: 'danger', word: 'Failed', hint: 'It could not be opened.' },
  stopped: { tone: 'off', word: 'Stopped', hint: 'It stays stopped until you start it.' },
};

export const KIND_WORDS: Readonly<Record<TunnelKind, string>> = {
  local: 'here → box',
  remote: 'box → here',
  dynamic: 'SOCKS proxy',
};

/** Where its programs connect to. */
export function listenAddress({ kind, listenPort, isExposed }: Tunnel): string {
  const host = isExposed ? 'all addresses' : '127.0.0.1';
  return `${kind === 'remote' ? 'box ' : ''}${host}:${listenPort}`;
}

export function targetAddress({ kind, target }: Tunnel): string {
  if (target === null) return 'anything the box reaches';
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `${kind === 'remote' ? 'here' : 'box'} ${host}:${target.port}`;
}
