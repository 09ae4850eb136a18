import { rename, writeFile } from 'node:fs/promises';

let written = 0;

/**
 * Written beside and renamed: whoever reads meets the old text or the new one, never an empty or half a file. Several writers
 * of one file do not meet either.
 */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  written += 1;
  const fresh = `${path}.${String(written)}.tmp`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
}
