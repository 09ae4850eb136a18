import type { BoxConnection } from '../../../shared/boxes/box.ts';
import type { Hop, Proxy, Route } from '../../../shared/boxes/route.ts';
import {
  judgeHost,
  judgeIdentityFile,
  judgePort,
  judgeUser,
  parsePort,
} from '../../../shared/boxes/ssh-address.ts';
import type { SshCommand } from '../../../shared/boxes/ssh-command.ts';
import { parseJumpHost } from '../../../shared/boxes/ssh-destination.ts';
import { DIRECT, USUAL_LOGIN, USUAL_OPTIONS } from '../../../shared/boxes/usual-way.ts';

export const routeKinds = ['direct', 'jumps', 'socks5', 'http', 'command'] as const;
export type RouteKind = (typeof routeKinds)[number];

export interface HopValues {
  /** `user@host:port` */
  readonly to: string;
  readonly identityFile: string;
}

/** What stands in the fields that say how a box is reached. Every kind of route keeps its own, so switching loses none. */
export interface ConnectionValues {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly identityFiles: readonly string[];
  readonly routeKind: RouteKind;
  readonly hops: readonly HopValues[];
  readonly command: string;
  readonly proxyHost: string;
  readonly proxyPort: string;
  readonly proxyUser: string;
  /** Goes to the secrets and nowhere else. */
  readonly proxyPassword: string;
  readonly certificateFiles: readonly string[];
  readonly isOnlyIdentities: boolean;
  readonly forwardAgent: boolean;
  readonly hostKeyAlias: string;
  readonly knownHostsFiles: readonly string[];
  readonly keepaliveEveryS: string;
  /** What has no field: it is carried through. */
  readonly kept: Pick<BoxConnection['options'], 'configHost' | 'configDigest'>;
}

/** By the field's name; of a list, `hops.1` or `identityFiles.0`. */
export type ConnectionErrors = Readonly<Partial<Record<string, string>>>;

const NO_HOP: HopValues = { to: '', identityFile: '' };

export const EMPTY_VALUES: ConnectionValues = {
  host: '',
  port: '22',
  user: '',
  identityFiles: [],
  routeKind: 'direct',
  hops: [NO_HOP],
  command: '',
  proxyHost: '',
  proxyPort: '1080',
  proxyUser: '',
  proxyPassword: '',
  certificateFiles: [],
  isOnlyIdentities: false,
  forwardAgent: false,
  hostKeyAlias: '',
  knownHostsFiles: [],
  keepaliveEveryS: '',
  kept: { configHost: null, configDigest: null },
};

/** A pasted command fills every field anew, so that nothing of an earlier paste is left between the new values. */
export function fromCommand(command: SshCommand): ConnectionValues {
  const badPort = command.problems.find(({ field }) => field === 'port')?.value;
  const { jumpHosts, proxyCommand, keepaliveEveryS } = command;
  return {
    ...EMPTY_VALUES,
    host: command.host ?? '',
    port: badPort ?? String(command.port ?? EMPTY_VALUES.port),
    user: command.user ?? '',
    identityFiles: command.identityFiles,
    routeKind: jumpHosts.length > 0 ? 'jumps' : proxyCommand === null ? 'direct' : 'command',
    hops: jumpHosts.length > 0 ? jumpHosts.map((to) => ({ to, identityFile: '' })) : [NO_HOP],
    command: proxyCommand ?? '',
    certificateFiles: command.certificateFiles,
    isOnlyIdentities: command.isOnlyIdentities,
    hostKeyAlias: command.hostKeyAlias ?? '',
    knownHostsFiles: command.knownHostsFiles,
    keepaliveEveryS: keepaliveEveryS === null ? '' : String(keepaliveEveryS),
  };
}

export function fromConnection({
  address,
  route,
  login,
  options,
}: BoxConnection): ConnectionValues {
  const { configHost, configDigest, hostKeyAlias, knownHostsFiles, keepaliveEveryS } = options;
  const { identityFiles, certificateFiles, isOnlyIdentities, forwardAgent } = login;
  return {
    ...EMPTY_VALUES,
    host: address.host,
    port: String(address.port),
    user: address.user,
    identityFiles,
    certificateFiles,
    isOnlyIdentities,
    forwardAgent,
    hostKeyAlias: hostKeyAlias ?? '',
    knownHostsFiles,
    keepaliveEveryS: keepaliveEveryS === null ? '' : String(keepaliveEveryS),
    kept: { configHost, configDigest },
    ...fromRoute(route),
  };
}

function fromRoute(route: Route): Partial<ConnectionValues> {
  switch (route.kind) {
    case 'direct':
      return { routeKind: 'direct' };
    case 'jumps':
      return {
        routeKind: 'jumps',
        hops: route.hops.map(({ address, identityFile }) => ({
          to: `${address.user}@${bracketed(address.host)}:${address.port}`,
          identityFile: identityFile ?? '',
        })),
      };
    case 'command':
      return { routeKind: 'command', command: route.command };
    case 'proxy': {
      const { protocol, host, port, user } = route.proxy;
      return {
        routeKind: protocol,
        proxyHost: host,
        proxyPort: String(port),
        proxyUser: user ?? '',
      };
    }
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function judgeConnection(values: ConnectionValues): ConnectionErrors {
  const found: Record<string, string | null> = {
    host: judgeHost(values.host.trim()),
    port: judgePort(values.port.trim()),
    user: judgeUser(values.user.trim()),
    keepaliveEveryS: judgeSeconds(values.keepaliveEveryS.trim()),
    hostKeyAlias: /[\s\p{C}]/u.test(values.hostKeyAlias.trim()) ? 'A name has no spaces.' : null,
    ...judgeRoute(values),
  };
  for (const name of ['identityFiles', 'certificateFiles', 'knownHostsFiles'] as const) {
    for (const [index, path] of values[name].entries()) {
      found[`${name}.${index}`] = judgeFile(path.trim(), name === 'identityFiles');
    }
  }
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function judgeRoute(values: ConnectionValues): Record<string, string | null> {
  switch (values.routeKind) {
    case 'direct':
      return {};
    case 'jumps':
      return Object.fromEntries(
        values.hops.flatMap(({ to, identityFile }, index) => [
          [`hops.${index}`, judgeHop(to)],
          [`hopFiles.${index}`, judgeFile(identityFile.trim(), true)],
        ]),
      );
    case 'command':
      return {
        command: judgeCommand(values.command.trim()),
      };
    case 'socks5':
    case 'http':
      return {
        proxyHost: judgeHost(values.proxyHost.trim()),
        proxyPort: judgePort(values.proxyPort.trim()),
        proxyUser: values.proxyUser.includes(':') ? 'A user name contains no colon.' : null,
        proxyPassword:
          values.proxyPassword !== '' && values.proxyUser.trim() === ''
            ? 'A password needs a user name beside it.'
            : null,
      };
  }
}

function judgeCommand(command: string): string | null {
  if (command === '') return 'Write the command that reaches the box.';
  if (command.length > 1000) return 'A command has at most 1,000 characters here.';
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(command)
    ? 'The command contains invisible characters; type it by hand.'
    : null;
}

function judgeHop(to: string): string | null {
  const parsed = parseJumpHost(to);
  if (!parsed.ok) return parsed.error;
  return parsed.value.user === null ? 'Put the user name before it: user@host.' : null;
}

/** An empty line in a list of files is no file. */
function judgeFile(path: string, isPrivateKey: boolean): string | null {
  if (path === '') return null;
  return judgeIdentityFile(isPrivateKey ? path : path.replace(/\.pub$/, ''));
}

function judgeSeconds(text: string): string | null {
  const isRight = text === '' || (/^\d{1,4}$/.test(text) && Number(text) >= 1);
  return isRight && Number(text) <= 3600 ? null : 'A whole number of seconds, 1 to 3600.';
}

/** Only for values without errors. */
export function toConnection(values: ConnectionValues): BoxConnection {
  const { configHost, configDigest } = values.kept;
  const [alias, seconds] = [values.hostKeyAlias.trim(), values.keepaliveEveryS.trim()];
  return {
    address: {
      host: values.host.trim(),
      port: parsePort(values.port.trim()) ?? 22,
      user: values.user.trim(),
    },
    route: toRoute(values),
    login: {
      ...USUAL_LOGIN,
      identityFiles: filled(values.identityFiles),
      certificateFiles: filled(values.certificateFiles),
      isOnlyIdentities: values.isOnlyIdentities,
      forwardAgent: values.forwardAgent,
    },
    options: {
      ...USUAL_OPTIONS,
      hostKeyAlias: alias === '' ? null : alias,
      knownHostsFiles: filled(values.knownHostsFiles),
      keepaliveEveryS: seconds === '' ? null : Number(seconds),
      configHost,
      configDigest,
    },
  };
}

function toRoute(values: ConnectionValues): Route {
  switch (values.routeKind) {
    case 'direct':
      return DIRECT;
    case 'jumps':
      return { kind: 'jumps', hops: values.hops.flatMap(toHop) };
    case 'command':
      return { kind: 'command', command: values.command.trim() };
    case 'socks5':
    case 'http':
      return { kind: 'proxy', proxy: toProxy(values.routeKind, values) };
  }
}

function toHop({ to, identityFile }: HopValues): Hop[] {
  const parsed = parseJumpHost(to);
  if (!parsed.ok) return [];
  const { host, port, user } = parsed.value;
  const file = identityFile.trim();
  return [
    {
      address: { host, port: port ?? 22, user: user ?? '' },
      identityFile: file === '' ? null : file,
    },
  ];
}

function toProxy(protocol: Proxy['protocol'], values: ConnectionValues): Proxy {
  const user = values.proxyUser.trim();
  return {
    protocol,
    host: values.proxyHost.trim(),
    port: parsePort(values.proxyPort.trim()) ?? 1080,
    user: user === '' ? null : user,
  };
}

function filled(paths: readonly string[]): readonly string[] {
  return paths.map((path) => path.trim()).filter((path) => path !== '');
}
