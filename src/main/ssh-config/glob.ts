import { readdir } from 'node:fs/promises';
import { join, parse, sep } from 'node:path';

/** More files than anybody includes; what comes after is not read. */
const MAX_MATCHES = 512;

const WILD = /[*?[]/;

/** The paths that an absolute pattern stands for, in the order of their names, as glob(3) gives them to OpenSSH. */
export async function expandGlob(pattern: string): Promise<readonly string[]> {
  const { root } = parse(pattern);
  const parts = pattern
    .slice(root.length)
    .split(/[\\/]/.test(sep) && sep === '\\' ? /[\\/]+/ : /\/+/);
  let paths: readonly string[] = [root];
  for (const part of parts) {
    if (part === '') continue;
    if (!WILD.test(part)) paths = paths.map((path) => join(path, part));
    else paths = (await Promise.all(paths.map((path) => matchIn(path, part)))).flat();
    paths = paths.slice(0, MAX_MATCHES);
  }
  return paths;
}

async function matchIn(folder: string, part: string): Promise<readonly string[]> {
  const expression = toExpression(part);
  if (expression === null) return [];
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch {
    // No such folder, or none of ours: the pattern stands for nothing there, as for OpenSSH.
    return [];
  }
  return names
    .filter((name) => (part.startsWith('.') || !name.startsWith('.')) && expression.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Null: a bracket that is no class of characters. A run of stars is one star, so nothing is tried twice. */
function toExpression(part: string): RegExp | null {
  const source = part
    .replace(/\*+/g, '*')
    .replace(
      /\[(!?)([^\]]+)\]|[\s\S]/g,
      (char, not: string | undefined, set: string | undefined) => {
        if (set !== undefined)
          return `[${not === '!' ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`;
        if (char === '*') return '[^]*?';
        return char === '?' ? '[^]' : char.replace(/[.+^${}()|[\]\\/]/g, '\\$&');
      },
    );
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    return null; // for example [z-a]
  }
}
