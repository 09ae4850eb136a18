import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { listFiles } from '../lib/files.mjs';

// What the checks of a file depend on, found by reading and not by running: the file, what it imports, and every other
// file that one of those names by a path. Where a path cannot be told from the text, it counts as "the whole repository":
// a test too many costs seconds, one too few hides a fault.

const NOT_SOURCES = new Set(['.git', 'node_modules', 'out', 'dist', 'coverage', 'test-results']);
const RESULTS = 'bench/results/';

const IS_MODULE = /\.(?:[cm]?[jt]s|[jt]sx|css)$/;

/** A string that starts like a path from the file it stands in; of a template, what stands before its first hole. */
const RELATIVE = /(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g;
/** A string that may be a path from the top folder, which is where every check runs. */
const FROM_TOP = /(['"`])([\w@-][\w@.-]*(?:\/[^'"`\n]*)?)\1/g;
/** A module that asks where it lies may build paths from that. */
const ASKS_WHERE = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dir|file)name\b/;
/** These ask only for a package, which the lock file pins. */
const ASKS_FOR_PACKAGE = /createRequire\(import\.meta\.url\)/g;
const ASKS_FOR_CURRENT_FOLDER = /\bprocess\.cwd\(/;
const IS_IMPORTED = /\b(?:from|import)\s*\(?\s*$/;
/** It sees what an ambient file adds to all windows, and with it that file's imports. */
const USES_WINDOW = /\bwindow\.\w|\bglobalThis\b/;
const IS_AMBIENT = /\.d\.ts$/;
/** The top folder itself, or beyond. */
const CLIMBS = /^\.(?:\.|$)/;

/**
 * @typedef {object} Mentions What a file names, as paths from the top folder.
 * @property {readonly string[]} imports
 * @property {readonly string[]} files The imports among them.
 * @property {readonly string[]} folders
 * @property {boolean} isAnything It may read whatever there is.
 */

/** The repository's files at one moment, and what each of them depends on. */
export class Inputs {
  /** @type {ReadonlyMap<string, string>} Path from the top folder → digest of the content. */
  #digests;
  /** @type {ReadonlyMap<string, Mentions>} */
  #mentions;
  #digestOfAll;

  constructor(
    /** @type {ReadonlyMap<string, string>} */ digests,
    /** @type {ReadonlyMap<string, Mentions>} */ mentions,
  ) {
    this.#digests = digests;
    this.#mentions = mentions;
    this.#digestOfAll = this.#digestOf(digests.keys());
  }

  get files() {
    return [...this.#digests.keys()];
  }

  /** A digest of all that these checks look at, whatever file they check. */
  digestWhere(/** @type {(path: string) => boolean} */ isMeant) {
    return this.#digestOf(this.files.filter(isMeant));
  }

  /** A digest of a file and everything it imports: what says whether its types are still the same. */
  digestOfImports(/** @type {string} */ path) {
    return this.#digestOf(this.#reach(path, ({ imports }) => imports).paths);
  }

  /** A digest of a file, everything it imports, and every file or folder that one of those names. */
  digestOfRun(/** @type {string} */ path) {
    const { paths, isAnything } = this.#reach(path, ({ files, folders }) => [
      ...files,
      ...folders.flatMap((folder) => this.#below(folder)),
    ]);
    return isAnything ? this.#digestOfAll : this.#digestOf(paths);
  }

  #below(/** @type {string} */ folder) {
    return this.files.filter((path) => path.startsWith(`${folder}/`));
  }

  #reach(
    /** @type {string} */ from,
    /** @type {(mentions: Mentions) => readonly string[]} */ next,
  ) {
    const paths = new Set([from]);
    let isAnything = false;
    // A set goes on to what is added while it is walked.
    for (const path of paths) {
      const mentions = this.#mentions.get(path);
      if (mentions === undefined) continue;
      isAnything ||= mentions.isAnything;
      for (const each of next(mentions)) paths.add(each);
    }
    return { paths, isAnything };
  }

  #digestOf(/** @type {Iterable<string>} */ paths) {
    const hash = createHash('sha256');
    for (const path of [...paths].sort())
      hash.update(`${path}\0${this.#digests.get(path) ?? ''}\n`);
    return hash.digest('hex');
  }
}

/** Reads the whole repository: about a thousand files, in well under a second. */
export async function readInputs(/** @type {string} */ root) {
  const paths = await listSources(root);
  const texts = new Map(
    await Promise.all(
      paths.map(async (path) => /** @type {const} */ ([path, await readFile(join(root, path))])),
    ),
  );
  const known = { files: new Set(paths), folders: foldersOf(paths) };
  const digests = new Map();
  const mentions = new Map();
  for (const [path, content] of texts) {
    digests.set(path, createHash('sha256').update(content).digest('hex'));
    if (IS_MODULE.test(path)) mentions.set(path, findMentions(path, content.toString(), known));
  }
  return new Inputs(digests, mentions);
}

async function listSources(/** @type {string} */ root) {
  const entries = await readdir(root, { withFileTypes: true });
  const top = entries.filter(({ name }) => !NOT_SOURCES.has(name));
  const folders = top.filter((each) => each.isDirectory()).map(({ name }) => join(root, name));
  const files = top.filter((each) => each.isFile()).map(({ name }) => join(root, name));
  return [...files, ...(await listFiles(folders))]
    .map((path) => relative(root, path).replaceAll(sep, '/'))
    .filter((path) => !path.startsWith(RESULTS));
}

function foldersOf(/** @type {readonly string[]} */ paths) {
  const folders = new Set();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.add(at);
  }
  return folders;
}

/**
 * @param {string} path
 * @param {string} text
 * @param {{ files: ReadonlySet<string>, folders: ReadonlySet<string> }} known
 * @returns {Mentions}
 */
export function findMentions(path, text, known) {
  /** @type {Set<string>} */
  const imports = new Set();
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const folders = new Set();
  const asksWhere = ASKS_WHERE.test(text.replaceAll(ASKS_FOR_PACKAGE, ''));
  let isAnything = ASKS_FOR_CURRENT_FOLDER.test(text);
  let hasFoundWhere = false;
  for (const { index, 0: quoted, 2: literal = '' } of text.matchAll(RELATIVE)) {
    const target = posix.join(posix.dirname(path), fixedPart(literal)).replace(/\/$/, '');
    const isImport = IS_IMPORTED.test(text.slice(Math.max(0, index - 20), index));
    if (known.files.has(target)) {
      files.add(target);
      if (isImport) imports.add(target);
    } else if (asksWhere && known.folders.has(target)) folders.add(target);
    else if (asksWhere && CLIMBS.test(target)) isAnything = true;
    else continue;
    // A bare ".." is half a path; where the other half leads stands elsewhere.
    if (asksWhere && quoted.length === 4) isAnything = true;
    if (!isImport) hasFoundWhere = true;
  }
  for (const [, , literal = ''] of text.matchAll(FROM_TOP)) {
    const target = fixedPart(literal).replace(/\/$/, '');
    if (known.files.has(target)) files.add(target);
    else if (target.includes('/') && known.folders.has(target)) folders.add(target);
  }
  if (asksWhere && !hasFoundWhere) isAnything = true;
  if (USES_WINDOW.test(text)) {
    for (const each of known.files) if (IS_AMBIENT.test(each)) imports.add(each);
  }
  return { imports: [...imports], files: [...files], folders: [...folders], isAnything };
}

/** A path up to its query, or to the folder in which its first hole stands. */
function fixedPart(/** @type {string} */ literal) {
  const [path = ''] = literal.split('?');
  const hole = path.indexOf('${');
  return hole < 0 ? path : path.slice(0, path.lastIndexOf('/', hole) + 1);
}
