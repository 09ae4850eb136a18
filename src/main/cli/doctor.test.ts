import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT, run } from './cli.fixture.ts';
import { findElectron } from './electron-check.ts';
import { findProgram, firstLineOf } from './find-program.ts';
import { checkKeyring } from './keyring-check.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-doctor-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A program of the PATH: a real one, so that what is tested is finding and asking it. */
async function place(name: string, script: string, at = folder): Promise<string> {
  await mkdir(at, { recursive: true });
  const path = join(at, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('findProgram', () => {
  it('finds the first executable on the PATH', async () => {
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a', 'ssh'), 'not executable');
    await mkdir(join(folder, 'b', 'ssh'), { recursive: true }); // a folder of that name
    const path = await place('ssh', 'exit 0', join(folder, 'c'));
    const env = { PATH: ['a', 'b', 'c'].map((name) => join(folder, name)).join(':') };
    expect(await findProgram('ssh', env, 'linux')).toEqual({ kind: 'found', path });
    expect(await findProgram('rsync', env, 'linux')).toEqual({ kind: 'missing' });
  });

  it.each([undefined, '', '.', 'bin:./x'])('cannot tell with the PATH %j', async (path) => {
    expect(await findProgram('ssh', { PATH: path }, 'linux')).toEqual({ kind: 'unknown' });
  });
});

describe('firstLineOf', () => {
  it('takes the first line of either output', async () => {
    const path = await place('tool', 'echo; echo "  tool 1.2  " >&2');
    expect(await firstLineOf(path, [], {})).toBe('tool 1.2');
  });

  it.each(['exit 3', 'exit 0', 'kill -9 $$'])('answers null after %j', async (script) => {
    expect(await firstLineOf(await place('tool', script), [], {})).toBeNull();
  });
});

describe('checkKeyring', () => {
  const env = () => ({ PATH: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });

  it.each([
    ['darwin', 'macOS Keychain'],
    ['win32', 'Windows DPAPI'],
  ] as const)('is always there on %s', async (platform, detail) => {
    expect(await checkKeyring({}, platform)).toEqual({ kind: 'found', detail });
  });

  it.each([
    ['gdbus', "echo '(true,)'"],
    ['busctl', "echo 'b true'"],
    ['dbus-send', "echo '   boolean true'"],
  ])('is found when %s says so', async (program, script) => {
    await place(program, script);
    expect(await checkKeyring(env(), 'linux')).toEqual({
      kind: 'found',
      detail: 'org.freedesktop.secrets',
    });
  });

  it('asks for the common service first, then for KDE’s', async () => {
    await place('gdbus', 'case "$*" in *kwalletd6) echo "(true,)";; *) echo "(false,)";; esac');
    expect(await checkKeyring(env(), 'linux')).toEqual({
      kind: 'found',
      detail: 'org.kde.kwalletd6',
    });
  });

  it('is missing when nobody owns one of the names', async () => {
    await place('gdbus', "echo '(false,)'");
    expect(await checkKeyring(env(), 'linux')).toMatchObject({ kind: 'missing' });
  });

  it('asks the next tool when one fails', async () => {
    await place('gdbus', 'exit 1');
    await place('busctl', "echo 'b false'");
    expect(await checkKeyring(env(), 'linux')).toMatchObject({ kind: 'missing' });
  });

  it('is unknown when no tool is there to ask, or none answers', async () => {
    expect(await checkKeyring(env(), 'linux')).toMatchObject({ kind: 'unknown' });
    await place('dbus-send', 'echo nonsense');
    expect(await checkKeyring(env(), 'linux')).toMatchObject({ kind: 'unknown' });
  });

  it('is missing without a session bus, and starts none to find out', async () => {
    await place('gdbus', "echo '(true,)'");
    expect(await checkKeyring({ PATH: folder }, 'linux')).toMatchObject({ kind: 'missing' });
    expect(await checkKeyring({ PATH: folder, XDG_RUNTIME_DIR: folder }, 'linux')).toMatchObject({
      kind: 'missing',
    });
  });

  it('finds the bus of a login session by its socket', async () => {
    await place(
      'gdbus',
      `[ "$DBUS_SESSION_BUS_ADDRESS" = "unix:path=${folder}/bus" ] && echo '(true,)'`,
    );
    const server = await listen(join(folder, 'bus'));
    const check = await checkKeyring({ PATH: folder, XDG_RUNTIME_DIR: folder }, 'linux');
    await new Promise((resolve) => server.close(resolve));
    expect(check).toMatchObject({ kind: 'found' });
  });
});

function listen(path: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(path, () => resolve(server));
  });
}

describe('findElectron', () => {
  const where = (env: Record<string, string>) => ({
    env,
    platform: 'linux' as const,
    root: folder,
  });

  it('takes the folder that the person named, and no other', async () => {
    await place('electron', '', join(folder, 'node_modules', 'electron', 'dist'));
    const named = join(folder, 'named');
    expect(await findElectron(where({ ELECTRON_OVERRIDE_DIST_PATH: named }))).toBeNull();
    const path = await place('electron', '', named);
    await writeFile(join(named, 'version'), 'v45.4.1\n');
    expect(await findElectron(where({ ELECTRON_OVERRIDE_DIST_PATH: named }))).toEqual({
      path,
      version: '45.4.1',
    });
  });

  it('looks into the package, then into the cache', async () => {
    const cache = join(folder, 'cache');
    const env = { LEASEHOLD_CACHE: cache };
    expect(await findElectron(where(env))).toBeNull();
    const old = await place('electron', '', join(cache, 'electron-25.1.1-linux-x64'));
    expect(await findElectron(where(env))).toEqual({ path: old, version: null });
    const official = await place('electron', '', join(folder, 'node_modules', 'electron', 'dist'));
    expect(await findElectron(where(env))).toEqual({ path: official, version: null });
  });
});

describe('doctor', () => {
  /** Everything there: programs, an Electron, a keyring. */
  async function healthy() {
    await place('ssh', 'echo "OpenSSH_9.9" >&2');
    await place('rsync', 'echo "rsync  version 3.4"');
    await place('tmux', 'echo "tmux 3.5"');
    await place('gdbus', "echo '(true,)'");
    await place('electron', '', join(folder, 'runtime'));
    return {
      platform: 'linux' as const,
      env: {
        PATH: `${folder}:/usr/bin:/bin`,
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
        ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'runtime'),
      },
    };
  }

  const statuses = (out: string): unknown =>
    Object.fromEntries(
      (JSON.parse(out) as { checks: { name: string; status: string }[] }).checks.map(
        ({ name, status }) => [name, status],
      ),
    );

  it('answers 0 when everything is found', async () => {
    const { code, out, err } = await run(['doctor', '--json'], await healthy());
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      checks: expect.arrayContaining([
        {
          name: 'node',
          status: 'found',
          version: process.versions.node,
          path: process.execPath,
          detail: expect.any(String),
        },
        {
          name: 'tmux',
          status: 'found',
          version: 'tmux 3.5',
          path: join(folder, 'tmux'),
          detail: expect.any(String),
        },
      ]),
    });
    expect(new Set(Object.values(statuses(out) as object))).toEqual(new Set(['found']));
    expect(code).toBe(0);
  });

  it('answers 1 when something is missing or does not answer', async () => {
    const machine = await healthy();
    await rm(join(folder, 'runtime'), { recursive: true });
    await place('rsync', 'exit 1');
    await place('gdbus', "echo '(false,)'");
    const { code, out } = await run(['doctor', '--json'], machine);
    expect(code).toBe(1);
    expect(statuses(out)).toEqual({
      node: 'found',
      electron: 'missing',
      keyring: 'missing',
      ssh: 'found',
      rsync: 'unknown',
      tmux: 'found',
    });
  });

  it('is unknown, not missing, where there is no PATH', async () => {
    const machine = await healthy();
    const { code, out } = await run(['doctor', '--json'], {
      ...machine,
      env: { ...machine.env, PATH: '' },
    });
    expect(code).toBe(1);
    expect(statuses(out)).toMatchObject({
      ssh: 'unknown',
      rsync: 'unknown',
      tmux: 'unknown',
      keyring: 'unknown',
    });
  });

  it('shows a table to people, without what a program tries on the terminal', async () => {
    const machine = await healthy();
    await place('tmux', "printf 'tmux \\033[2J3.5\\n'");
    const { out } = await run(['doctor'], machine);
    expect(out).toMatch(/^what +status +version +path +note$/m);
    expect(out).toMatch(/^tmux +found +tmux \\x1b\[2J3\.5 /m);
  });
});

it('version tells what package.json says', async () => {
  const { code, out } = await run(['version', '--json']);
  expect(code).toBe(0);
  const pkg = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(JSON.parse(out)).toMatchObject({ version: pkg.version, node: process.versions.node });
  expect((await run(['version'])).out).toBe(
    `Leasehold ${pkg.version} (Node ${process.versions.node}, linux ${process.arch})\n`,
  );
});
