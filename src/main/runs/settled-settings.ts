import { realpath } from 'node:fs/promises';
import type { PushRequest, RunRequest } from '../../shared/runs/launch/run-request.ts';
import { listTree } from '../transfer/list-tree.ts';

/** Where wandb keeps the settings of a folder, with what decides between the two, and keys; also a link that may lead there. */
const SETTINGS = /(?:^|\/)(?:\.wandb(?:\/.*)?|wandb|wandb\/settings|[._]netrc)$/;

/**
 * A command that is one Python program and nothing else: nothing of a shell, which may take its words from anywhere, and no program before
 * it that may go to another folder, read a file of settings, or have another home. What any other does first, only that knows.
 */
const PLAIN = new RegExp(
  [
    // Its environment, …
    /^[ \t]*(?:(?!HOME=)[A-Z_a-z]\w*=[\w./:,@%+-]*[ \t]+)*/,
    /(?:[\w./~-]*\/)?(?:python[\d.]*|torchrun|accelerate[ \t]+launch)/,
    // … options, of which none brings the program itself, …
    /(?:[ \t]+-(?!c\b)[\w-]+(?:[= \t][\w./:,@%+*][\w./:,@%+*-]*)?)*?[ \t]+/,
    // … a file or a module, and its words, also over several lines.
    /(?:-m[ \t]+(?!dotenv\b)[\w.]+|[\w./~-]+\.py)(?=[ \t]|$)(?:[^;&|<>()`$\n\\]|\\\n)*$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/**
 * Whether the settings of wandb that the working folder has now are those of the run, as far as words tell: nothing of it brings or removes
 * any, and each of these commands is a plain one of Python. A download may write wherever it likes.
 */
export async function keepsSettings(
  { push, fetch = [] }: Pick<RunRequest, 'push' | 'fetch'>,
  commands: readonly (string | undefined)[],
): Promise<boolean> {
  if (
    fetch.length > 0 ||
    commands.some((each) => each !== undefined && each.trim() !== '' && !PLAIN.test(each))
  ) {
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
