import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_TYPES } from '../../shared/mounts/select-mounts.ts';
import { knownFacts, NOW_MS } from '../../shared/runs/launch/preflight.fixture.ts';
import { readRunPreflight } from '../../shared/runs/launch/read-run-preflight.ts';
import type { RunPreflight } from '../../shared/runs/launch/run-preflight.ts';
import { BOX_SHELLS, runOnboxScript, type BoxShell } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';
const hasPython = spawnSync('python3', ['-c', '']).status === 0;
const NO_PYTHON = 'there is no python3 here';
const NO_OTHER_DISK = '/dev/shm is no disk of its own here';

const realTimeout = spawnSync('sh', ['-c', 'command -v timeout'], {
  encoding: 'utf8',
}).stdout.trim();

const TORCH = {
  'version.py': "__version__ = '2.5.1+cu124'\ncuda = '12.4'\nhip = None\n",
  '__init__.py': `from . import version
class cuda:
    is_available = staticmethod(lambda: True)
    device_count = staticmethod(lambda: 2)
    get_device_capability = staticmethod(lambda n: (9, 0))
    get_arch_list = staticmethod(lambda: ["sm_80", "sm_90"])
`,
};
/** What Python would load in place of the driver's own library. */
const DRIVER = `import ctypes
def driver(name):
    if name != "libcuda.so.1":
        raise OSError(name)
    class Driver:
        cuInit = staticmethod(lambda flags: 0)
        cuDriverGetVersion = staticmethod(lambda to: setattr(to._obj, "value", 12080))
        cuDeviceGetCount = staticmethod(lambda to: setattr(to._obj, "value", 2))
    return Driver
ctypes.CDLL = driver
`;

/** One that answers and one that does not, in a process of their own: a look holds up this one. */
const SERVERS = `
const one = require('http').createServer((_, response) => response.writeHead(403).end());
const other = require('net').createServer(() => undefined);
one.listen(0, '127.0.0.1', () => other.listen(0, '127.0.0.1', () => console.log(one.address().port, other.address().port)));
`;
async function portsOf({ stdout }: ChildProcess): Promise<readonly string[]> {
  if (stdout === null) throw new Error('no output');
  const [said] = (await once(stdout, 'data')) as [Buffer];
  return said.toString().trim().split(' ');
}

let home: string;
let work: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-preflight-'));
  work = join(home, 'work');
  mkdirSync(work);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
  chmodSync(join(home, path), mode);
}
function putTorch(files: Readonly<Record<string, string>> = TORCH): void {
  for (const [name, text] of Object.entries(files)) put(`lib/torch/${name}`, text);
}

/** Ends as it is told what hangs; whatever else is asked has the usual time. */
function putTimeout(hanging: string, end: string): void {
  put(
    'bin/timeout',
    `#!/bin/sh\ncase $* in *"${hanging}"*) ${end} ;; esac\nexec ${realTimeout} "$@"\n`,
    0o755,
  );
}

/** As whoever enters a folder of a dead server: deaf to everything but KILL. */
function putHung(): void {
  putTimeout('hung', 'shift 3; set -- -s KILL 1 "$@"');
  put(
    'bin/sh',
    `#!/bin/sh\ncase $* in *hung*) trap '' TERM HUP INT; exec sleep 600 ;; esac\nexec /bin/sh "$@"\n`,
    0o755,
  );
}

async function look(
  shell: BoxShell,
  values: Readonly<Record<string, string>> = {},
): Promise<RunPreflight> {
  const fromMs = Date.now();
  const said = await runOnboxScript(shell, 'run-preflight.sh', {
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LEASEHOLD_MARK: 'MARK',
    // Only a hang may be taken for one, and no busy machine.
    LEASEHOLD_PATIENCE_S: '60',
    LEASEHOLD_FOLDER: '~/work',
    LEASEHOLD_RESULTS: '',
    LEASEHOLD_COPY: '',
    LEASEHOLD_DATA: '',
    LEASEHOLD_ACTIVATE: '',
    LEASEHOLD_WORD: '',
    LEASEHOLD_SCRIPT: '',
    LEASEHOLD_SCRIPTS: '',
    LEASEHOLD_PROGRAMS: '',
    LEASEHOLD_EXPORTS: '',
    LEASEHOLD_PYTHON: '',
    LEASEHOLD_LOOKS: '',
    LEASEHOLD_SECRETS: '',
    LEASEHOLD_ACCELERATORS: '',
    LEASEHOLD_ROUTES: '',
    LEASEHOLD_TRACKER: '',
    LEASEHOLD_NAMED: '',
    LEASEHOLD_WRITES: '',
    LEASEHOLD_LOCAL_TYPES: [...LOCAL_TYPES].join(' '),
    ...values,
  });
  const [named = [], scripts = []] = ['NAMED', 'SCRIPTS'].map((name) =>
    values[`LEASEHOLD_${name}`]?.split('\t'),
  );
  const read = readRunPreflight(said, 'MARK', { fromMs, toMs: Date.now() }, { named, scripts });
  if (read === null) throw new Error(said);
  return read;
}

describe.skipIf(!isLinux).each(BOX_SHELLS)(
  'a look before a launch, by $name',
  ({ shell, isInstalled }) => {
    it.skipIf(!isInstalled).each<[string, Readonly<Record<string, string>>, object]>([
      [
        'each with its hash, over several lines',
        {
          'requirements.txt':
            'a==1 \\\n  --hash=sha256:00\n# b\nc [x] == 2.0 ; python_version > "3" --hash=sha256:11\n',
        },
        { packages: 2, loose: 0, unhashed: 0, isWhole: true },
      ],
      [
        'held by limits, also of another file',
        {
          'requirements.txt': '--index-url x\n-c limits.txt\n-r more/b.txt\nA_b\n-e .\r\n',
          'limits.txt': 'a-b==1\nnever==2\n',
          'more/b.txt': 'b==1.*\n',
        },
        { packages: 2, loose: 1, named: ['b'], unhashed: 2, isWhole: true },
      ],
      [
        'in files that are named without a blank',
        {
          'requirements.txt': '-rbase.txt\n-climits.txt\n--requirement=more.txt\na==1\n',
          'base.txt': 'b\nc\n',
          'limits.txt': 'c==2\n',
          'more.txt': 'd\n',
        },
        { packages: 4, loose: 2, named: ['b', 'd'], unhashed: 4, isWhole: true },
      ],
      [
        'twice, and only once pinned',
        {
          'requirements.txt':
            'a==1 ; python_version < "3" --hash=sha256:00\na ; python_version >= "3"\nb==1\nb\n-c limits.txt\n',
          'limits.txt': 'b==1\n',
        },
        { packages: 2, loose: 1, named: ['a'], unhashed: 2, isWhole: true },
      ],
      [
        'from an address',
        { 'requirements.txt': 'git+https://x/y.git\nz @ https://x/z.whl#sha256=00\n' },
        { packages: 2, loose: 1, named: ['a-url'], unhashed: 1 },
      ],
      [
        'that lie elsewhere, or are not there',
        { 'requirements.txt': '-r ../x.txt\n-r /etc/passwd\n-r gone.txt\na==1\n' },
        { packages: 1, loose: 0, isWhole: false },
      ],
    ])('tells how far packages are fixed: %s', async (_, files, expected) => {
      for (const [name, text] of Object.entries(files)) put(`work/${name}`, text);
      expect((await look(shell)).packages.requirements).toMatchObject(expected);
    });

    it.skipIf(!isInstalled)('tells which programs the shell of the run finds', async () => {
      put('own/hf', '', 0o755);
      const { programs } = await look(shell, {
        LEASEHOLD_PROGRAMS: 'hf no-such-program',
        LEASEHOLD_ACTIVATE: `PATH="$HOME/own:$PATH"`,
      });
      expect([...programs]).toEqual([
        ['hf', true],
        ['no-such-program', false],
      ]);
    });

    it.skipIf(!isInstalled)('tells of the machine, its folders and its packages', async () => {
      put('work/requirements.txt', 'numpy\ntorch==2.1.0\n');
      symlinkSync(work, join(home, 'link'));
      const box = await look(shell, {
        LEASEHOLD_FOLDER: '~/link',
        LEASEHOLD_RESULTS: 'out/a b',
        LEASEHOLD_DATA: 'data/train set',
        LEASEHOLD_LOOKS: 'pod-names',
      });
      expect(box).toMatchObject({
        folder: 'open',
        folderDisk: { path: work, type: expect.any(String) as string },
        results: { isThere: false, kind: 'open' },
        resultsDisk: { path: join(work, 'out/a b') },
        dataDisk: { path: join(work, 'data/train set'), type: expect.any(String) as string },
        dataFiles: null,
        arch: execFileSync('uname', ['-m'], { encoding: 'utf8' }).trim(),
        packages: {
          ...{ wants: 'requirements.txt', locks: null, torchPin: 'torch==2.1.0' },
          requirements: { packages: 2, loose: 1, named: ['numpy'], unhashed: 2, isWhole: true },
        },
        leastSkewMs: 0,
        isSet: null,
        python: null,
      });
      expect(box.folderDisk?.mount).toMatch(/^\//);
      expect(box.cpu?.hostCpus).toBeGreaterThan(0);
      expect(box.memory?.usedBytes).toBeGreaterThan(0);
      expect(box.files).toBeNull();
    });

    it.skipIf(!isInstalled)(
      'asks beside a folder that a push has yet to make, and takes nothing that it brings for missing',
      async () => {
        const values = {
          LEASEHOLD_FOLDER: '~/work/new/project',
          LEASEHOLD_WRITES: 'yes',
          LEASEHOLD_WORD: 'cat',
        };
        const asked = (more: Readonly<Record<string, string>>) =>
          look(shell, { ...values, ...more });
        expect(await asked({})).toMatchObject({
          folder: 'missing',
          folderDisk: { path: join(work, 'new/project') },
          room: { freeBytes: expect.any(Number) as number },
          found: expect.stringMatching(/cat$/) as string,
        });
        expect(await asked({ LEASEHOLD_WORD: 'no-such-program' })).toMatchObject({ found: '' });
        // Both may be there once the code is.
        expect(await asked({ LEASEHOLD_WORD: './train.sh' })).toMatchObject({ found: null });
        for (const LEASEHOLD_ROUTES of ['', 'http://127.0.0.1:1']) {
          const activated = { LEASEHOLD_ACTIVATE: '. ./env', LEASEHOLD_ROUTES };
          expect(await asked(activated)).toMatchObject({ activate: null, found: null });
        }
        // Nobody makes it.
        expect(await asked({ LEASEHOLD_WRITES: '' })).toMatchObject({
          ...{ folder: 'missing', folderDisk: null, room: null, found: null },
        });
      },
    );

    it.skipIf(!isInstalled)(
      'tells the disk under the run folder and under the data where these are others (U7)',
      async (context) => {
        if (statSync('/dev/shm').dev === statSync(home).dev) return context.skip(NO_OTHER_DISK);
        const other = mkdtempSync('/dev/shm/leasehold-preflight-');
        try {
          const there = { LEASEHOLD_FOLDER: other, LEASEHOLD_DATA: 'data/set' };
          const apart = await look(shell, there);
          expect(apart.stateDisk?.mount).toBe((await look(shell)).folderDisk?.mount);
          expect(apart.folderDisk?.mount).not.toBe(apart.stateDisk?.mount);
          const room = { freeBytes: expect.any(Number) as number };
          expect(apart).toMatchObject({ stateRoom: room, dataRoom: room });
          expect(apart.dataDisk).toMatchObject({
            path: join(other, 'data/set'),
            mount: apart.folderDisk?.mount,
          });
        } finally {
          rmSync(other, { recursive: true });
        }
      },
    );

    it.skipIf(!isInstalled)('counts files only where no file system is called local', async () => {
      for (const name of ['a', 'b', 'c/d', 'e\nf']) put(`work/${name}`, '');
      const { files } = await look(shell, { LEASEHOLD_LOCAL_TYPES: '' });
      // A name with a line break counts as two.
      expect(files).toEqual({ kind: 'all', count: 5 });
    });

    it.skipIf(!isInstalled)('tells of each folder that the request names what it is', async () => {
      for (const name of ['a b/1', 'a b/2', 'a b/c/3']) put(`data/${name}`, '');
      put('work/file', '');
      const LEASEHOLD_NAMED = ['~/data/a b', 'file', 'none', join(home, 'data')].join('\t');
      const far = await look(shell, { LEASEHOLD_NAMED, LEASEHOLD_LOCAL_TYPES: '' });
      const disk = (path: string) => ({
        path: join(home, path),
        type: expect.any(String) as string,
      });
      expect(far.named).toMatchObject([
        { kind: 'open', disk: disk('data/a b'), files: { kind: 'all', count: 3 } },
        { kind: 'other', disk: null, files: null },
        { kind: 'missing', disk: null, files: null },
        { kind: 'open', disk: disk('data'), files: { kind: 'all', count: 3 } },
      ]);
      // On a disk of this machine none is counted.
      const near = await look(shell, {
        LEASEHOLD_NAMED,
        LEASEHOLD_LOCAL_TYPES: far.named[0]?.disk?.type ?? '',
      });
      expect(near.named[0]).toMatchObject({ kind: 'open', files: null });
    });

    it.skipIf(!isInstalled)(
      'tells of the scripts of further cells which have Windows line ends (U26)',
      async () => {
        put('work/a b.sh', 'echo\n');
        put('work/dos.sh', 'echo\r\n');
        expect(spawnSync('mkfifo', [join(work, 'pipe.sh')]).status).toBe(0);
        const LEASEHOLD_SCRIPTS = [
          'a b.sh',
          'dos.sh',
          'none.sh',
          'pipe.sh',
          join(work, 'dos.sh'),
        ].join('\t');
        expect(await look(shell, { LEASEHOLD_SCRIPTS })).toMatchObject({
          cellScripts: new Map([
            ['a b.sh', 'plain'],
            ['dos.sh', 'returns'],
            ['none.sh', 'missing'],
            ['pipe.sh', 'missing'],
            [join(work, 'dos.sh'), 'returns'],
          ]),
        });
      },
    );

    it.skipIf(!isInstalled)('tells names of the login shell, and no value of any', async () => {
      put('.netrc', 'machine api.wandb.ai login user password hunter2\n', 0o600);
      put('.bash_profile', 'export HF_TOKEN=hunter2\n');
      put('.profile', 'export HF_TOKEN=hunter2\n');
      const values = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        LEASEHOLD_EXPORTS: "export WANDB_API_KEY=hunter2; export OMP_NUM_THREADS=''",
        LEASEHOLD_ACTIVATE: 'export https_proxy=http://hunter2',
      };
      expect(await look(shell, values)).toMatchObject({
        activate: 'passed',
        hasNetrc: true,
        isSet: new Set(['WANDB_API_KEY', 'HF_TOKEN', 'https_proxy']),
      });
      const said = await runOnboxScript(shell, 'run-preflight.sh', {
        ...values,
        LEASEHOLD_MARK: 'MARK',
        LEASEHOLD_FOLDER: '~/work',
        LEASEHOLD_RESULTS: '',
        LEASEHOLD_COPY: '',
        LEASEHOLD_DATA: '',
        LEASEHOLD_WORD: 'sh',
        LEASEHOLD_SCRIPT: '',
        LEASEHOLD_SCRIPTS: '',
        LEASEHOLD_PYTHON: '',
        LEASEHOLD_LOOKS: '',
        LEASEHOLD_SECRETS: '',
        LEASEHOLD_ROUTES: '',
        LEASEHOLD_TRACKER: '',
        LEASEHOLD_NAMED: '',
        LEASEHOLD_WRITES: '',
        LEASEHOLD_PROGRAMS: '',
        LEASEHOLD_LOCAL_TYPES: '',
      });
      expect(said).toContain('MARK set WANDB_API_KEY');
      expect(said).not.toContain('hunter2');
    });

    it.skipIf(!isInstalled)(
      'tells a proxy of an accelerator, however it was set (GS2)',
      async () => {
        const setBy = async (values: Readonly<Record<string, string>>) =>
          (await look(shell, { LEASEHOLD_ACCELERATORS: 'a.example.com b.example.com', ...values }))
            .isSet;
        const proxy = 'export HTTPS_PROXY=http://b.example.com:1';
        expect(await setBy({ LEASEHOLD_ACTIVATE: proxy })).toContain('accelerator');
        expect(await setBy({ LEASEHOLD_EXPORTS: proxy, LEASEHOLD_WORD: 'sh' })).toContain(
          'accelerator',
        );
        const other = { LEASEHOLD_ACTIVATE: 'export http_proxy=http://other' };
        expect(await setBy(other)).toEqual(new Set());
      },
    );

    it.skipIf(!isInstalled)('tells which scripts run where code will be put (U2)', async () => {
      put('work/deep/train.sh', 'read _\n');
      put('beside/train.sh', 'read _\n');
      symlinkSync(work, join(home, 'link'));
      const start = (cwd: string): ChildProcess =>
        spawn('sh', [cwd === work ? 'deep/train.sh' : 'train.sh', '--token=hunter2'], {
          cwd,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
      const inside = start(work);
      const running = [inside, start(join(home, 'beside'))];
      try {
        const asked = { LEASEHOLD_FOLDER: '~/link', LEASEHOLD_WRITES: 'yes' };
        expect((await look(shell, asked)).atWork).toEqual([
          { pid: inside.pid, script: 'deep/train.sh' },
        ]);
        expect((await look(shell)).atWork).toBeNull();
      } finally {
        const gone = running.map((each) => once(each, 'exit'));
        for (const each of running) each.kill('SIGKILL');
        await Promise.all(gone);
      }
      expect((await look(shell, { LEASEHOLD_WRITES: 'yes' })).atWork).toEqual([]);
    });

    it.skipIf(!isInstalled)('looks whether secrets are there, and reads none', async () => {
      put('.config/leasehold/A', 'hunter2', 0o600);
      put('.config/leasehold/B', 'hunter2', 0o644);
      put('.config/leasehold/C', '', 0o600);
      mkdirSync(join(home, '.config/leasehold/D'));
      const { secrets } = await look(shell, { LEASEHOLD_SECRETS: 'A B C D E' });
      expect([...secrets]).toEqual([
        ['A', 'there'],
        ['B', 'open'],
        ['C', 'empty'],
        ['D', 'other'],
        ['E', 'gone'],
      ]);
    });

    it.skipIf(!isInstalled)('asks addresses from the shell of the run, side by side', async () => {
      const servers = spawn(process.execPath, ['-e', SERVERS], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [open = '', silent = ''] = await portsOf(servers);
        const { routes, activate, isLate } = await look(shell, {
          // The folder is not there yet: what is reached does not hang on it.
          LEASEHOLD_FOLDER: '~/later',
          // What the person's own files leave in the background is not waited for.
          LEASEHOLD_ACTIVATE:
            'sleep 600 >/dev/null 2>&1 & echo $! >"$HOME/left"; export GREETING=1',
          LEASEHOLD_ROUTES: [
            `http://127.0.0.1:${open}/x`,
            `http://127.0.0.1:${silent}`,
            'http://127.0.0.1:1',
          ].join(' '),
        });
        expect(activate).toBe('passed');
        expect(isLate).toBe(false);
        expect(routes).toEqual([
          { kind: 'answered' },
          { kind: 'failed', because: 'nothing answered within 2 s' },
          { kind: 'failed', because: 'the connection was refused' },
        ]);
      } finally {
        servers.kill();
        process.kill(Number(readFileSync(join(home, 'left'), 'utf8')));
      }
    });

    it.skipIf(!isInstalled)('is not held up by a folder that never answers', async () => {
      putHung();
      const box = await look(shell, {
        LEASEHOLD_FOLDER: '~/hung',
        LEASEHOLD_RESULTS: 'out',
        LEASEHOLD_WORD: 'sh',
      });
      expect(box).toMatchObject({
        folder: 'late',
        results: { isThere: true, kind: 'late' },
        room: null,
        found: null,
      });
    });

    it.skipIf(!isInstalled)('is not held up by a home that never answers', async () => {
      putHung();
      const box = await look(shell, {
        HOME: join(home, 'hung'),
        LEASEHOLD_FOLDER: join(home, 'work'),
      });
      expect(box).toMatchObject({
        folder: 'open',
        state: 'late',
        stateDisk: null,
        stateRoom: null,
      });
    });

    it.skipIf(!isInstalled)('has an end of its own where the box has no timeout', async () => {
      putHung();
      put('bin/timeout', '#!/bin/sh\nexit 127\n', 0o755);
      const box = await look(shell, {
        LEASEHOLD_PATIENCE_S: '',
        LEASEHOLD_FOLDER: '~/work',
        LEASEHOLD_RESULTS: '~/hung/out',
        LEASEHOLD_COPY: '~/hung/copy',
        LEASEHOLD_SCRIPT: '~/hung/run.sh',
      });
      expect(box).toMatchObject({
        folder: 'open',
        results: { isThere: true, kind: 'late' },
        copy: 'late',
        script: null,
      });
    });

    it.skipIf(!isInstalled)('asks the Python of the run for its torch', async (context) => {
      context.skip(!hasPython, NO_PYTHON);
      putTorch();
      put('lib/sitecustomize.py', DRIVER);
      put('lib/wandb/__init__.py', '');
      const asked = {
        LEASEHOLD_PYTHON: 'python3',
        LEASEHOLD_EXPORTS: `export PYTHONPATH=${join(home, 'lib')}`,
      };
      expect((await look(shell, asked)).python).toEqual({
        version: expect.stringMatching(/^3\.\d+\.\d+$/) as string,
        has: ['wandb'],
        isLate: false,
        torch: {
          at: join(home, 'lib/torch/__init__.py'),
          driver: { code: 0, cuda: '12.8', gpus: 2 },
          build: { version: '2.5.1+cu124', cuda: '12.4', isHip: false },
          sees: { isAvailable: true, gpus: 2 },
          cards: { own: ['sm_90'], built: ['sm_80', 'sm_90'] },
          broken: null,
        },
      });
      putTorch({ ...TORCH, '__init__.py': 'raise ImportError("libcudnn.so.9:\\n not found")\n' });
      expect((await look(shell, asked)).python?.torch).toMatchObject({
        sees: null,
        broken: 'ImportError: libcudnn.so.9:  not found',
      });
      rmSync(join(home, 'lib/torch'), { recursive: true });
      expect((await look(shell, asked)).python).toMatchObject({ torch: null });
    });

    it.skipIf(!isInstalled)(
      'asks that Python whatever the project calls its files',
      async (context) => {
        context.skip(!hasPython, NO_PYTHON);
        putTorch();
        put('lib/sitecustomize.py', DRIVER);
        // As wandb leaves its own in the project.
        put('work/wandb/run-1/config.yaml', '');
        for (const name of ['ctypes', 'importlib', 'torch'])
          put(`work/${name}.py`, 'raise SystemExit\n');
        const { python } = await look(shell, {
          LEASEHOLD_PYTHON: 'python3',
          LEASEHOLD_EXPORTS: `export PYTHONPATH=${join(home, 'lib')}`,
        });
        expect(python).toMatchObject({ has: [], torch: { driver: { gpus: 2 } } });
        // Of one that does not tell where its own modules lie, as a frozen one.
        put('lib/sitecustomize.py', `${DRIVER}import os\ndel os.__file__\n`);
        const again = await look(shell, {
          LEASEHOLD_PYTHON: 'python3',
          LEASEHOLD_EXPORTS: `export PYTHONPATH=${join(home, 'lib')}`,
        });
        expect(again.python).toMatchObject({ has: [], torch: { driver: { gpus: 2 } } });
      },
    );

    it.skipIf(!isInstalled)(
      'keeps what was told before the time was up, and ends what does not answer',
      async (context) => {
        context.skip(!hasPython, NO_PYTHON);
        const slow = join(home, 'slow');
        putTorch({
          ...TORCH,
          '__init__.py': `import time\nopen('${slow}', 'w').close()\ntime.sleep(600)\n`,
        });
        // The time is up once it does not answer, however long it took to get there: so timeout is told by its own alarm.
        putTimeout(
          'python3 -c',
          `${realTimeout} "$@" & while [ ! -e '${slow}' ]; do sleep 0.05; done; kill -ALRM $!; wait $!; exit`,
        );
        const { python } = await look(shell, {
          LEASEHOLD_PYTHON: 'python3',
          // A login shell begins with a PATH of its own.
          LEASEHOLD_EXPORTS: `export PYTHONPATH=${join(home, 'lib')} PATH="${join(home, 'bin')}:$PATH"`,
        });
        expect(python).toMatchObject({
          isLate: true,
          torch: { build: { cuda: '12.4' }, sees: null, broken: null },
        });
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('the checks before a launch', () => {
  it('stand in the plan, from what a real box says and what is known of it', async (context) => {
    context.skip(!hasPython, NO_PYTHON);
    const box = new RunBox();
    await box.open();
    mkdirSync(join(box.home, 'lib/torch'), { recursive: true });
    for (const [name, text] of Object.entries(TORCH)) {
      writeFileSync(join(box.home, 'lib/torch', name), text);
    }
    writeFileSync(join(box.home, 'lib/sitecustomize.py'), DRIVER);
    box.known = { ...box.known, nowMs: NOW_MS, ...knownFacts() };
    const plan = value(
      await box.plan({
        command: 'python3 -m wandb.x',
        env: { PYTHONPATH: join(box.home, 'lib'), WANDB_API_KEY: 'hunter2' },
      }),
    );
    const answers = new Map(plan.checks.map(({ id, answer }) => [id, answer]));
    for (const id of [
      'folder',
      'program',
      'gpus',
      'faults',
      'holders',
      'torch',
      'cuda',
      'tracker',
    ]) {
      expect([id, answers.get(id)]).toEqual([id, 'pass']);
    }
    expect(JSON.stringify(plan.checks)).not.toContain('hunter2');
    await box.close();
  });

  it('block where a step downloads with a program that the box lacks, before anything is begun', async () => {
    const box = new RunBox();
    await box.open();
    const steps = (run: string) => box.plan({ fetch: [{ into: 'data', run }] });
    const of = async (run: string) =>
      value(await steps(run)).checks.find(({ id }) => id === 'fetch-programs');
    // Stands in for one that is there.
    mkdirSync(join(box.home, 'bin'), { recursive: true });
    writeFileSync(join(box.home, 'bin/s5cmd'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(box.home, '.profile'), 'PATH="$HOME/bin:$PATH"\n');
    expect(await of('s5cmd cp s3://a/b .')).toMatchObject({ answer: 'pass' });
    rmSync(join(box.home, 'bin/s5cmd'));
    expect(await of('s5cmd cp s3://a/b .')).toMatchObject({ answer: 'block' });
    const plan = value(await steps('s5cmd cp s3://a/b .'));
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    await box.close();
  });
});
