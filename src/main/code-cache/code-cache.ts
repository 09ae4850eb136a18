// V8's compiled form of main's own chunks. The build leaves it beside them (write-code-cache.ts); the app takes it instead
// of compiling them anew at each start (docs/decisions/0007).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** What Rollup ends main's chunks with. */
export const CHUNK_ENDING = '.cjs';
const DIGEST = 'sha512';
const DIGEST_BYTES = 64;

/** How many chunks came compiled, and how many had to be compiled. */
export interface CodeCacheUse {
  readonly taken: number;
  readonly compiled: number;
}

type RunChunk = (
  this: unknown,
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  filename: string,
  folder: string,
) => void;

/** From here on `require` takes the chunks in `chunkFolder` from the cache, as far as it fits. */
export function useCodeCache(chunkFolder: string, cacheFolder: string): () => CodeCacheUse {
  const use = { taken: 0, compiled: 0 };
  // Node's table of loaders is the one place where all its versions since 18 ask. Newer ones have a cache of their own, in a
  // folder that the person's other programs may write to.
  const { extensions } = createRequire(join(chunkFolder, 'index.cjs'));
  const load = extensions[CHUNK_ENDING] ?? extensions['.js'];
  extensions[CHUNK_ENDING] = (module, filename) => {
    if (dirname(filename) !== chunkFolder) {
      load(module, filename);
      return;
    }
    const source = readFileSync(filename);
    const cachedData = readCached(cacheFileOf(cacheFolder, filename), source);
    const script = compile(filename, source, cachedData);
    if (cachedData === undefined || script.cachedDataRejected === true) use.compiled += 1;
    else use.taken += 1;
    const run = script.runInThisContext() as RunChunk;
    const require = createRequire(filename);
    run.call(module.exports, module.exports, require, module, filename, dirname(filename));
  };
  return () => use;
}

/** As `require` does it. What V8 makes of another text, it does not take. */
export function compile(filename: string, source: Buffer, cachedData?: Buffer): Script {
  const text = `(function (exports, require, module, __filename, __dirname) { ${source.toString()}\n})`;
  return new Script(text, { filename, cachedData });
}

export function cacheFileOf(cacheFolder: string, chunk: string): string {
  return join(cacheFolder, `${basename(chunk)}.bin`);
}

/** The digest stands behind the data, which V8 wants to begin at an even address. */
export function seal(data: Buffer, source: Buffer): Buffer {
  return Buffer.concat([data, digest(data, source)]);
}

/**
 * Undefined: there is none, or it was cut short, damaged or made for another text. V8 itself looks at its own version and
 * flags, and at the length of the text; damaged data it runs, and dies of it.
 */
function readCached(file: string, source: Buffer): Buffer | undefined {
  let sealed: Buffer;
  try {
    sealed = readFileSync(file);
  } catch {
    return undefined; // a build without a runtime to write it with, which is none the worse
  }
  const end = Math.max(0, sealed.length - DIGEST_BYTES);
  const data = sealed.subarray(0, end);
  return sealed.subarray(end).equals(digest(data, source)) ? data : undefined;
}

function digest(data: Buffer, source: Buffer): Buffer {
  return createHash(DIGEST).update(data).update(source).digest();
}
