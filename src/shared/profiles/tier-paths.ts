import type { StorageTier } from './profile.ts';

/** What the words in a path stand for on one box. */
export interface PathValues {
  readonly home: string | null;
  readonly user: string | null;
  readonly tmpdir: string | null;
}

/**
 * The paths in what a profile says of a tier's place: "/ and ~", "/scratch/$USER", "/lambda/nfs/<name>". A place that is told
 * in words alone ("mount chosen at creation") has none.
 */
export function pathsOf({ path }: Pick<StorageTier, 'path'>): readonly string[] {
  const words = (path ?? '').split(/[\s,()]+/);
  return [...new Set(words.filter((word) => /^(?:\/|~$|~\/|\$(?:HOME|TMPDIR)\b)/.test(word)))];
}

/** Any name can stand where the profile has "<name>". */
export function isPattern(path: string): boolean {
  return /<[^/]*>/.test(path);
}

/** Of a regular expression that is this text and nothing else. */
export const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export function fitsPattern(pattern: string, path: string): boolean {
  const parts = pattern.split(/<[^/]*>/).map(asPattern);
  return new RegExp(`^${parts.join('[^/]+')}$`).test(path);
}

/** The path on this box; null where it names something that the box did not tell. */
export function pathOn(path: string, { home, user, tmpdir }: PathValues): string | null {
  const values: Readonly<Record<string, string | null>> = {
    '~': home,
    $HOME: home,
    $USER: user,
    $TMPDIR: tmpdir,
  };
  let isKnown = true;
  const put = path.replace(/^~|\$\w+/g, (word) => {
    const value = Object.hasOwn(values, word) ? (values[word] ?? null) : null;
    if (value === null) isKnown = false;
    return value ?? '';
  });
  return isKnown && put.startsWith('/') ? put.replace(/(.)\/+$/, '$1') : null;
}
