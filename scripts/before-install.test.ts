import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const HERE = import.meta.dirname;
const IMPORT = /^(?:import|export)\b[^;]*?from '([^']+)'|^import '([^']+)'/gm;

/** What a script loads before its first line runs, and the packages among that, each with the file that asks for it. */
function packagesBehind(script: string): readonly string[] {
  const seen = new Set<string>();
  const packages: string[] = [];
  const walk = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = from ?? bare ?? '';
      if (name.startsWith('.')) walk(resolve(dirname(file), name));
      else if (!name.startsWith('node:')) packages.push(`${name} in ${file}`);
    }
  };
  walk(script);
  return packages;
}

// On a bare machine it is the scripts that install everything.
it.each(readdirSync(HERE).filter((name) => name.endsWith('.mjs')))(
  '%s loads no package before anything is installed',
  (name) => expect(packagesBehind(join(HERE, name))).toEqual([]),
);
