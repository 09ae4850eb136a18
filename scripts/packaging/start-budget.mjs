// What must be loaded before the window's first picture grows by itself: one import is enough. So the build weighs it
// (docs/decisions/0007).

/**
 * @typedef {object} Chunk
 * @property {string} code
 * @property {readonly string[]} imports Files that are loaded with it.
 * @property {string | null} facadeModuleId The module it was made for.
 */

/**
 * The chunk of a module and all that is loaded with it, in bytes of code; null where the module has no chunk of its own.
 * @param {Readonly<Record<string, Chunk | { source: unknown }>>} bundle
 * @param {string} module The end of its path.
 */
export function weighStart(bundle, module) {
  const chunkOf = (/** @type {string} */ file) => {
    const found = bundle[file];
    return found !== undefined && 'code' in found ? found : undefined;
  };
  const first = Object.keys(bundle).find((file) => chunkOf(file)?.facadeModuleId?.endsWith(module));
  if (first === undefined) return null;
  const seen = new Set([first]);
  let bytes = 0;
  for (const file of seen) {
    const chunk = chunkOf(file);
    bytes += Buffer.byteLength(chunk?.code ?? '');
    for (const imported of chunk?.imports ?? []) seen.add(imported);
  }
  return bytes;
}

/**
 * The plugin for vite: the build fails where a module brings more with it than its budget.
 * @param {Readonly<Record<string, number>>} budgets Bytes by the end of a module's path.
 * @returns {import('vite').Plugin}
 */
export function startBudget(budgets) {
  return {
    name: 'leasehold:start-budget',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [module, budget] of Object.entries(budgets)) {
          const bytes = weighStart(bundle, module);
          if (bytes === null) this.error(`${module} has no chunk of its own any more`);
          if (bytes > budget) {
            this.error(
              `The first picture would wait for ${bytes} bytes of code with ${module}; its budget is ${budget}. ` +
                'Load what it can do without later: docs/decisions/0007.',
            );
          }
        }
      },
    },
  };
}
