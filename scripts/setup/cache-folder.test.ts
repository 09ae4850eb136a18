import { expect, it } from 'vitest';
import { chooseCacheFolder } from './cache-folder.mjs';

it.each([
  [{ LEASEHOLD_CACHE: '/a', XDG_CACHE_HOME: '/b' }, 0, '/a'],
  [{ XDG_CACHE_HOME: '/b' }, 0, '/b/leasehold'],
  [{}, 0, '/var/cache/leasehold'],
  [{}, 1000, '/home/me/.cache/leasehold'],
])('with %o, user %i caches in %s', (env, uid, folder) => {
  expect(chooseCacheFolder(env, uid, '/home/me')).toBe(folder);
});
