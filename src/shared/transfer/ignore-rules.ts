/** What a tree without git never sends: other tools' stores, which each machine makes for itself. */
export const USUAL_RULES: readonly string[] = [
  '.git/',
  '.hg/',
  '.svn/',
  '.venv/',
  'venv/',
  'node_modules/',
  '__pycache__/',
  '*.pyc',
  '.ipynb_checkpoints/',
  '.mypy_cache/',
  '.pytest_cache/',
  '.ruff_cache/',
  '.DS_Store',
];

/**
 * Whether a path is left out, by patterns as in .gitignore: `*`, `?` and `**`; with a slash at the end only folders, with one elsewhere
 * from the tree's folder on. What is in a folder that is left out is left out. A path is that of a file, unless it is said otherwise.
 */
export function ignoredBy(rules: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const tests = rules.map(testOf);
  // Ten thousands of files lie in some hundred folders.
  const folders = new Map<string, boolean>();
  const isFolderOut = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const isOut = isInFolderOut(folder) || tests.some((test) => test(folder, true));
    folders.set(folder, isOut);
    return isOut;
  };
  const isInFolderOut = (path: string): boolean => {
    const end = path.lastIndexOf('/');
    return end >= 0 && isFolderOut(path.slice(0, end));
  };
  return (path, isFolder = false) =>
    isInFolderOut(path) || tests.some((test) => test(path, isFolder));
}

function testOf(rule: string): (path: string, isFolder: boolean) => boolean {
  const isForFolders = rule.endsWith('/');
  const bare = rule.replace(/\/+$/, '');
  const parts = bare.replace(/^\//, '').split('/').map(partOf);
  const isAnchored = bare.includes('/');
  return (path, isFolder) => {
    if (isForFolders && !isFolder) return false;
    return isAnchored
      ? match(parts, path.split('/'), ANY, (part, name) => part(name))
      : parts.every((part) => part(path.slice(path.lastIndexOf('/') + 1)));
  };
}

/** Whether it is the name of a file or a folder. */
type Part = (name: string) => boolean;

/** As many names as there are. */
const ANY: Part = () => true;

function partOf(part: string): Part {
  if (part === '**') return ANY;
  if (!/[*?]/.test(part)) return (name) => name === part;
  const letters = Array.from(part);
  const plain = part.split(/[*?]/);
  const [head, tail] = [plain[0] ?? '', plain.at(-1) ?? ''];
  // Most names are told apart by that, without taking each to its letters for each of some dozen rules.
  return (name) =>
    name.startsWith(head) &&
    name.endsWith(tail) &&
    match(letters, Array.from(name), '*', (a, b) => a === '?' || a === b);
}

/** Greedy with one way back, for folders and for letters: no pattern takes longer than its length times the name's. */
function match<P>(
  pattern: readonly P[],
  text: readonly string[],
  any: P,
  fits: (part: P, piece: string) => boolean,
): boolean {
  let [p, t, back, from] = [0, 0, -1, 0];
  while (t < text.length) {
    const part = pattern[p];
    if (part === any) {
      [back, from] = [p, t];
      p += 1;
    } else if (part !== undefined && fits(part, text[t] ?? '')) {
      p += 1;
      t += 1;
    } else if (back >= 0) {
      from += 1;
      [p, t] = [back + 1, from];
    } else return false;
  }
  return pattern.slice(p).every((part) => part === any);
}
