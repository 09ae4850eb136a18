import type { BoxConnection } from './box.ts';

/** Whether both lead to the same machine in the same manner. Where a box is from changes nothing about that. */
export function isSameWay(before: BoxConnection, after: BoxConnection): boolean {
  if (before === after) return true;
  const [a, b] = [before, after].map(({ address, route, login, options }) =>
    JSON.stringify([address, route, login, { ...options, configHost: null, configDigest: null }]),
  );
  return a === b;
}
