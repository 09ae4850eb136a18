// Main's chunks come from the code cache (src/main/code-cache), and code that comes so knows no import(): the runtime throws,
// and Electron as root dies of it. So the build refuses a chunk that still has one.
import { parseSync, Visitor } from 'vite';

/** Any import() stands behind this word, and so do many sentences: only the parser knows which. */
const KEYWORD = /\bimport\b/;

/** What `code` loads with an import() of its own, as it is written there. @param {string} code */
export function nativeImports(code) {
  if (!KEYWORD.test(code)) return [];
  const { program, errors } = parseSync('chunk.cjs', code, { sourceType: 'commonjs' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  /** @type {string[]} */
  const found = [];
  const imports = new Visitor({
    ImportExpression: ({ start, end }) => void found.push(code.slice(start, end)),
  });
  imports.visit(program);
  return found;
}

/** The plugin for vite. @returns {import('vite').Plugin} */
export function noNativeImport() {
  return {
    name: 'leasehold:no-native-import',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          for (const found of nativeImports(chunk.code)) {
            this.error(
              `${chunk.fileName} would run ${found} from the code cache, where there is no import(). ` +
                'See dynamicImportInCjs in electron.vite.config.ts.',
            );
          }
        }
      },
    },
  };
}
