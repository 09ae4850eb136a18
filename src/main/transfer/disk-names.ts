import { randomBytes } from 'node:crypto';
import { lstat, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PART_ENDING, usualNames, type NameRules } from '../../shared/transfer/local-name.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { nearestFolder } from './apart.ts';

/**
 * How the disk of a folder here takes names, as it is found by trying: a stick, a share or a disk of another system need not do as this one does.
 * Where nothing can be written it is as usual, and the pull says why.
 */
export async function namesOn(to: string): Promise<NameRules> {
  const usual = usualNames(process.platform);
  const folder = await nearestFolder(to);
  const name = `.leasehold-${randomBytes(8).toString('hex')}`;
  const place = join(folder, `${name}-case${PART_ENDING}`);
  if ((await tried(place)) !== null) return usual;
  try {
    const isCaseBlind = await isThere(join(folder, `${name}-CASE${PART_ENDING}`));
    // Windows makes another stream of one file of such a name.
    if (usual.isWindows) return { ...usual, isCaseBlind };
    const odd = join(folder, `${name}?:${PART_ENDING}`);
    const refusal = await tried(odd);
    await rm(odd, { force: true }).catch(whatTheSystemSays);
    return { isCaseBlind, isWindows: refusal === 'EINVAL' || refusal === 'ENOENT' };
  } finally {
    await rm(place, { force: true }).catch(whatTheSystemSays);
  }
}

/** Null: there is such a file now, and it is ours. */
async function tried(place: string): Promise<string | null> {
  try {
    await (await open(place, 'wx')).close();
    return null;
  } catch (cause) {
    return whatTheSystemSays(cause);
  }
}

async function isThere(place: string): Promise<boolean> {
  try {
    await lstat(place);
    return true;
  } catch (cause) {
    whatTheSystemSays(cause);
    return false;
  }
}

function whatTheSystemSays(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno === null) throw cause;
  return errno;
}
