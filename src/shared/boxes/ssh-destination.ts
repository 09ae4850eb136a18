import { isIpV6, judgeHost, judgePort, judgeUser, parsePort } from './ssh-address.ts';
import { err, ok, type Result } from '../result.ts';

/** `user@host:port` cut into its parts; null where the text does not say. Nothing is judged. */
export interface Destination {
  readonly host: string;
  readonly port: string | null;
  readonly user: string | null;
}

/** `host`, `user@host`, `user@host:port`, `[v6]:port`, `ssh://user@host:port/`. */
export function splitDestination(text: string): Destination {
  const isUrl = /^ssh:\/\//i.test(text);
  const bare = isUrl ? text.slice('ssh://'.length).replace(/\/.*$/, '') : text;
  const lastAt = bare.lastIndexOf('@');
  const place = splitPort(bare.slice(lastAt + 1));
  if (lastAt === -1) return { ...place, user: null };
  const user = bare.slice(0, lastAt).replace(isUrl ? /;.*$/ : /(?!)/, '');
  return { ...place, user: isUrl ? percentDecoded(user) : user };
}

/** A jump host as OpenSSH's -J takes it. */
export interface JumpHost {
  readonly host: string;
  readonly port: number | null;
  /** Null: not said, which means the name of whoever sits at this machine. */
  readonly user: string | null;
}

/** The error says in one sentence what is wrong with it. */
export function parseJumpHost(text: string): Result<JumpHost, string> {
  const { host, port, user } = splitDestination(text.trim());
  const wrong =
    judgeHost(host) ??
    (port === null ? null : judgePort(port)) ??
    (user === null ? null : judgeUser(user));
  if (wrong !== null) return err(wrong);
  return ok({ host, port: port === null ? null : parsePort(port), user });
}

/** `-J a,b` and ProxyJump: from here to there. `none` is none. */
export function splitJumpHosts(text: string): readonly string[] {
  if (text.trim().toLowerCase() === 'none') return [];
  return text.split(',').map((part) => part.trim());
}

/** OpenSSH takes no `host:port`, but people write it, and outside IPv6 it can mean nothing else. */
function splitPort(place: string): { readonly host: string; readonly port: string | null } {
  const [, inBrackets, bracketPort] = /^\[([^\]]*)\](?::(.*))?$/.exec(place) ?? [];
  if (inBrackets !== undefined) return { host: inBrackets, port: bracketPort ?? null };
  if (isIpV6(place)) return { host: place, port: null };
  const colon = place.indexOf(':');
  if (colon === -1) return { host: place, port: null };
  return { host: place.slice(0, colon), port: place.slice(colon + 1) };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray "%" is no encoding; the text stays as it was typed and is judged like that.
    return text;
  }
}
