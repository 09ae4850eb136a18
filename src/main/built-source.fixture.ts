import { mkdtempSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** In the environment of the tests: where what is built for them lies. See `test-builds.fixture.ts`. */
export const BUILDS = 'LEASEHOLD_TEST_BUILDS';

export function buildsFolder(): string {
  const place = process.env[BUILDS];
  if (place === undefined) throw new Error('there is no folder for what is built');
  return place;
}

const built = new Map<string, Promise<string>>();

/**
 * A file of ours that a process or thread of its own can run without a loader for TypeScript, which would take each a second or
 * more of the processor. Built once for each process of the tests.
 */
export function builtSource(source: URL): Promise<string> {
  const path = fileURLToPath(source);
  const before = built.get(path);
  if (before !== undefined) return before;
  const building = build(path);
  built.set(path, building);
  return building;
}

async function build(path: string): Promise<string> {
  const outDir = mkdtempSync(join(buildsFolder(), 'b'));
  // Only who builds needs it; what is built may hold this file, too.
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    logLevel: 'error',
    plugins: [{ name: 'leasehold:own-place', enforce: 'pre', transform: sayOwnPlace }],
    build: {
      ssr: path,
      outDir,
      minify: false,
      rollupOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  return join(outDir, `${basename(path, '.ts')}.mjs`);
}

/** What lies beside a source is looked for beside the source, wherever that was built to. */
function sayOwnPlace(code: string, id: string): string | null {
  if (!code.includes('import.meta.')) return null;
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
}
