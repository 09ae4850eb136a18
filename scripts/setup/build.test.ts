import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintSources, isBuilt } from './build.mjs';

let root: string;

async function put(path: string, content = 'x'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'leasehold-build-'));
  for (const file of [
    'package.json',
    'package-lock.json',
    'electron.vite.config.ts',
    'tsconfig.base.json',
  ]) {
    await put(file);
  }
  await put('src/main/index.ts');
  await put('src/main/index.test.ts');
  for (const file of [
    'main/index.cjs',
    'main/cli.cjs',
    'preload/index.cjs',
    'renderer/index.html',
  ]) {
    await put(`out/${file}`);
  }
});
afterEach(() => rm(root, { recursive: true }));

describe('whether the build is current', () => {
  const stamp = async (): Promise<void> => put('out/.build-stamp', await fingerprintSources(root));

  it('is not before the first build', async () => {
    expect(await isBuilt(root)).toBe(false);
  });

  it('is after a build, and stays so when only a test changes', async () => {
    await stamp();
    expect(await isBuilt(root)).toBe(true);
    await put('src/main/index.test.ts', 'another test');
    expect(await isBuilt(root)).toBe(true);
  });

  it.each<[string, () => Promise<void>]>([
    ['a source grew', () => put('src/main/index.ts', 'longer')],
    ['a source was written again', () => utimes(join(root, 'src/main/index.ts'), 1, 1)],
    ['a source is new', () => put('src/renderer/new.css')],
    ['a source is gone', () => rm(join(root, 'src/main/index.ts'))],
    ['a profile changed', () => put('profiles/a.yaml')],
    ['the packages changed', () => put('package-lock.json', 'longer')],
    ['a result is gone', () => rm(join(root, 'out/preload/index.cjs'))],
  ])('is not when %s', async (_, change) => {
    await stamp();
    await change();
    expect(await isBuilt(root)).toBe(false);
  });
});
