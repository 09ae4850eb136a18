import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { eagerModules, firstChunk } from './scripts/packaging/first-chunk.mjs';
import { filesAsTheyAre } from './scripts/packaging/files-as-they-are.mjs';
import { libsqlWithoutSearch } from './scripts/packaging/libsql-binding.mjs';
import { noNativeImport } from './scripts/packaging/no-native-import.mjs';
import { renderIcons } from './scripts/packaging/render-icons.mjs';
import { startBudget } from './scripts/packaging/start-budget.mjs';
import { xtermWithoutInlineStyles } from './scripts/packaging/xterm-styles.mjs';

// The oldest runtime the app is started on (DESIGN §7); newer ones run the same output.
const OLDEST_NODE = 'node18';
const OLDEST_CHROME = 'chrome114';

// Packages with native parts stay outside the bundle; everything else is bundled, because main is
// CommonJS and that Node cannot require() ESM packages.
const NATIVE = [/^@libsql\//, 'ssh2', 'cpu-features'];

export default defineConfig({
  main: {
    plugins: [
      filesAsTheyAre(['src/main/app/app-protocol.ts', 'src/main/code-cache/code-cache.ts']),
      libsqlWithoutSearch(),
      noNativeImport(),
      startBudget({ 'src/main/app/core.ts': 430_000 }),
      {
        name: 'leasehold:code-cache',
        // Of the build before, and so of no use: scripts/setup/code-cache.mjs writes it anew.
        buildStart: () => rm('out/code-cache', { recursive: true, force: true }),
      },
      {
        name: 'leasehold:icons',
        closeBundle: async () => void (await renderIcons('resources/icon', 'out/icons')),
      },
    ],
    build: {
      target: OLDEST_NODE,
      externalizeDeps: false,
      rollupOptions: {
        input: {
          index: resolve('src/main/index.ts'),
          cli: resolve('src/main/cli.ts'),
          worker: resolve('src/main/workers/worker.ts'),
          'write-code-cache': resolve('src/main/write-code-cache.ts'),
        },
        external: ['electron', 'original-fs', ...NATIVE],
        // A chunk from the code cache knows no import(): the runtime dies of it, or throws. So all of them are require().
        output: { format: 'cjs', entryFileNames: '[name].cjs', dynamicImportInCjs: false },
      },
    },
  },
  preload: {
    build: {
      target: OLDEST_NODE,
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve('src/preload/index.ts') },
        // A sandboxed preload is one CommonJS file without require() of its own parts.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [
      react(),
      xtermWithoutInlineStyles(),
      eagerModules(),
      startBudget({ 'src/renderer/index.html': 379_000 }),
    ],
    build: {
      target: OLDEST_CHROME,
      minify: true,
      outDir: resolve('out/renderer'),
      assetsInlineLimit: 0, // a data: URL would need a hole in the CSP
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: resolve('src/renderer/index.html'),
        output: { codeSplitting: firstChunk('index') },
      },
    },
  },
});
