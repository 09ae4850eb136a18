import { boxConnection, type BoxConnection } from '../box.ts';
import { MAX_HOPS, type Hop, type Route } from '../route.ts';
import { judgeHost, judgeIdentityFile, judgeUser } from '../ssh-address.ts';
import { parseJumpHost, splitJumpHosts, type JumpHost } from '../ssh-destination.ts';
import { expandTokens, type TokenValues } from '../ssh-tokens.ts';
import { AGENT_NOT_LENT } from '../ssh-command.ts';
import { USUAL_LOGIN, USUAL_OPTIONS } from '../usual-way.ts';
import { err, ok, type Result } from '../../result.ts';
import type { ConfigNote, ConfigPlace } from './config-file.ts';
import { expandedHostName, resolveHost, SectionIndex, type ResolvedHost } from './resolve.ts';
import { layOut, type ConfigTree, type NamedHost } from './sections.ts';

/** A Host entry as a box. */
export interface ConfigBox {
  readonly name: string;
  readonly place: ConfigPlace;
  /** Null: it cannot be taken over, and `because` says why. */
  readonly connection: BoxConnection | null;
  readonly because: string | null;
  /** What of the config does not count for this box. */
  readonly notes: readonly ConfigNote[];
}

/** What `%u`, `%d` and a missing User stand for. */
export interface LocalUser {
  readonly name: string;
  readonly home: string;
}

/** A config that was laid out: which hosts it names, and what it says about each. Total, and nothing is run. */
export interface OpenedConfig {
  readonly hosts: readonly NamedHost[];
  readonly notes: readonly ConfigNote[];
  /** As OpenSSH would resolve it. Costs a look at what can concern this host, not at the whole config. */
  readonly toBox: (host: NamedHost) => ConfigBox;
}

export function openConfig(tree: ConfigTree, local: LocalUser): OpenedConfig {
  const { sections, hosts, notes } = layOut(tree);
  const context: Context = { index: new SectionIndex(sections), local };
  const toBox = ({ name, place }: NamedHost): ConfigBox => {
    const resolved = resolveHost(context.index, name, local.name);
    const own: ConfigNote[] = [];
    const note = (text: string, because: string): void => void own.push({ place, text, because });
    const read = toConnection(context, name, resolved, note);
    return {
      name,
      place,
      connection: read.ok ? read.value : null,
      because: read.ok ? null : read.error,
      notes: [...resolved.notes, ...own],
    };
  };
  return { hosts, notes, toBox };
}

interface Context {
  readonly index: SectionIndex;
  readonly local: LocalUser;
}

type TakeNote = (text: string, because: string) => void;

function toConnection(
  context: Context,
  name: string,
  resolved: ResolvedHost,
  note: TakeNote,
): Result<BoxConnection, string> {
  const address = addressOf(context, name, resolved);
  if (!address.ok) return address;
  const route = routeOf(context, name, resolved);
  if (!route.ok) return route;
  const tokens = tokensOf(context, name, address.value);
  const seconds = resolved.serverAliveIntervalS ?? 0;
  const files = (paths: readonly string[], judge: (path: string) => string | null) =>
    paths.flatMap((path) => expandedFile(path, tokens, judge, note));
  // SECURITY: lending is decided for each box by itself, where the warning stands.
  if (resolved.forwardAgent === true) note('ForwardAgent', AGENT_NOT_LENT);
  const parsed = boxConnection.safeParse({
    address: address.value,
    route: route.value,
    login: {
      ...USUAL_LOGIN,
      identityFiles: files(resolved.identityFiles, judgeIdentityFile),
      certificateFiles: files(resolved.certificateFiles, () => null),
      isOnlyIdentities: resolved.identitiesOnly ?? false,
    },
    options: {
      ...USUAL_OPTIONS,
      hostKeyAlias: resolved.hostKeyAlias,
      knownHostsFiles: files(resolved.knownHostsFiles ?? [], () => null),
      keepaliveEveryS: seconds >= 1 && seconds <= 3600 ? seconds : null,
      configHost: name,
    },
  } satisfies BoxConnection);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'cannot be used'}`);
}

function addressOf(
  { local }: Context,
  name: string,
  { hostName, port, user }: ResolvedHost,
): Result<BoxConnection['address'], string> {
  const host = expandedHostName(hostName, name) ?? (hostName === null ? name : '');
  const login = user ?? local.name;
  const wrong = judgeHost(host) ?? judgeUser(login);
  if (wrong !== null)
    return err(
      hostName !== null && host === '' ? 'HostName has a token that is not understood.' : wrong,
    );
  return ok({ host, port: port ?? 22, user: login });
}

function tokensOf(
  { local }: Context,
  name: string,
  { host, port, user }: BoxConnection['address'],
): TokenValues {
  return { h: host, n: name, p: String(port), r: user, u: local.name, d: local.home };
}

/** One file or none, with a note. `~/` stays: it is read where it is used. */
function expandedFile(
  path: string,
  tokens: TokenValues,
  judge: (path: string) => string | null,
  note: TakeNote,
): readonly string[] {
  if (path.toLowerCase() === 'none' || path === '/dev/null') return [];
  const expanded = expandTokens(path, tokens);
  const wrong = !expanded.ok
    ? `not used: ${expanded.error} is not understood`
    : /\$\{/.test(path)
      ? 'not used: variables are not understood'
      : /^~[^/]/.test(path)
        ? 'not used: another person’s home is not understood'
        : judge(expanded.value);
  if (wrong === null && expanded.ok) return [expanded.value];
  note(path, wrong ?? 'not used');
  return [];
}

function routeOf(
  context: Context,
  name: string,
  { proxyJump, proxyCommand }: ResolvedHost,
): Result<Route, string> {
  if (proxyJump !== null && !isNone(proxyJump)) {
    const hops = hopsOf(context, proxyJump, [name]);
    return hops.ok ? ok({ kind: 'jumps', hops: hops.value }) : hops;
  }
  if (proxyCommand === null || isNone(proxyCommand)) return ok({ kind: 'direct' });
  return ok({ kind: 'command', command: proxyCommand });
}

function isNone(text: string): boolean {
  return text.trim().toLowerCase() === 'none';
}

/** Each jump host has its own entry in the config. Only the first one's own ProxyJump counts, as in OpenSSH. */
function hopsOf(
  context: Context,
  proxyJump: string,
  above: readonly string[],
): Result<readonly Hop[], string> {
  const hops: Hop[] = [];
  for (const [index, text] of splitJumpHosts(proxyJump).entries()) {
    const parsed = parseJumpHost(text);
    if (!parsed.ok) return err(`ProxyJump ${text}: ${parsed.error}`);
    const { host: name } = parsed.value;
    const resolved = resolveHost(context.index, name, context.local.name);
    if (index === 0) {
      const before = hopsBefore(context, name, resolved, above);
      if (!before.ok) return before;
      hops.push(...before.value);
    }
    const hop = hopOf(context, parsed.value, text, resolved);
    if (!hop.ok) return hop;
    hops.push(hop.value);
  }
  return hops.length > MAX_HOPS ? err(`There are more than ${MAX_HOPS} jump hosts.`) : ok(hops);
}

function hopsBefore(
  context: Context,
  name: string,
  { proxyJump, proxyCommand }: ResolvedHost,
  above: readonly string[],
): Result<readonly Hop[], string> {
  if (proxyJump !== null && !isNone(proxyJump)) {
    if (above.includes(name) || above.length > MAX_HOPS) {
      return err(`The jump host ${name} is reached through itself.`);
    }
    return hopsOf(context, proxyJump, [...above, name]);
  }
  return proxyCommand === null || isNone(proxyCommand)
    ? ok([])
    : err(`The jump host ${name} is itself reached by a ProxyCommand.`);
}

function hopOf(
  context: Context,
  { host: name, port, user }: JumpHost,
  text: string,
  resolved: ResolvedHost,
): Result<Hop, string> {
  // What stands in ProxyJump itself wins over the jump host's own entry.
  const said = { ...resolved, user: user ?? resolved.user, port: port ?? resolved.port };
  const address = addressOf(context, name, said);
  if (!address.ok) return err(`ProxyJump ${text}: ${address.error}`);
  const tokens = tokensOf(context, name, address.value);
  const [identityFile = null] = resolved.identityFiles.flatMap((path) =>
    expandedFile(path, tokens, judgeIdentityFile, () => undefined),
  );
  return ok({ address: address.value, identityFile });
}
