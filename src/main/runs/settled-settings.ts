import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PushRequest } from '../../shared/runs/launch/run-request.ts';

/** Where wandb keeps the settings of a folder, with what decides between the two. */
const SETTINGS = ['.wandb', 'wandb/settings'];

/** Whether a push certainly leaves the settings of wandb as they are: it has none to bring, and removes nothing. */
export async function leavesSettings({ from, delete: isDeleting }: PushRequest): Promise<boolean> {
  if (isDeleting) return false;
  const gone = await Promise.all(SETTINGS.map((path) => isGone(join(from, path))));
  return gone.every((each) => each);
}

async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (cause) {
    // What cannot be looked at may be there.
    return ['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '');
  }
}
