import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firstWord, jobScript, scriptOf } from './job-script.ts';
import { LOOK } from './preflight.fixture.ts';
import type { RunRequest } from './run-request.ts';
import { threadCap } from './thread-caps.ts';

const NO_CPU = LOOK.cpu as NonNullable<typeof LOOK.cpu>;

const REQUEST: RunRequest = {
  name: 'a run',
  command: 'pwd; printf %s "$A"',
  folder: '/',
  activate: null,
  env: {},
  results: null,
  successLine: null,
};

it.each([
  ["it's", "it's"],
  ['~/x', '~/x'],
  ['~root', '~root'],
  ['', ''],
  ['a b\t"$(touch /nope)" \\ `x` !', 'a b\t"$(touch /nope)" \\ `x` !'],
  ['é \u{1f600} *', 'é \u{1f600} *'],
])('hands on the value %j as it is', (given, found) => {
  const script = jobScript({ ...REQUEST, env: { A: given } });
  const ran = spawnSync('sh', { input: script, encoding: 'utf8' });
  expect(ran).toMatchObject({ stdout: `/\n${found}`, status: 0 });
});

it.each([
  ['~', '/home/me'],
  ['~/a b', '/home/me/a b'],
  ["/it's $HOME", "/it's $HOME"],
])('works in the folder %s', (folder, found) => {
  const script = jobScript({ ...REQUEST, folder, command: 'true' }).replace('cd --', 'echo');
  const ran = spawnSync('sh', { input: script, encoding: 'utf8', env: { HOME: '/home/me' } });
  expect(ran.stdout).toBe(`${found}\n`);
});

it('shows what activates its environment, and runs nothing where that or its folder is not there (U5)', () => {
  const run = (more: Partial<RunRequest>): number | null =>
    spawnSync('sh', { input: jobScript({ ...REQUEST, command: 'exit 7', ...more }) }).status;
  expect(run({})).toBe(7);
  expect(run({ folder: '/no such folder' })).toBe(1);
  expect(run({ activate: 'false' })).toBe(1);
  expect(run({ activate: 'true' })).toBe(7);
  const activate = 'source .venv/bin/activate';
  expect(jobScript({ ...REQUEST, activate })).toContain(`\n${activate} || exit 1\n`);
  expect(jobScript({ ...REQUEST, env: { A: 'x' } })).toContain('export PYTHONUNBUFFERED=1\n');
});

it('keeps what a fetch step sets to that step, a proxy above all (GS2)', () => {
  const input = jobScript({
    ...REQUEST,
    command: 'printf %s "[${https_proxy:-}]"',
    fetch: [
      {
        into: '/tmp',
        run: 'export https_proxy=http://turbo.gpushare.com:1; printf %s "$https_proxy"',
      },
    ],
  });
  const { stdout } = spawnSync('sh', {
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect(stdout).toMatch(/http:\/\/turbo\.gpushare\.com:1\[\]$/);
});

const isInstalled = (shell: string): boolean =>
  spawnSync(shell, [], { input: '' }).error === undefined;

it.each(['sh', 'dash', 'bash', 'busybox'].filter(isInstalled))(
  'fetches into folders that it makes, and runs nothing where that fails, in %s (U13)',
  (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-fetch-'));
    const run = (...steps: readonly string[]): SpawnSyncReturns<string> =>
      spawnSync(shell, shell === 'busybox' ? ['sh'] : [], {
        input: jobScript({
          ...REQUEST,
          folder,
          command: 'echo runs; pwd',
          fetch: steps.map((step) => ({ into: "it's/deep", run: step })),
        }),
        encoding: 'utf8',
      });
    try {
      // What has arrived is there for the next time, which goes on.
      expect(run('echo half >part && false', 'touch never')).toMatchObject({ status: 1 });
      const { stdout, status } = run('cat part # a comment', 'touch whole');
      expect([status, stdout]).toEqual([
        0,
        `Fetching into it's/deep\nhalf\nFetching into it's/deep\nruns\n${realpathSync(folder)}\n`,
      ]);
      expect(readdirSync(join(folder, "it's/deep")).sort()).toEqual(['part', 'whole']);
      const failed = run('exit 8');
      expect([failed.status, failed.stdout]).toEqual([
        8,
        "Fetching into it's/deep\nThis step failed (exit code 8), so the run does not begin.\n",
      ]);
      // Its own "set -e" counts.
      expect(run('set -e; false; echo goes on').stdout).not.toContain('goes on');
      expect(run('rm -f part whole').stdout).toContain('Nothing lies there after this step.\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.each(['sh', 'dash', 'bash', 'busybox'].filter(isInstalled))(
  'goes on where a download cannot be noted, also with a log that is full, and leaves no note among the data, in %s',
  (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-fetch-'));
    const run = join(folder, 'r-1');
    mkdirSync(run);
    mkdirSync(join(folder, 'work'));
    const job = join(run, 'job.sh');
    // As of a home that is gone meanwhile.
    const step = { into: 'data', run: `touch a; rm -rf ${run}` };
    writeFileSync(
      job,
      jobScript({
        ...REQUEST,
        ...{ folder: join(folder, 'work'), fetch: [step], command: 'touch ran' },
      }),
    );
    const full = openSync(existsSync('/dev/full') ? '/dev/full' : '/dev/null', 'w');
    try {
      const { status } = spawnSync(shell, [...(shell === 'busybox' ? ['sh'] : []), job], {
        stdio: ['ignore', full, full],
      });
      expect(status).toBe(0);
      expect(readdirSync(join(folder, 'work')).sort()).toEqual(['data', 'ran']);
      expect(readdirSync(join(folder, 'work/data'))).toEqual(['a']);
    } finally {
      closeSync(full);
      rmSync(folder, { recursive: true });
    }
  },
);

it('takes as many threads as the box grants CPUs, and what is set already stays (U40)', () => {
  const command = 'echo $OMP_NUM_THREADS $MKL_NUM_THREADS $OPENBLAS_NUM_THREADS';
  const run = (more: Partial<RunRequest>, threads: number | null = 12): string =>
    spawnSync('sh', {
      input: jobScript({ ...REQUEST, command, ...more }, null, threads),
      encoding: 'utf8',
      env: {},
    }).stdout;
  expect(run({})).toBe('12 12 12\n');
  expect(run({ env: { OMP_NUM_THREADS: '4' } })).toBe('4 4 4\n');
  expect(run({ activate: 'MKL_NUM_THREADS=2' })).toBe('12 2 12\n');
  expect(run({}, null)).toBe('\n');
  const cpu = { cpu: { ...NO_CPU, quotaCpus: 12.8, hostCpus: 64 } };
  expect(threadCap(['python x.py'], cpu)).toBe(12);
  expect(threadCap(['python x.py', 'torchrun --nproc-per-node 8 x.py'], cpu)).toBeNull();
  expect(threadCap(['python -m torch.distributed.run x.py'], cpu)).toBeNull();
  expect(threadCap(['x'], { cpu: { ...NO_CPU, quotaCpus: 'unlimited', hostCpus: 64 } })).toBeNull();
  expect(threadCap(['x'], { cpu: null })).toBeNull();
});

it('goes on where a command fails, and ends as the last one does', () => {
  const ran = spawnSync('sh', {
    input: jobScript({ ...REQUEST, command: 'false\necho on\nfalse' }),
    encoding: 'utf8',
  });
  expect(ran).toMatchObject({ stdout: 'on\n', status: 1 });
  // What the plan advises where such a failure would go unheard (unheard.ts).
  const strict = spawnSync('sh', {
    input: jobScript({ ...REQUEST, command: 'set -e\nfalse\necho on' }),
    encoding: 'utf8',
  });
  expect(strict).toMatchObject({ stdout: '', status: 1 });
});

it.each([
  ['python train.py', 'python'],
  ['  ./run.sh a', './run.sh'],
  ['A=1 B=x/y torchrun --x', 'torchrun'],
  ['# why\n\npython3 x', 'python3'],
  ['nvidia-smi; ls', 'nvidia-smi'],
  ['nvidia-smi;ls', 'nvidia-smi'],
  ['A="a b" python x', null],
  ['$PYTHON x', null],
  ['for i in 1 2; do x; done', null],
  ['(cd x && y)', null],
  ['"my program" x', null],
  ['A=1', null],
  ['', null],
])('finds the program of %j', (command, word) => {
  expect(firstWord(command)).toBe(word);
});

it.each([
  ['bash train.sh', 'train.sh'],
  ['./a/train.sh --x', './a/train.sh'],
  ['sh ~/x.sh', '~/x.sh'],
  ['python train.py', null],
  ['bash -c "x.sh"', null],
])('finds the script of %j', (command, script) => {
  expect(scriptOf(command)).toBe(script);
});

it('hands the keys that the request names to the run, whatever the shell was given (RP12)', () => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-job-'));
  const secrets = ['HF_TOKEN', 'B'];
  const script = jobScript({ ...REQUEST, command: 'printf "%s|%s" "$HF_TOKEN" "$B"', secrets });
  const ran = () =>
    spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home },
    });
  mkdirSync(join(home, '.config/leasehold'), { recursive: true });
  writeFileSync(join(home, '.config/leasehold/HF_TOKEN'), `it's "$x" \\ \n`);
  const lacking = ran();
  expect(lacking.status).toBe(1);
  expect(lacking.stdout).toBe('The secret B is not on the box.\n');
  writeFileSync(join(home, '.config/leasehold/B'), 'two\nlines\n');
  expect(ran()).toMatchObject({ status: 0, stdout: `it's "$x" \\ |two\nlines` });
  rmSync(home, { recursive: true });
});
