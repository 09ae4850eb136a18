import { lstatSync, statSync, type BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../storage/file-problem.ts';

/** What lies at a path below a folder of this computer. */
export type FoundHere =
  | { readonly kind: 'file'; readonly stat: BigIntStats }
  | { readonly kind: 'gone' }
  /** A link, a folder, a pipe. */
  | { readonly kind: 'not-a-file' }
  /** A folder on the way is a link, which may lead to the box itself. */
  | { readonly kind: 'linked'; readonly folder: string }
  | { readonly kind: 'denied'; readonly errno: string };

interface Question {
  readonly place: string;
  readonly of: 'root' | 'folder' | 'file';
}
/** Or its errno. */
type Answer = BigIntStats | string;

/** Of the folders of many files each is asked about once. */
export type FoldersAsked = Map<string, Answer>;

/** SECURITY: each folder on the way is looked at by itself. With the last name alone, a link further up would lead anywhere. */
function* walkHere(root: string, path: string): Generator<Question, FoundHere, Answer> {
  const top = yield { place: root, of: 'root' };
  if (typeof top === 'string') return noneOf(top);
  let folder = root;
  const names = path.split('/');
  for (const name of names.slice(0, -1)) {
    folder = join(folder, name);
    const found = yield { place: folder, of: 'folder' };
    if (typeof found === 'string') return noneOf(found);
    if (found.isSymbolicLink()) return { kind: 'linked', folder };
    if (!found.isDirectory()) return { kind: 'gone' };
  }
  const found = yield { place: join(folder, names.at(-1) ?? ''), of: 'file' };
  if (typeof found === 'string') return noneOf(found);
  return found.isFile() ? { kind: 'file', stat: found } : { kind: 'not-a-file' };
}

const noneOf = (errno: string): FoundHere =>
  errno === 'ENOENT' || errno === 'ENOTDIR' ? { kind: 'gone' } : { kind: 'denied', errno };

/** Without holding up main: it may lie on a disk that went away. */
export async function lookHere(
  root: string,
  path: string,
  asked: FoldersAsked = new Map(),
): Promise<FoundHere> {
  const walk = walkHere(root, path);
  let step = walk.next();
  while (step.done !== true) {
    const { place, of } = step.value;
    const answer = asked.get(place) ?? (await answerTo(step.value));
    if (of !== 'file') asked.set(place, answer);
    step = walk.next(answer);
  }
  return step.value;
}

/** For ten thousands of short questions, in slices. */
export function lookHereNow(
  root: string,
  path: string,
  asked: FoldersAsked = new Map(),
): FoundHere {
  const walk = walkHere(root, path);
  let step = walk.next();
  while (step.done !== true) {
    const { place, of } = step.value;
    const answer = asked.get(place) ?? answerNow(step.value);
    if (of !== 'file') asked.set(place, answer);
    step = walk.next(answer);
  }
  return step.value;
}

/** Asked without holding up main: it may lie on a disk that went away. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    if (errnoOf(cause) === null) throw cause;
    return false;
  }
}

async function answerTo({ place, of }: Question): Promise<Answer> {
  try {
    // The folder itself was chosen by a person, as a link too.
    return await (of === 'root' ? stat : lstat)(place, { bigint: true });
  } catch (cause) {
    return errnoIn(cause);
  }
}

function answerNow({ place, of }: Question): Answer {
  try {
    const look = of === 'root' ? statSync : lstatSync;
    return look(place, { bigint: true, throwIfNoEntry: false }) ?? 'ENOENT';
  } catch (cause) {
    return errnoIn(cause);
  }
}

function errnoIn(cause: unknown): string {
  const errno = errnoOf(cause);
  if (errno === null) throw cause;
  return errno;
}
