import type { HostPatterns } from './entry.ts';

const DEFAULT_PORT = 22;

/** HMAC-SHA1 of `text` under the base64 `salt`, in base64. The shared code has no cryptography of its own. */
export type HmacSha1 = (salt: string, text: string) => string;

/** The names under which OpenSSH looks a host up. */
export interface LookupNames {
  readonly exact: string;
  /**
   * The name without its port, which ssh tries after `[host]:port` was not found. There, only the same key counts: an
   * entry for another port of that host says nothing against this one.
   */
  readonly withoutPort: string | null;
}

/** An alias stands for address and port alike (`get_hostfile_hostname_ipaddr` in OpenSSH), in lower case too. */
export function lookupNames(host: string, port: number, alias: string | null): LookupNames {
  if (alias !== null) return { exact: alias.toLowerCase(), withoutPort: null };
  const name = host.toLowerCase();
  return port === DEFAULT_PORT
    ? { exact: name, withoutPort: null }
    : { exact: `[${name}]:${port}`, withoutPort: name };
}

/** As ssh's match_pattern_list: one negated pattern that fits takes the whole line away. */
export function matchesHost(hosts: HostPatterns, name: string, hmac: HmacSha1): boolean {
  if (hosts.kind === 'hashed') return hmac(hosts.salt, name) === hosts.hash;
  const fitting = hosts.patterns.filter(({ text }) => matchesPattern(text, name));
  return fitting.length > 0 && fitting.every(({ isNegated }) => !isNegated);
}

/** `*` stands for any characters, `?` for one. Goes back to the last star only, so no pattern takes more than n·m steps. */
export function matchesPattern(pattern: string, name: string): boolean {
  let inPattern = 0;
  let inName = 0;
  let star = -1;
  let starName = 0;
  while (inName < name.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      star = inPattern;
      starName = inName;
      inPattern += 1;
    } else if (wanted === '?' || wanted === name[inName]) {
      inPattern += 1;
      inName += 1;
    } else if (star >= 0) {
      starName += 1;
      inName = starName;
      inPattern = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
