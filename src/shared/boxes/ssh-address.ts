/** Every way in which a typed value cannot be right. Main checks again with its own schema; this is for the words. */

const MAX_HOST = 255;
const MAX_USER = 64;
const MAX_PATH = 1000;

const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?\.?$/;
const IP_V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const IP_V6 = /^[0-9A-Fa-f:]+(?:\.\d{1,3}){0,4}(?:%[A-Za-z0-9_.-]+)?$/;
// Control, format (bidi overrides, zero-width) and unassigned characters: they make a value look like another one.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;
// The characters that OpenSSH itself refuses in a remote user name since CVE-2023-51385.
const SHELL_CHARS = /['"`;&<>|(){}$*?]/;

/** Null when the host can be used; otherwise what is wrong, in one sentence. */
export function judgeHost(host: string): string | null {
  if (host === '') return 'Enter the host name or IP address.';
  if (host.length > MAX_HOST) return `A host name has at most ${MAX_HOST} characters.`;
  if (INVISIBLE.test(host)) return 'The host contains invisible characters; type it by hand.';
  if (/^<.*>$|[{}$]/.test(host)) return `Replace “${host}” with the real host name or address.`;
  if (host.startsWith('-')) return 'A host cannot start with “-”.';
  if (/\s/.test(host)) return 'A host contains no spaces.';
  if (host.includes(':')) return isIpV6(host) ? null : 'This is not an IPv6 address.';
  if (IP_V4.test(host)) {
    const isInRange = host.split('.').every((part) => Number(part) <= 255);
    return isInRange ? null : 'Each part of an IP address is at most 255.';
  }
  if (/[^\p{ASCII}]/u.test(host)) return 'Write the host in its ASCII form (xn--…).';
  if (!HOST_NAME.test(host) || host.includes('..')) {
    return 'A host name has only letters, digits, dots and hyphens.';
  }
  return null;
}

export function judgeUser(user: string): string | null {
  if (user === '') return 'Enter the user name on the box, often root.';
  if (user.length > MAX_USER) return `A user name has at most ${MAX_USER} characters.`;
  if (INVISIBLE.test(user)) return 'The user name contains invisible characters; type it by hand.';
  if (user.startsWith('-')) return 'A user name cannot start with “-”.';
  if (/\s/.test(user)) return 'A user name contains no spaces.';
  if (user.includes(':'))
    return 'A password does not belong here; Leasehold asks when it needs one.';
  if (SHELL_CHARS.test(user)) return 'A user name contains no quotes or shell characters.';
  return null;
}

/** Takes the text, because the field may hold anything; `parsePort` gives the number. */
export function judgePort(port: string): string | null {
  return parsePort(port) === null ? 'A port is a whole number from 1 to 65535.' : null;
}

export function parsePort(port: string): number | null {
  if (!/^\d{1,5}$/.test(port)) return null;
  const number = Number(port);
  return number >= 1 && number <= 65535 ? number : null;
}

export function judgeIdentityFile(path: string): string | null {
  if (path === '') return 'Name the private key file.';
  if (path.length > MAX_PATH) return `A path has at most ${MAX_PATH} characters.`;
  if (INVISIBLE.test(path)) return 'The path contains invisible characters; type it by hand.';
  if (path.startsWith('-')) return 'A path cannot start with “-”; write ./- instead.';
  if (path.endsWith('.pub'))
    return 'That is the public half; name the private key file without .pub.';
  return null;
}

export function isIpV6(host: string): boolean {
  const [address = ''] = host.split('%');
  if (!IP_V6.test(host) || /:::|::.*::/.test(address)) return false;
  const groups = address.split(':').filter((group) => group !== '');
  if (groups.some((group) => group.length > 4 && !group.includes('.'))) return false;
  // A dotted tail stands for two groups; "::" stands for at least one.
  const count = groups.length + (address.includes('.') ? 1 : 0);
  return address.includes('::') ? count < 8 : count === 8;
}
