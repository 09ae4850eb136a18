import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestingCopy } from '../../shared/teardown/blockers/result-files.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { sha256 } from '../storage/sha256.ts';

/** As many as Node asks the system for at once, with some to spare. */
const AT_ONCE = 64;

/**
 * What tells the version of each copy on this computer from the next, without reading any: whoever writes to one changes it. So a copy that was
 * read byte by byte need not be read again a minute later to know that it is the same.
 */
export async function stampsOf(copies: readonly RestingCopy[]): Promise<string> {
  const stamps: string[] = [];
  for (let at = 0; at < copies.length; at += AT_ONCE) {
    stamps.push(...(await Promise.all(copies.slice(at, at + AT_ONCE).map(stampOf))));
  }
  return sha256(JSON.stringify(stamps));
}

async function stampOf({ to, file }: RestingCopy): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await lstat(join(to, ...file.path.split('/')), {
      bigint: true,
    });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    return errno;
  }
}
