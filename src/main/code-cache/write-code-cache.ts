import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { cacheFileOf, CHUNK_ENDING, compile, seal } from './code-cache.ts';

/** Compiles every chunk. Only for the very runtime that this runs in: V8 takes no other's. */
export function writeCodeCache(chunkFolder: string, cacheFolder: string): void {
  rmSync(cacheFolder, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  const chunks = readdirSync(chunkFolder).filter((name) => name.endsWith(CHUNK_ENDING));
  for (const chunk of chunks) {
    const filename = join(chunkFolder, chunk);
    const source = readFileSync(filename);
    writeFileSync(cacheFileOf(cacheFolder, filename), seal(compileWhole(filename, source), source));
  }
}

/** With all functions in it, also those that V8 would otherwise compile when they are first called. */
function compileWhole(filename: string, source: Buffer): Buffer {
  setFlagsFromString('--no-lazy');
  const script = compile(filename, source);
  // The flags are part of what V8 compares; the app runs with the usual ones.
  setFlagsFromString('--lazy');
  return script.createCachedData();
}
