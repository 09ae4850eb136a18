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

/** A pattern that says something else than its words; null: it can be used. */
export function ruleError(rule: string): string | null {
  if (rule.startsWith('!')) return 'Write what is left out; nothing can be taken back in with “!”.';
  if (rule.replace(/[/*]/g, '') === '') return 'Write what is left out, such as data/ or *.ckpt';
  return null;
}

/**
 * Whether a path is left out, by patterns as in .gitignore: `*`, `?` and `**`; with a slash at the end only folders, with one elsewhere
 * from the tree's folder on. What is in a folder that is left out is left out. A path is that of a file, unless it is said otherwise.
 */
export function ignoredBy(rules: readonly string[]): (path: string, isFolder?: boolean) => boolean {
  const tests = rules.map(testOf);
  return (path, isFolder = false) => {
    for (let at = path.indexOf('/'); ; at = path.indexOf('/', at + 1)) {
      const isWhole = at < 0;
      const part = isWhole ? path : path.slice(0, at);
      if (tests.some((test) => test(part, !isWhole || isFolder))) return true;
      if (isWhole) return false;
    }
  };
}

function testOf(rule: string): (path: string, isFolder: boolean) => boolean {
  const isForFolders = rule.endsWith('/');
  const bare = rule.replace(/\/+$/, '');
  const parts = bare.replace(/^\//, '').split('/');
  const isAnchored = bare.includes('/');
  return (path, isFolder) => {
    if (isForFolders && !isFolder) return false;
    const names = path.split('/');
    return matchParts(parts, isAnchored ? names : names.slice(-1));
  };
}

/** Greedy with one way back, in both loops: no pattern takes longer than its length times the name's. */
function matchParts(parts: readonly string[], names: readonly string[]): boolean {
  return match(parts, names, '**', (part, name) =>
    match(Array.from(part), Array.from(name), '*', (a, b) => a === '?' || a === b),
  );
}

function match(
  pattern: readonly string[],
  text: readonly string[],
  any: string,
  fits: (part: string, piece: string) => boolean,
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
