import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILDS, builtSource } from './built-source.fixture.ts';
import { BUILT_WORKER, WORKER_SOURCE } from './workers/source-worker.fixture.ts';

/** Beside the packages, where what is built finds those that stay outside. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

let folder = '';

/** Vitest calls this before the tests, and the other one after them. */
export async function setup(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(`${CACHE}leasehold-tests-`);
  process.env[BUILDS] = folder;
  process.env[BUILT_WORKER] = await builtSource(WORKER_SOURCE);
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
