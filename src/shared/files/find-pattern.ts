import { newNameFault } from './new-name.ts';

/** More than these nobody reads; whoever has so many asks for less. */
export const MAX_FOUND = 2000;

/**
 * What a person typed as `find -iname` takes it. With `*`, `?` or `[` in it, it is the whole name's pattern, else a part of the name.
 */
export function findPattern(typed: string): string {
  return /[*?[]/.test(typed) ? typed : `*${typed.replaceAll('\\', '\\\\')}*`;
}

/** Why no name is found by this; null: one may be. */
export function findFault(typed: string): string | null {
  return typed === '.' || typed === '..' ? null : newNameFault(typed);
}
