import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeImports, noNativeImport } from './no-native-import.mjs';

describe('import() in a chunk', () => {
  it('is found wherever it is called', () => {
    const code =
      'async function load(name) { await import("node:fs"); return () => import(/* x */ name); }';
    expect(nativeImports(code)).toEqual(['import("node:fs")', 'import(/* x */ name)']);
  });

  it('is not what only reads like it', () => {
    const code = `
      // import('node:fs')
      const text = "import('node:fs')", template = \`import(\${text})\`, pattern = /import(x)/;
      const it = { import: (file) => file };
      module.exports = [it.import(text), template, pattern];
      return; // as a CommonJS module may
    `;
    expect(nativeImports(code)).toEqual([]);
  });

  it('is never passed over because the code could not be read', () => {
    expect(() => nativeImports('import(')).toThrow();
  });
});

describe('the build of main', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const buildWith = async (dynamicImportInCjs: boolean) => {
    folder = await mkdtemp(join(tmpdir(), 'leasehold-import-'));
    await writeFile(join(folder, 'index.js'), 'export const late = () => import("node:fs");');
    return build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [noNativeImport()],
      build: {
        ssr: true,
        write: false,
        rollupOptions: {
          input: join(folder, 'index.js'),
          output: { format: 'cjs', dynamicImportInCjs },
        },
      },
    });
  };

  it('fails where a chunk would keep its import()', async () => {
    await expect(buildWith(true)).rejects.toThrow('where there is no import()');
  });

  it('passes with require() in its place', async () => {
    await expect(buildWith(false)).resolves.toHaveProperty('output');
  });
});
