/**
 * What lies beside the archive of a packaged Leasehold, in the form that packagers take it: read at run time, and partly by
 * other programs. src/main/app/resource-paths.ts looks for it there.
 */
export const EXTRA_RESOURCES = [
  { from: 'resources/demo', to: 'demo' },
  { from: 'resources/onbox', to: 'onbox' },
  { from: 'resources/gotchas', to: 'gotchas' },
  { from: 'profiles', to: 'profiles' },
];

/** Needed to build and not to run. */
export const BUILD_ONLY = ['resources/icon'];
