import type { BoxConnection } from '../../../shared/boxes/box.ts';
import type { Route } from '../../../shared/boxes/route.ts';

/** `root@gpu.example:2222`; the usual port is not worth a word. */
export function addressWords({ host, port, user }: BoxConnection['address']): string {
  return `${user}@${host.includes(':') ? `[${host}]` : host}${port === 22 ? '' : `:${port}`}`;
}

export function routeWords(route: Route): string {
  switch (route.kind) {
    case 'direct':
      return 'directly';
    case 'jumps':
      return `through ${route.hops.map(({ address }) => addressWords(address)).join(', then ')}`;
    case 'command':
      return `by the command ${route.command}`;
    case 'proxy': {
      const { protocol, host, port, user } = route.proxy;
      const as = user === null ? '' : ` as ${user}`;
      return `through the ${protocol === 'http' ? 'HTTP' : 'SOCKS5'} proxy ${host}:${port}${as}`;
    }
  }
}

export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Everything of a connection that a person can tell apart, in words. Empty: only its bookkeeping differs. */
export function differences(before: BoxConnection, after: BoxConnection): readonly Difference[] {
  const [old, next] = [facts(before), facts(after)];
  return Object.keys(next).flatMap((what) => {
    const [was = '', is = ''] = [old[what], next[what]];
    return was === is ? [] : [{ what, before: was, after: is }];
  });
}

const NONE = 'none';

function facts({
  address,
  route,
  login,
  options,
}: BoxConnection): Readonly<Record<string, string>> {
  const list = (files: readonly string[]): string => (files.length === 0 ? NONE : files.join(', '));
  const hopKeys =
    route.kind === 'jumps' ? route.hops.map(({ identityFile }) => identityFile ?? '–') : [];
  return {
    Address: addressWords(address),
    Reached: routeWords(route),
    'Keys of jump hosts': list(hopKeys),
    'Key files': list(login.identityFiles),
    Certificates: list(login.certificateFiles),
    'Only these keys': login.isOnlyIdentities ? 'yes' : 'no',
    'Host key alias': options.hostKeyAlias ?? NONE,
    'Known hosts files': list(options.knownHostsFiles),
    Keepalive: options.keepaliveEveryS === null ? 'usual' : `${options.keepaliveEveryS} s`,
  };
}
