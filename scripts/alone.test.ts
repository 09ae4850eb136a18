import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { listFiles } from './lib/files.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';

it('a file that puts modules in the place of others runs in a process of its own', async () => {
  // Elsewhere files take turns in one: it would get what another has loaded, or the other what this one made up, as the order has it.
  const files = await listFiles([inRoot('src/main'), inRoot('src/shared'), inRoot('incidents')]);
  const replacing = files
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => /\bvi\.(?:doM|m)ock\(/.test(readFileSync(path, 'utf8')))
    .map((path) => relative(ROOT, path));
  const alone = config.test?.projects?.flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'alone'
      ? (project.test.include ?? [])
      : [],
  );
  expect(replacing.length).toBeGreaterThan(0);
  expect(replacing.filter((path) => !alone?.includes(path))).toEqual([]);
});
