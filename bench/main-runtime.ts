// Main's code as Electron runs it: one CommonJS file in Electron's own runtime, with the SSH library beside it.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import electron from 'electron';
import { build } from 'vite';

interface RuntimeOptions {
  readonly execArgv?: readonly string[];
  readonly runtime?: 'electron' | 'node';
}

/** Removed by whoever is done with the runtime. */
export const BUNDLE = fileURLToPath(new URL('../node_modules/.cache/bench', import.meta.url));

/** Bundles a file of this folder and starts it: in Electron, as the window's main; in Node, as the command line. */
export async function startRuntime(
  file: string,
  { execArgv = [], runtime = 'electron' }: RuntimeOptions = {},
): Promise<ChildProcess> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL(file, import.meta.url)),
      outDir: BUNDLE,
      emptyOutDir: true,
      target: 'node18',
      rollupOptions: {
        external: ['ssh2'],
        output: { format: 'cjs', entryFileNames: 'runtime.cjs' },
      },
    },
    ssr: { noExternal: true, external: ['ssh2'] },
  });
  return fork(join(BUNDLE, 'runtime.cjs'), {
    // The package's main is the path of the executable.
    execPath: runtime === 'node' ? process.execPath : (electron as unknown as string),
    execArgv: [...execArgv],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
}
