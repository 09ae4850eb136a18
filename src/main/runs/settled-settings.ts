import { realpath } from 'node:fs/promises';
import type { PushRequest, RunRequest } from '../../shared/runs/launch/run-request.ts';
import { listTree } from '../transfer/list-tree.ts';

/** Where wandb keeps the settings of a folder, with what decides between the two, and keys; also a link that may lead there. */
const SETTINGS = /(?:^|\/)(?:\.wandb(?:\/.*)?|wandb|wandb\/settings|[._]netrc)$/;

/** Words by which the command starts Python in another folder, which has settings of its own. */
const MOVES = /\b(?:cd|pushd|popd|chdir)\b|(?<!\S)(?:-C|--(?:directory|cwd)\b)/;

/**
 * Whether the settings of wandb that the working folder has now are certainly those of the run: nothing of it brings or removes any,
 * and none of these commands goes elsewhere. A download may write wherever it likes.
 */
export async function keepsSettings(
  { push, fetch = [] }: Pick<RunRequest, 'push' | 'fetch'>,
  commands: readonly (string | undefined)[],
): Promise<boolean> {
  if (fetch.length > 0 || commands.some((each) => each !== undefined && MOVES.test(each))) {
    return false;
  }
  return push === undefined || (await bringsNone(push));
}

async function bringsNone({ from, ignore, delete: isDeleting }: PushRequest): Promise<boolean> {
  if (isDeleting) return false;
  try {
    const listed = await listTree(await realpath(from), ignore);
    return listed.ok && listed.value.every(({ path }) => !SETTINGS.test(path));
  } catch {
    // What cannot be listed may hold some; why it cannot, the plan of the push says.
    return false;
  }
}
