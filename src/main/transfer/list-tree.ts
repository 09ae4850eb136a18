import { existsSync, lstatSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { ignoredBy, USUAL_RULES } from '../../shared/transfer/ignore-rules.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { inSlices } from '../streams/in-slices.ts';
import { runGit } from './run-git.ts';

/** More than a person's own code has; data is fetched on the box. */
export const MAX_FILES = 100_000;

/** Where a push waits on a box before it is moved into its folder: no part of any tree. */
const OWN_RULES = ['.leasehold-push/'];

export interface ListedFile {
  /** From the folder on, with `/` between its parts. */
  readonly path: string;
  readonly stat: Stats;
}

/** Which files of a folder of this machine are its code: what git does not ignore, or everything but what other tools keep there. */
export async function listTree(
  folder: string,
  rules: readonly string[],
): Promise<Result<readonly ListedFile[], Problem>> {
  const isGit = isInGit(folder);
  const isIgnored = ignoredBy([...OWN_RULES, ...rules, ...(isGit ? ['.git'] : USUAL_RULES)]);
  const found: ListedFile[] = [];
  const listed = isGit
    ? await listByGit(folder, '', isIgnored, found)
    : await walk(folder, isIgnored, found);
  return listed.ok ? ok(found) : listed;
}

export function isInGit(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}

type IsIgnored = (path: string) => boolean;

async function listByGit(
  folder: string,
  prefix: string,
  isIgnored: IsIgnored,
  found: ListedFile[],
): Promise<Result<null, Problem>> {
  const words = ['ls-files', '-co', '--exclude-standard', '-z'];
  const answer = await runGit(join(folder, prefix), words);
  if (answer.kind !== 'said') return err(gitFailed(folder, answer));
  // A file in conflict is listed once for each side.
  const paths = new Set<string>();
  const names = textOf(answer.bytes)?.split('\0');
  if (names === undefined) return err(notUtf8(folder));
  for (const name of names) {
    if (name === '') continue; // behind the last
    const path = prefix + name.replace(/\/$/, '');
    if (!isIgnored(path)) paths.add(path);
  }
  if (found.length + paths.size > MAX_FILES) return err(tooMany(folder));
  for (const file of await statAll(folder, paths)) {
    // Another repository in it, as a submodule or not.
    if (file.stat.isDirectory()) {
      const listed = await listByGit(folder, `${file.path}/`, isIgnored, found);
      if (!listed.ok) return listed;
    } else found.push(file);
  }
  return ok(null);
}

async function walk(
  folder: string,
  isIgnored: IsIgnored,
  found: ListedFile[],
): Promise<Result<null, Problem>> {
  const paths: string[] = [];
  const prefixes = [''];
  for (let prefix = prefixes.pop(); prefix !== undefined; prefix = prefixes.pop()) {
    for (const entry of await readdir(join(folder, prefix), {
      withFileTypes: true,
      encoding: 'buffer',
    })) {
      const name = textOf(entry.name);
      if (name === null) return err(notUtf8(folder));
      const path = prefix + name;
      if (!entry.isDirectory()) {
        if (!isIgnored(path)) paths.push(path);
      } else if (!isIgnored(`${path}/x`)) prefixes.push(`${path}/`);
      if (paths.length > MAX_FILES) return err(tooMany(folder));
    }
  }
  found.push(...(await statAll(folder, paths)));
  return ok(null);
}

/** In that order, without what is no longer there: git may not have been told. */
async function statAll(folder: string, paths: Iterable<string>): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  await inSlices(paths, (path) => {
    try {
      const stat = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
      if (stat !== undefined) files.push({ path, stat });
    } catch (cause) {
      if (errnoOf(cause) !== 'ENOTDIR') throw cause;
    }
  });
  return files;
}

/** Null: no UTF-8, so that no name that is made of it would be the file's. */
function textOf(names: Buffer): string | null {
  const text = names.toString('utf8');
  return Buffer.from(text, 'utf8').equals(names) ? text : null;
}

function notUtf8(folder: string): Problem {
  return problem('code-not-read', `A file in ${folder} has a name that is not UTF-8.`, {
    nextStep: 'Rename that file, or put it where git ignores it, then plan again.',
  });
}

function tooMany(folder: string): Problem {
  return problem('code-not-read', `${folder} has more than ${String(MAX_FILES)} files to push.`, {
    nextStep: 'Leave data out with push.ignore, and fetch it on the box.',
  });
}

/** Nothing is guessed then: what git ignores is data, or secrets. */
function gitFailed(
  folder: string,
  answer: { readonly kind: 'no-git' } | { readonly kind: 'failed'; readonly because: string },
): Problem {
  return answer.kind === 'no-git'
    ? problem('code-not-read', `${folder} is a git working tree, and there is no git here.`, {
        nextStep: 'Install git, then plan again: it knows which files are ignored.',
      })
    : problem('code-not-read', `git cannot list ${folder}: ${answer.because}`, {
        nextStep: 'Try “git status” in that folder, then plan again.',
      });
}
