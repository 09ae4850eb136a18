import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled, isInstalledByHand, writeStamp } from './node-modules.mjs';

let root: string;

async function put(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), JSON.stringify(content));
}

const lock = (version: string): object => ({
  packages: {
    '': { name: 'leasehold' },
    'node_modules/a': { version },
    'node_modules/a/node_modules/b': { version: '2.0.0' },
    'node_modules/for-macos': { version: '3.0.0', optional: true },
  },
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'leasehold-modules-'));
  await put('package-lock.json', lock('1.0.0'));
});
afterEach(() => rm(root, { recursive: true }));

describe('whether node_modules is current', () => {
  it('is not without a stamp, nor with one that was cut short', async () => {
    await put('node_modules/a/package.json', { version: '1.0.0' });
    expect(await isInstalled(root)).toBe(false);
    await writeFile(join(root, 'node_modules', '.leasehold-install.json'), '{"lock":"12');
    expect(await isInstalled(root)).toBe(false);
  });

  it('is with its stamp, until the lock file changes', async () => {
    await mkdir(join(root, 'node_modules'));
    await writeStamp(root);
    expect(await isInstalled(root)).toBe(true);
    await put('package-lock.json', lock('1.0.1'));
    expect(await isInstalled(root)).toBe(false);
  });
});

describe('whether somebody installed by hand what the lock file says', () => {
  const recorded = {
    packages: {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/b': { version: '2.0.0' },
    },
  };
  beforeEach(async () => {
    await put('node_modules/.package-lock.json', recorded);
    await put('node_modules/a/package.json', { version: '1.0.0' });
    await put('node_modules/a/node_modules/b/package.json', { version: '2.0.0' });
  });

  it('is so when record and folders agree with it, packages for other platforms aside', async () => {
    expect(await isInstalledByHand(root)).toBe(true);
  });

  it.each<[string, () => Promise<void>]>([
    ['npm left no record', () => rm(join(root, 'node_modules', '.package-lock.json'))],
    ['the lock file is newer', () => put('package-lock.json', lock('1.0.1'))],
    [
      'a package was being replaced',
      () => put('node_modules/a/package.json', { version: '0.9.0' }),
    ],
    [
      'a package is missing',
      () => rm(join(root, 'node_modules', 'a', 'node_modules'), { recursive: true }),
    ],
  ])('is not when %s', async (_, spoil) => {
    await spoil();
    expect(await isInstalledByHand(root)).toBe(false);
  });
});
