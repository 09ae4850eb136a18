// The key of wandb is tried at the server that the run itself would ask, and nowhere else.
import { once } from 'node:events';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRunPreflight } from '../../shared/runs/launch/read-run-preflight.ts';
import type { TrackerKey } from '../../shared/runs/launch/run-preflight.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { cell, queue } from './queue/queue-box.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';
import { BOX_SHELLS, runOnboxScript, type BoxShell } from '../onbox/onbox-scripts.fixture.ts';

const hasPython = spawnSync('python3', ['-c', '']).status === 0;
const NO_PYTHON = 'there is no python3 here';
const KEY = 'k'.repeat(36) + '2026';
const OTHER = 'z'.repeat(40);

/** Takes one key, writes down who asked for what, and sends on what is asked below /moved. In a process of its own: a look holds up this one. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const taken = ['Basic ' + Buffer.from('api:${KEY}').toString('base64'), 'Bearer wb_at_${KEY}'];
const server = require('node:http').createServer((request, response) => {
  const { method, url, headers } = request;
  appendFileSync(process.argv[1], method + ' ' + url + ' ' + (headers.authorization ?? '-') + '\\n');
  if (url.startsWith('/moved')) return response.writeHead(307, { location: '/graphql' }).end();
  if (url.startsWith('/broken')) return response.writeHead(500).end('{}');
  if (url.startsWith('/silent')) return;
  if (url.startsWith('/null')) return response.end('{"data":{"viewer":null}}');
  if (!taken.includes(headers.authorization)) return response.writeHead(401).end('{}');
  response.end('{"data":{"viewer":{"id":"abc"}}}');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-tracker-'));
/** What the server writes down. */
const ASKED = join(folder, 'asked');
let home: string;
let server: ChildProcess;
let url: string;
beforeAll(async () => {
  server = spawn(process.execPath, ['-e', SERVER, ASKED]);
  if (server.stdout === null) throw new Error('no output');
  const [said] = (await once(server.stdout, 'data')) as [Buffer];
  url = `http://127.0.0.1:${said.toString().trim()}`;
});
afterAll(async () => {
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, 'work'));
  writeFileSync(ASKED, '');
});

function put(path: string, text: string): void {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
  chmodSync(join(home, path), 0o600);
}
const asked = (): readonly string[] => readFileSync(ASKED, 'utf8').split('\n').slice(0, -1);

async function tried(
  shell: BoxShell,
  exports: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<TrackerKey | null> {
  const fromMs = Date.now();
  const names = [
    'FOLDER',
    'RESULTS',
    'COPY',
    'DATA',
    'ACTIVATE',
    'WORD',
    'SCRIPT',
    'PROGRAMS',
    'PYTHON',
  ];
  names.push(
    'LOOKS',
    'SECRETS',
    'ACCELERATORS',
    'ROUTES',
    'WRITES',
    'LOCAL_TYPES',
    'NAMED',
    'REBOOT',
    'SETTLED',
    'SCRIPTS',
  );
  const said = await runOnboxScript(shell, 'run-preflight.sh', {
    ...Object.fromEntries(names.map((name) => [`LEASEHOLD_${name}`, ''])),
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LEASEHOLD_MARK: 'MARK',
    LEASEHOLD_PATIENCE_S: '60',
    LEASEHOLD_FOLDER: '~/work',
    LEASEHOLD_TRACKER: 'wandb',
    LEASEHOLD_SETTLED: 'yes',
    LEASEHOLD_EXPORTS: Object.entries(exports)
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('; '),
    ...more,
  });
  expect(said).not.toMatch(
    new RegExp(`${KEY}|${OTHER}|${Buffer.from(KEY).toString('base64').slice(0, 20)}`),
  );
  const read = readRunPreflight(said, 'MARK', { fromMs, toMs: Date.now() });
  if (read === null) throw new Error(said);
  return read.trackerKey;
}

describe.skipIf(process.platform !== 'linux').each(BOX_SHELLS)(
  'the key of wandb (U35), tried by $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled)('is taken or refused as the server says', async (context) => {
      if (!hasPython) return context.skip(NO_PYTHON);
      const host = url.slice('http://'.length);
      const at = (WANDB_API_KEY: string, path = '') =>
        tried(shell, { WANDB_BASE_URL: `${url}${path}`, WANDB_API_KEY });
      expect(await at(KEY)).toEqual({ kind: 'taken', host });
      expect(await at(`wb_at_${KEY}`)).toEqual({ kind: 'taken', host });
      expect(await at(OTHER)).toEqual({ kind: 'refused', host });
      expect(await at(OTHER, '/null')).toEqual({ kind: 'refused', host });
      expect(asked().every((line) => line.startsWith('POST '))).toBe(true);
      expect(await at(KEY, '/broken')).toEqual({ kind: 'unanswered', host });
      // What it is sent on to is not asked.
      expect(await at(KEY, '/moved')).toEqual({ kind: 'unanswered', host });
      expect(asked().at(-1)).toMatch(/^POST \/moved/);
      expect(await tried(shell, { WANDB_BASE_URL: url })).toEqual({ kind: 'none', host });
    });

    it.skipIf(!isInstalled)(
      'is not sent while the settings of the folder, which may name another server, are still to come',
      async (context) => {
        if (!hasPython) return context.skip(NO_PYTHON);
        const own = { WANDB_API_KEY: KEY, PYTHONPATH: join(home, 'lib') };
        put('lib/wandb/__init__.py', '');
        put('lib/wandb/sdk/lib/urls.py', 'DEFAULT_BASE_URL = "https://127.0.0.1:9"\n');
        const unsettled = { LEASEHOLD_SETTLED: '' };
        const missing = { ...unsettled, LEASEHOLD_FOLDER: '~/later', LEASEHOLD_WRITES: 'yes' };
        const unasked = { kind: 'unasked', host: '' };
        expect(await tried(shell, own, missing)).toEqual(unasked);
        expect(await tried(shell, { ...own, WANDB_BASE_URL: url }, missing)).toEqual(unasked);
        expect(await tried(shell, own, { LEASEHOLD_FOLDER: '~/never' })).toEqual(unasked);
        expect(asked()).toEqual([]);
        const pushed = { ...unsettled, LEASEHOLD_WRITES: 'yes' };
        expect(await tried(shell, own, pushed)).toEqual(unasked);
        put('.config/wandb/settings', `[default]\nbase_url = ${url}\n`);
        // The push may bring settings of the folder, which count more.
        expect(await tried(shell, own, pushed)).toEqual(unasked);
        // So may a download, or what the command does before it starts Python.
        expect(await tried(shell, own, unsettled)).toEqual(unasked);
        expect(asked()).toEqual([]);
        const settled = { ...pushed, LEASEHOLD_SETTLED: 'yes' };
        expect(await tried(shell, own, settled)).toMatchObject({ kind: 'taken' });
        const first = { ...missing, LEASEHOLD_SETTLED: 'yes' };
        expect(await tried(shell, own, first)).toMatchObject({ kind: 'taken' });
        // What runs before the command may choose the key, and a folder of its own has settings of its own.
        const activated = { LEASEHOLD_ACTIVATE: 'true', LEASEHOLD_ROUTES: `${url}/x` };
        expect(await tried(shell, own, { ...first, ...activated })).toEqual(unasked);
        put('cfg/settings', `[default]\nbase_url = ${url}\n`);
        for (const elsewhere of [{ WANDB_DIR: 'logs' }, { WANDB_CONFIG_DIR: join(home, 'cfg') }])
          expect(await tried(shell, { ...own, ...elsewhere }, settled)).toEqual(unasked);
        // What is there and cannot be looked into may hold settings.
        put('plain', '');
        const closed = { ...first, LEASEHOLD_FOLDER: '~/plain' };
        expect(await tried(shell, own, closed)).toEqual(unasked);
        const below = { ...first, LEASEHOLD_FOLDER: '~/plain/later' };
        expect(await tried(shell, own, below)).toEqual(unasked);
        expect(asked().filter((each) => each.startsWith('POST'))).toHaveLength(2);
      },
    );
  },
);

// Of what Python chooses by itself the shell that starts it sees nothing.
describe.skipIf(process.platform !== 'linux')('the key of wandb (U35)', () => {
  it('is found where wandb finds it', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    const host = url.slice('http://'.length);
    put('.config/wandb/settings', `[default]\nbase_url = ${url}\n`);
    put('.netrc', `machine ${host}\n  login user\n  password ${KEY}\n`);
    expect(await tried(['sh'], {})).toEqual({ kind: 'taken', host });
    // What the environment says goes before both, and a folder's own settings before the person's.
    expect(await tried(['sh'], { WANDB_API_KEY: OTHER })).toEqual({ kind: 'refused', host });
    put('work/wandb/settings', '[default]\nmode = offline\n');
    expect(await tried(['sh'], {})).toEqual({ kind: 'offline', host: '' });
    put('work/wandb/settings', '[default]\nbase_url = http://127.0.0.1:9\n');
    expect(await tried(['sh'], {})).toEqual({ kind: 'none', host: '127.0.0.1:9' });
    rmSync(join(home, 'work/wandb'), { recursive: true });
    // Of another file, of the file of secrets, and of a package of an environment.
    put('elsewhere', `machine ${host} login user password ${OTHER}\n`);
    expect(await tried(['sh'], { NETRC: join(home, 'elsewhere') })).toMatchObject({
      kind: 'refused',
    });
    put('.config/leasehold/WANDB_API_KEY', `${OTHER}\n`);
    const LEASEHOLD_SECRETS = 'WANDB_API_KEY';
    expect(await tried(['sh'], {}, { LEASEHOLD_SECRETS })).toMatchObject({ kind: 'refused' });
  });

  it('is tried whatever the project calls its files', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    const host = url.slice('http://'.length);
    put('.netrc', `machine ${host}\n  login user\n  password ${KEY}\n`);
    for (const name of ['netrc', 'json', 're', 'ssl']) put(`work/${name}.py`, 'raise SystemExit\n');
    for (const more of [{}, { PYTHONPATH: '.' }]) {
      expect(await tried(['sh'], { WANDB_BASE_URL: url, ...more })).toEqual({
        kind: 'taken',
        host,
      });
    }
  });

  it('is tried by the settings of the folder also where a login file goes elsewhere', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    put('.profile', 'cd /\n');
    put('.bash_profile', 'cd /\n');
    put('.config/wandb/settings', `[default]\nbase_url = ${url}\n`);
    put('work/wandb/settings', '[default]\nbase_url = http://127.0.0.1:9\n');
    expect(await tried(['sh'], { WANDB_API_KEY: KEY })).toMatchObject({ host: '127.0.0.1:9' });
    expect(asked()).toEqual([]);
  });

  it('is sent to no server that merely looks like one of them, nor in the clear to another machine or through a proxy', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    const host = url.slice('http://'.length);
    const base = { WANDB_API_KEY: KEY };
    for (const WANDB_BASE_URL of [
      'http://192.0.2.1:80',
      `http://api.wandb.ai@${host}`,
      `${url}?x=https://api.wandb.ai`,
      'https://wandb.ai',
      'ftp://127.0.0.1',
      'http://[::1',
    ]) {
      const said = await tried(['sh'], { ...base, WANDB_BASE_URL });
      expect(said, WANDB_BASE_URL).toMatchObject({ kind: 'unasked' });
    }
    // A server of the person's own that is called like a part of another's name has no key in ~/.netrc.
    put('.netrc', `machine ${host}0 login user password ${KEY}\n`);
    expect(await tried(['sh'], { WANDB_BASE_URL: url })).toMatchObject({ kind: 'none' });
    put('.netrc', `default login user password ${KEY}\n`);
    expect(await tried(['sh'], { WANDB_BASE_URL: url })).toMatchObject({ kind: 'unasked' });
    const proxied = { ...base, WANDB_BASE_URL: 'http://localhost:9', http_proxy: url };
    expect(await tried(['sh'], proxied)).toMatchObject({ kind: 'unasked' });
    // Past the proxy by what the environment says, which urllib reads in another way.
    const bypassed = {
      ...proxied,
      WANDB_BASE_URL: 'http://[::1]:9',
      no_proxy: 'localhost,::1',
    };
    expect(await tried(['sh'], bypassed)).toMatchObject({ kind: 'unanswered' });
    expect(asked()).toEqual([]);
  });

  it('is not taken for missing where ~/.netrc has it without the port, and stays at home where it is for a server of one’s own', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    put('.netrc', `machine 127.0.0.1 login user password ${KEY}\n`);
    expect(await tried(['sh'], { WANDB_BASE_URL: url })).toMatchObject({ kind: 'unasked' });
    const WANDB_API_KEY = `local-${KEY}`;
    for (const WANDB_BASE_URL of ['', 'https://api.wandb.ai']) {
      put('lib/wandb/__init__.py', '');
      put('lib/wandb/sdk/lib/urls.py', 'DEFAULT_BASE_URL = "https://127.0.0.1:9"\n');
      const exports = { WANDB_BASE_URL, WANDB_API_KEY, PYTHONPATH: join(home, 'lib') };
      expect(await tried(['sh'], exports)).toMatchObject({ kind: 'unasked' });
    }
    expect(await tried(['sh'], { WANDB_BASE_URL: url, WANDB_API_KEY })).toMatchObject({
      kind: 'refused',
    });
    expect(asked()).toHaveLength(1);
  });

  it('goes to the server that the installed wandb has for its own, once that is known', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    expect(await tried(['sh'], { WANDB_API_KEY: KEY })).toMatchObject({ kind: 'unasked' });
    put('lib/wandb/__init__.py', 'raise SystemExit("not to be loaded")\n');
    put('lib/wandb/sdk/lib/urls.py', 'DEFAULT_BASE_URL = "https://127.0.0.1:9"\n');
    const PYTHONPATH = join(home, 'lib');
    expect(await tried(['sh'], { WANDB_API_KEY: KEY, PYTHONPATH })).toEqual({
      kind: 'unanswered',
      host: '127.0.0.1:9',
    });
  });
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('the key of wandb, in a plan', () => {
  it('is not tried where a command chooses the server, the key or none by itself', async (context) => {
    if (!hasPython) return context.skip(NO_PYTHON);
    const box = new RunBox();
    await box.open();
    try {
      let env: Record<string, string> = { WANDB_BASE_URL: url, WANDB_API_KEY: KEY };
      const answer = async (
        command: string,
        smoke = 'python3 s.py',
        ...cells: readonly string[]
      ) => {
        const asking = request({ command, env, smoke, tracker: 'wandb' });
        const listed = cells.map((each, at) => cell(`c${String(at)}`, each));
        const planned = box.launcher.plan(
          BOX.id,
          asking,
          listed.length === 0 ? null : queue(...listed),
        );
        return value(await planned).checks.find(({ id }) => id === 'tracker')?.answer;
      };
      const tries = () => asked().filter((line) => line.startsWith('POST ')).length;
      const other = 'WANDB_BASE_URL=https://wandb.example python3 t.py';
      for (const command of [
        other,
        'export WANDB_API_KEY="$OTHER_KEY"; python3 t.py',
        'WANDB_MODE=offline python3 t.py',
        'wandb login --host https://wandb.example; python3 t.py',
      ])
        expect(await answer(command), command).toBe('unknown');
      expect(await answer('python3 t.py', other)).toBe('unknown');
      expect(await answer('', undefined, 'python3 a.py', other)).toBe('unknown');
      expect(tries()).toBe(0);
      // A busy machine may not get to it in the time that a plan has.
      await vi.waitFor(async () =>
        expect(await answer('', undefined, 'python3 a.py', 'python3 b.py')).toBe('pass'),
      );
      const before = tries();
      expect(before).toBeGreaterThan(0);
      // Nor where it goes to a folder that may have settings of its own, unless the environment names the server.
      put('cfg/settings', `[default]\nbase_url = ${url}\n`);
      env = { WANDB_API_KEY: KEY, WANDB_CONFIG_DIR: join(home, 'cfg') };
      const away = 'cd sub && python3 t.py';
      expect(await answer(away)).toBe('unknown');
      expect(await answer('', undefined, 'python3 a.py', away)).toBe('unknown');
      expect(tries()).toBe(before);
      await vi.waitFor(async () => expect(await answer('python3 t.py')).toBe('pass'));
    } finally {
      await box.close();
    }
  });
});
