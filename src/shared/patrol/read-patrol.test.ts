import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPatrol } from './read-patrol.ts';

const CLOCK = { askedAtMs: 1000, answeredAtMs: 3000 };
const read = (stdout: string, logs: readonly string[] = []) => readPatrol(stdout, 'm', logs, CLOCK);
const section = (name: string, ...lines: readonly string[]): string =>
  ['', `m begin ${name}`, ...lines, '', `m end ${name} 0`, ''].join('\n');
const ANSWER = [
  section('machine', 'boot_id b', 'uptime 100.5 1.0', 'init_start 5', 'tick 100', 'now 2'),
  section(
    'table',
    '41 1 41 41 0 S 10 5 3 9000 77 python (x) y',
    '40 1 40 40 34816 S 1 1 1 8000 7 tmux: server',
  ),
  section('open', 'out 41 1 /w/train.log', 'gpu 41', 'run 41'),
  section(
    'runs',
    'pid 41',
    'start 9000',
    'user me',
    'program /opt/conda/bin/python3.11',
    'command /usr/bin/python3 -u train.py',
    'arguments 3',
    'cwd /w',
    'ignores 0000000000000001',
    'unbuffered 0',
    'log 1 90 12 7 1 /w/train.log',
  ),
  section('log-41-1', 'step 1', 'step 2'),
  section('artefacts', '80 5 1 /w/a.pt', '95 6 2 /w/b.ckpt', '70 0 3 /w/run.done'),
  section('known-0', 'log 90 12 7 1 /w/train.log'),
  section('known-end-0', 'step 2'),
  section('tmux', '$0 10 41 0  main: a b'),
  section('whole'),
].join('');

describe('readPatrol', () => {
  it('reads what a box tells of a run', () => {
    const look = read(ANSWER, ['/w/train.log', '/w/other.log']);
    expect(look).toMatchObject({ isWhole: true, isCut: false, unreadable: [] });
    expect(look.runs).toMatchObject([
      {
        pid: 41,
        ageS: 11,
        command: '/usr/bin/python3 -u train.py',
        argumentCount: 3,
        program: '/opt/conda/bin/python3.11',
        folder: '/w',
        holdsGpu: true,
        survivesHangup: true,
        isUnbuffered: true,
        tmuxSession: 'main: a b',
        logs: [{ stream: 'output', path: '/w/train.log', isDeleted: false, bytes: 12 }],
      },
    ]);
    expect(look.runs[0]?.logs[0]?.end?.trimEnd()).toBe('step 1\nstep 2');
    expect(look.artefacts.map(({ path, kind }) => [path, kind])).toEqual([
      ['/w/b.ckpt', 'checkpoint'],
      ['/w/a.pt', 'checkpoint'],
      ['/w/run.done', 'done'],
    ]);
    expect([...look.knownLogs.keys()]).toEqual(['/w/train.log']);
    expect(
      look.processes.rows.map(({ pid, name, hasTerminal }) => [pid, name, hasTerminal]),
    ).toEqual([
      [41, 'python (x) y', false],
      [40, 'tmux: server', true],
    ]);
    expect(look.machine.clockOffsetMs).toBe(0);
  });

  it('reads no more of a log than the box was asked for, and that is its end', () => {
    const whole = ANSWER.replace('step 1\nstep 2', `${'\n'.repeat(480_000)}step 2`);
    const [log] = read(whole).runs[0]?.logs ?? [];
    expect(log?.end).toMatch(/^\n+step 2\n+$/);
    expect(log?.end).toHaveLength(6144);
  });

  it('takes no answer about a log that holds something for an empty one', () => {
    const silent = ANSWER.replace(
      section('log-41-1', 'step 1', 'step 2'),
      section('log-41-1'),
    ).replace(section('known-end-0', 'step 2'), section('known-end-0'));
    const { runs, knownLogs } = read(silent, ['/w/train.log']);
    expect(runs[0]?.logs[0]?.end).toBeNull();
    expect(knownLogs.get('/w/train.log')?.end).toBeNull();
    const empty = silent.replaceAll(' 90 12 7 1 ', ' 90 0 7 1 ');
    expect(read(empty).runs[0]?.logs[0]?.end).toBe('');
  });

  it.each(['nvidia-smi', 'nvidia-persiste', 'nv-hostengine', 'nvtop'])(
    'does not take %s, which holds the cards open, for a run',
    (name) => {
      expect(read(ANSWER.replace('python (x) y', name)).runs).toEqual([]);
      expect(read(ANSWER.replace('python (x) y', `${name}x.py`)).runs).toHaveLength(1);
    },
  );

  it.each([
    '/opt/conda/bin/python /opt/conda/bin/jupyter-lab --allow-root --port 8888',
    'python -m jupyter notebook --no-browser',
    'tensorboard --logdir runs --bind_all',
    'python3 -m http.server 8000',
    '/root/.vscode-server/cli/servers/Stable-1/server/node /root/.vscode-server/out/server-main.js',
    'sh /root/.cursor-server/bin/abc/bin/cursor-server --start-server',
  ])('does not take a service for a run: %s', (command) => {
    const service = ANSWER.replace('/usr/bin/python3 -u train.py', command);
    expect(read(service.replace('gpu 41\n', '')).runs).toEqual([]);
    expect(read(service).runs).toHaveLength(1); // it holds a card, so something is lost with it
  });

  it.each([
    'jupyter nbconvert --execute train.ipynb',
    'python -m ipykernel_launcher -f k.json',
    'python train.py --logger tensorboard',
    'python /root/.vscode-server/extensions/ms-python.debugpy/bundled/libs/debugpy train.py',
  ])('takes this for a run: %s', (command) => {
    const answer = ANSWER.replace('/usr/bin/python3 -u train.py', command).replace('gpu 41\n', '');
    expect(read(answer).runs).toHaveLength(1);
  });

  it('reads the size of a server that answers "no number" for its inodes', () => {
    const info = '36 35 0:9 / /data rw - ceph a:/ rw';
    const answer =
      section('mounts', info) +
      section('far-0', '4194304 1000 400 400 77 18446744073709551615 /data');
    expect(read(answer).mounts).toMatchObject([
      { path: '/data', usage: { usedPct: 60, inodesTotal: null, inodesUsedPct: null } },
    ]);
  });

  it('says that there is more than it was told', () => {
    const cut = ANSWER.replace('run 41', 'run 41\ncut');
    expect(read(cut)).toMatchObject({ isCut: true, isWhole: true });
    expect(read(ANSWER.replace('python (x) y', 'python (x) y\ncut')).processes.isWhole).toBe(false);
  });

  it('reads no more of anything than the script tells, and says so', () => {
    const many = (form: (at: number) => string): readonly string[] =>
      Array.from({ length: 2100 }, (_, at) => form(at + 1));
    const look = read(
      [
        section('machine', 'uptime 100.5 1.0'),
        section('table', ...many((at) => `${String(at)} 1 1 1 0 S 1 1 1 ${String(at)} 7 x`)),
        section('open', ...many((at) => `gpu ${String(at)}`)),
        section(
          'runs',
          ...many((at) => `pid ${String(at)}\nstart 1\n${'log 1 9 1 7 1 /a\n'.repeat(9)}`),
        ),
        section('tmux', ...many((at) => `$0 1 ${String(at)} 0  main`)),
        section('artefacts', ...many((at) => `1 1 1 /w/${String(at)}.pt`)),
        section('mounts', ...many((at) => `36 35 98:0 / /m${String(at)} rw - ext4 /dev/sda rw`)),
        section('kernel', ...many(() => 'line [ 1.0] NVRM: Xid (PCI:0000:01:00): 79, x')),
        section('fills', ...many(() => 'model 1 /m')),
        section('beside', ...many(() => 'script 1 1 1 1 1 1 /a'), ...many(() => 'env 1 yes /a')),
        section('waiters', ...many((at) => `pid ${String(at)}\nstart 1\ncommand tail`)),
        section('memory', ...many((at) => `group\nmax ${String(3000 - at)}`)),
        section('cpu', 'cpus 4', ...many((at) => `group\nmax ${String(3000 - at)} 1`)),
        section('whole'),
      ].join(''),
    );
    expect(look.isCut).toBe(true);
    expect(look.processes.isWhole).toBe(false);
    const { processes, runs, panes, artefacts, mounts, kernel, fills, beside, waiters } = look;
    expect(runs.filter(({ holdsGpu }) => holdsGpu)).toHaveLength(12);
    expect(
      [
        ...[processes.rows, runs, runs[0]?.logs, panes, artefacts, mounts, kernel.gpuEvents],
        ...[fills?.models, beside.scripts, beside.environments, waiters],
      ].map((rows) => rows?.length),
    ).toEqual([2000, 12, 2, 200, 60, 24, 20, 8, 12, 12, 12]);
    // The lowest limit counts, of those that were read.
    expect([look.memory?.limitBytes, look.cpu?.quotaCpus]).toEqual([3000 - 64, 3000 - 64]);
  });

  it('believes no answer that ended in the middle, wherever that was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: ANSWER.length - 12 }), (end) => {
        expect(read(ANSWER.slice(0, end)).isWhole).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('makes no run, no figure and no exception of noise', () => {
    const noise = fc.oneof(
      fc.string({ maxLength: 300, unit: 'binary' }),
      fc.array(fc.constantFrom(...ANSWER.split('\n')), { maxLength: 30 }).map((l) => l.join('\n')),
    );
    fc.assert(
      fc.property(noise, (text) => {
        for (const run of read(text, ['/w/train.log']).runs) expect(run.pid).toBe(41);
      }),
      { numRuns: 100 },
    );
  });
});
