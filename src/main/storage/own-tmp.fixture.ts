import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

/**
 * Gives a test file a temporary folder of its own, for it and all that it starts: what other files' tests make and clean
 * up at the same time is neither seen nor touched. Call it at the top, and do not unstub the environment.
 */
export function useOwnTmp(): void {
  const folder = mkdtempSync(join(tmpdir(), 'own-')); // short, because sockets below it have at most 107 bytes
  vi.stubEnv('TMPDIR', folder);
  afterAll(() => rmSync(folder, { recursive: true }));
}
