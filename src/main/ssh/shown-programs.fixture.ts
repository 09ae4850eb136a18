/** What stands in for a folder while programs are hidden from the tests: see `scripts/lib/hidden-programs.mjs`. */
const INSTEAD = JSON.parse(process.env['LEASEHOLD_HIDDEN'] ?? '{}') as Record<string, string>;

/** A folder of programs, without those that are hidden. */
export const shownIn = (folder: string): string => INSTEAD[folder] ?? folder;

/** A PATH without what is hidden, for whoever does not inherit that of the tests. */
export const shownOn = (path: string): string => path.split(':').map(shownIn).join(':');

/** What a server gives those who say nothing of a PATH; undefined where that may be its own, because nothing is hidden. */
export const DEFAULT_PATH =
  Object.keys(INSTEAD).length === 0
    ? undefined
    : shownOn('/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin');
