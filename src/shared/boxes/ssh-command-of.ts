import { shellWord } from '../shell-word.ts';
import type { Box } from './box.ts';
import type { Proxy, Route } from './route.ts';

/** As a person would type it. Host and user were checked when the box was added; a path may need quotes. */
export function sshCommandOf({
  address,
  route,
  login,
  options,
}: Pick<Box, 'address' | 'route' | 'login' | 'options'>): string {
  const { host, port, user } = address;
  return [
    'ssh',
    ...(port === 22 ? [] : ['-p', String(port)]),
    ...login.identityFiles.flatMap((file) => ['-i', shellWord(file)]),
    ...login.certificateFiles.flatMap((file) => option('CertificateFile', file)),
    ...(login.isOnlyIdentities ? option('IdentitiesOnly', 'yes') : []),
    ...routeWords(route),
    ...(options.hostKeyAlias === null ? [] : option('HostKeyAlias', options.hostKeyAlias)),
    `${user}@${host}`,
  ].join(' ');
}

function routeWords(route: Route): readonly string[] {
  switch (route.kind) {
    case 'direct':
      return [];
    case 'jumps': {
      const hops = route.hops.map(
        ({ address: { host, port, user } }) =>
          `${user}@${host.includes(':') ? `[${host}]` : host}${port === 22 ? '' : `:${port}`}`,
      );
      return ['-J', shellWord(hops.join(','))];
    }
    case 'command':
      return option('ProxyCommand', route.command);
    case 'proxy':
      return option('ProxyCommand', proxyCommand(route.proxy));
  }
}

/** OpenSSH speaks to no proxy itself; OpenBSD's nc is what its manual uses. */
function proxyCommand({ protocol, host, port, user }: Proxy): string {
  const kind = protocol === 'http' ? 'connect' : '5';
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = user === null ? '' : ` -P ${shellWord(user)}`;
  return `nc -X ${kind} -x ${place}${login} %h %p`;
}

function option(name: string, value: string): readonly string[] {
  return ['-o', shellWord(`${name}=${value}`)];
}
