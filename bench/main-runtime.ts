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
  // Where both are started, the second is not to be built over what the first has not loaded yet.
  const outDir = join(BUNDLE, runtime);
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL(file, import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node18',
      rollupOptions: {
        external: ['ssh2'],
        output: { format: 'cjs', entryFileNames: 'runtime.cjs' },
      },
    },
    ssr: { noExternal: true, external: ['ssh2'] },
  });
  return fork(join(outDir, 'runtime.cjs'), {
    // The package's main is the path of the executable.
    execPath: runtime === 'node' ? process.execPath : (electron as unknown as string),
    execArgv: [...execArgv],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
}
