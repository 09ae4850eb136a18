import { showHidden } from '../../shared/terminal/visible-text.ts';

/** What a person must see before an address that a box printed is opened. */
export interface BoxLink {
  /** In canonical form: a host name of other letters is written in punycode. */
  readonly href: string;
  /** What is odd about it, in words. */
  readonly oddities: readonly string[];
}

/** SECURITY: http and https only, without credentials; null for everything else. */
export function judgeBoxLink(text: string): BoxLink | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  // user@ in front of the host is there to look like one.
  if (url.username !== '' || url.password !== '') return null;
  return { href: url.href, oddities: listOddities(text, url) };
}

function listOddities(text: string, url: URL): readonly string[] {
  const oddities: string[] = [];
  const isPunycode = url.hostname.split('.').some((label) => label.startsWith('xn--'));
  if (isPunycode) oddities.push('Its host name is not written in plain letters (xn--…).');
  if (/^[\d.]+$|^\[/.test(url.hostname)) oddities.push('Its host is an address without a name.');
  if (url.protocol === 'http:') oddities.push('It is not encrypted (http).');
  if (url.port !== '') oddities.push(`It leads to port ${url.port}.`);
  const shown = showHidden(text);
  if (shown !== text) oddities.push(`The box wrote it with hidden characters: ${shown}`);
  return oddities;
}
