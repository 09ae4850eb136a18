/** Of a file that is still on its way; nothing else of Leasehold's is ever called so. */
export const PART_ENDING = '.leasehold-part';

/** Below the folder that results come to: what was there under the name of a file that was written anew on the box. */
export const EARLIER_FOLDER = '.leasehold-earlier';

/** Names that Windows keeps for devices, whatever they end in. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** How a disk of this computer takes names. */
export interface NameRules {
  /** Upper and lower case are one. */
  readonly isCaseBlind: boolean;
  /** As Windows keeps them: some signs, endings and names of devices are none. */
  readonly isWindows: boolean;
}

/** Where nobody has tried the disk itself. */
export const usualNames = (platform: string): NameRules => ({
  isCaseBlind: platform === 'win32' || platform === 'darwin',
  isWindows: platform === 'win32',
});

/**
 * Why a path that a box tells is not made here; null: it stays below the folder, under its own name. SECURITY: the box may say
 * anything, and every path that is written to went through this.
 */
export function whyNotHere(path: string, { isWindows }: NameRules): string | null {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'Its path leads out of the results folder.';
  }
  if (path.includes('\u{fffd}')) {
    return 'Its name is not UTF-8: each � stands for a byte, told by the two digits behind it.';
  }
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'Its name has control characters in it.';
  if (path.endsWith(PART_ENDING)) return 'Its name is the one of a file that is still on its way.';
  if (parts[0] === EARLIER_FOLDER) return 'Its name is the one of the folder of earlier versions.';
  // What no disk has; one that takes less says so of the file.
  if (parts.some((part) => part.length > 255)) return 'Its name is too long.';
  if (!isWindows) return null;
  const isOdd = parts.some((part) => /[<>:"\\|?*]|[. ]$/.test(part) || DEVICE.test(part));
  return isOdd ? 'The disk here has no such file name.' : null;
}

/** Of these paths, those that a disk which takes upper and lower case as one could not tell from one before them. */
export function namedTwice(
  paths: readonly string[],
  { isCaseBlind }: NameRules,
): ReadonlySet<string> {
  const twice = new Set<string>();
  if (!isCaseBlind) return twice;
  const seen = new Set<string>();
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase();
    if (seen.has(folded)) twice.add(path);
    seen.add(folded);
  }
  return twice;
}
