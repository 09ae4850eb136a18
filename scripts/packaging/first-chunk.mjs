// One file for all scripts that the window needs at its start. What lazy parts share with them would otherwise become
// files of their own, each of them one more question to main while it has other things to do (docs/decisions/0007).

/**
 * Puts every module that the entry reaches without a lazy import into one chunk.
 * @param {string} name
 */
export function firstChunk(name) {
  return {
    groups: [
      {
        name: (/** @type {string} */ id, /** @type {ModuleGraph} */ graph) =>
          isNeededAtStart(id, graph) ? name : null,
      },
    ],
  };
}

/** @typedef {{ getModuleInfo(id: string): { isEntry: boolean, importers: string[] } | null }} ModuleGraph */

/** @param {string} id @param {ModuleGraph} graph */
export function isNeededAtStart(id, graph) {
  const seen = new Set([id]);
  for (const each of seen) {
    const info = graph.getModuleInfo(each);
    if (info?.isEntry === true) return true;
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return false;
}

/** How the bundler opens a CommonJS module: `name=helper((exports=>{` or `name=helper(((exports,module)=>{`. */
const MODULE_START = /(?<=[,;\s]\w+=\w+\(\()(?:(\w+)|\((\w+,\w+)\))=>\{/g;

/** @param {string} code */
export const asEagerModules = (code) =>
  code.replace(
    MODULE_START,
    (
      /** @type {string} */ _all,
      /** @type {string | undefined} */ one,
      /** @type {string} */ two,
    ) => `function(${one ?? two}){`,
  );

/**
 * V8 parses a function that is called at once in one go if it stands in brackets, but old ones see that in the word
 * `function` alone. React's renderer is one such function of 200 kB, and was parsed twice.
 * @returns {import('vite').Plugin}
 */
export function eagerModules() {
  return {
    name: 'leasehold:eager-modules',
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry) continue;
        chunk.code = asEagerModules(chunk.code);
      }
    },
  };
}
