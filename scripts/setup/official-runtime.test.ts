import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureRuntime } from './electron-runtime.mjs';
import { findOfficialRuntime, isStillRemembered } from './official-runtime.mjs';

// A root with an electron package whose downloader is ours: it notes each call, and fails or works as told.
let root: string;
let env: NodeJS.ProcessEnv;

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

const DOWNLOADER = `
import { appendFileSync, existsSync } from 'node:fs';
export async function downloadArtifact({ version, checksums }) {
  appendFileSync(new URL('calls', import.meta.url), version + Object.keys(checksums) + '\\n');
  if (existsSync(new URL('offline', import.meta.url))) {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
  }
}`;
const INSTALLER = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync(__dirname + '/dist');
writeFileSync(__dirname + '/dist/version', 'v9.9.9');
writeFileSync(__dirname + '/dist/electron', '');
writeFileSync(__dirname + '/path.txt', 'electron');`;

const GET = 'node_modules/@electron/get';
const countCalls = async (): Promise<number> =>
  (await readFile(join(root, GET, 'calls'), 'utf8')).split('\n').length - 1;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'leasehold-official-'));
  env = { LEASEHOLD_CACHE: join(root, 'cache') };
  await put('node_modules/electron/package.json', '{"version":"9.9.9"}');
  await put('node_modules/electron/checksums.json', '{"electron.zip":"abc"}');
  await put('node_modules/electron/install.js', INSTALLER);
  await put(
    `${GET}/package.json`,
    '{"name":"@electron/get","type":"module","exports":"./index.js"}',
  );
  await put(`${GET}/index.js`, DOWNLOADER);
});
afterEach(() => rm(root, { recursive: true }));

describe('the official runtime', () => {
  it('is downloaded once and then found', async () => {
    const dist = join(root, 'node_modules', 'electron', 'dist');
    const found = { ok: true, runtime: { folder: dist, executable: join(dist, 'electron') } };
    expect(await findOfficialRuntime(root, env, 'linux', true)).toEqual(found);
    expect(await findOfficialRuntime(root, env, 'linux', true)).toEqual(found);
    expect(await readFile(join(root, GET, 'calls'), 'utf8')).toBe('9.9.9electron.zip\n');
  });

  it('is not tried again for hours after a failure, unless it is asked for', async () => {
    await put(`${GET}/offline`, '');
    expect(await findOfficialRuntime(root, env, 'linux', true)).toEqual({
      ok: false,
      because: 'the official 9.9.9 could not be downloaded: fetch failed: getaddrinfo ENOTFOUND',
    });
    const remembered = await findOfficialRuntime(root, env, 'linux', true);
    expect(remembered).toMatchObject({
      ok: false,
      because: expect.stringMatching(
        /ENOTFOUND; next try after \d\d:\d\d, or now with LEASEHOLD_RETRY_ELECTRON=1$/,
      ),
    });
    expect(await countCalls()).toBe(1);
    await findOfficialRuntime(root, { ...env, LEASEHOLD_RETRY_ELECTRON: '1' }, 'linux', true);
    expect(await countCalls()).toBe(2);
  });

  it('is tried at each start where nothing can stand in', async () => {
    await put(`${GET}/offline`, '');
    await findOfficialRuntime(root, env, 'darwin', false);
    await findOfficialRuntime(root, env, 'darwin', false);
    expect(await countCalls()).toBe(2);
  });

  it('forgets a failure of another version, after some hours, and after the clock was set back', () => {
    const failed = { version: '9.9.9', atMs: 1_000_000, because: '' };
    const hourMs = 3_600_000;
    expect(isStillRemembered(failed, '9.9.9', failed.atMs + 3 * hourMs)).toBe(true);
    expect(isStillRemembered(failed, '9.9.10', failed.atMs + 3 * hourMs)).toBe(false);
    expect(isStillRemembered(failed, '9.9.9', failed.atMs + 5 * hourMs)).toBe(false);
    expect(isStillRemembered(failed, '9.9.9', failed.atMs - 1)).toBe(false);
  });
});

describe('choosing a runtime', () => {
  it.each([
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['linux', 'arm64'],
  ] as const)(
    'says in one sentence what to do on %s %s without the official one',
    async (platform, arch) => {
      await put(`${GET}/offline`, '');
      await expect(ensureRuntime(root, env, platform, arch)).rejects.toThrow(
        `There is no Electron to start the app with on ${platform} ${arch} (the official 9.9.9 could not be downloaded: ` +
          'fetch failed: getaddrinfo ENOTFOUND): connect to the internet, or set ELECTRON_MIRROR to a mirror you can ' +
          'reach or ELECTRON_OVERRIDE_DIST_PATH to a folder with an unpacked Electron, and start again.',
      );
    },
  );

  it('takes the folder that the person names, and refuses one without Electron', async () => {
    env['ELECTRON_OVERRIDE_DIST_PATH'] = join(root, 'mine');
    await expect(ensureRuntime(root, env, 'linux', 'x64')).rejects.toThrow(
      /names a folder without Electron/,
    );
    await put('mine/electron', '');
    expect(await ensureRuntime(root, env, 'linux', 'x64')).toEqual({
      folder: join(root, 'mine'),
      executable: join(root, 'mine', 'electron'),
      isFallback: false,
    });
    await put('mine/leasehold-runtime.json', '{}');
    expect(await ensureRuntime(root, env, 'linux', 'x64')).toMatchObject({ isFallback: true });
  });
});
