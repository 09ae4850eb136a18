import { expect, it } from 'vitest';
import { readRunLook } from './read-run-look.ts';
import { aboutOver, aboutText, readAbout } from './run-about.ts';
import type { RunLook } from './run-look.ts';

const ID = 'r-20261123-023000-1a2b3c4d';
const LIFE = '6a1f-00/12';
const ABOUT = aboutText(ID, {
  name: 'a run',
  command: 'x\ny',
  folder: '~/w',
  activate: null,
  env: { TOKEN: 'hunter2' },
  results: 'out',
  successLine: null,
});

function answer(...lines: readonly string[]): string {
  const box = ['table yes', 'home /root', 'now 1000', `life ${LIFE}`];
  return [...box, ...lines, 'older 0', 'whole'].map((line) => `MARK ${line}\n`).join('');
}
function status(...lines: readonly string[]) {
  const look = readRunLook(answer(`run ${ID}`, `about ${ABOUT}`, ...lines), 'MARK', 5_000_000);
  return (look as RunLook).runs[0]?.status;
}
const launcher = `launcher gone launcher 9 1 ${LIFE} 900 tmux 0022`;
const go = (living: string, life = LIFE) => `go ${living} keeper 10 77 ${life}`;
const job = (living: string) => `job ${living} job 11 78 ${LIFE} own`;

it('reads a run whole', () => {
  const text = answer(
    `run ${ID}`,
    `about ${ABOUT}`,
    launcher,
    go('alive'),
    job('alive'),
    'log 12 990',
  );
  expect(ABOUT).not.toContain('hunter2');
  expect(readRunLook(`banner\n${text}bye`, 'MARK', 5_000_000)).toEqual({
    atMs: 5_000_000,
    leftOut: 0,
    behind: null,
    sealed: [],
    runs: [
      {
        id: ID,
        name: 'a run',
        command: 'x\ny',
        folder: '~/w',
        results: 'out',
        overridden: [],
        place: `/root/.local/state/leasehold/runs/${ID}`,
        detacher: 'tmux',
        launchedAtMs: 4_900_000,
        process: { bootId: '6a1f-00', pid: 10, startTicks: 77 },
        status: { kind: 'running' },
        log: { bytes: 12, modifiedAtMs: 4_990_000 },
      },
    ],
  });
});

it.each([
  ['starting, with a launcher', [launcher.replace('gone', 'alive')], { kind: 'starting' }],
  ['starting, with nothing yet', [], { kind: 'starting' }],
  [
    'running without its keeper',
    [go('gone'), job('alive')],
    { kind: 'running', lacksKeeper: true },
  ],
  ['never started', [launcher, 'go gone sealed 950'], { kind: 'never-started' }],
  ['killed', [go('gone'), job('gone')], { kind: 'lost', because: 'killed' }],
  [
    'lost to a restart',
    [go('gone', '6a1f-01/3'), job('gone')],
    { kind: 'lost', because: 'restart' },
  ],
  [
    'another machine’s, also while that may copy its results',
    ['elsewhere gpu-1.cluster', go('gone', '6a1f-01/3'), job('gone'), 'ran 0 930'],
    { kind: 'elsewhere', machine: 'gpu-1.cluster' },
  ],
  [
    'another machine’s, which was said to be gone and still writes',
    ['elsewhere gpu-1', 'denied', go('gone', '6a1f-01/3')],
    { kind: 'elsewhere', machine: 'gpu-1', doubt: 'denied' },
  ],
  [
    'lost, as a person has said that the machine is gone',
    ['machine-gone 950 gpu-1', go('gone', '6a1f-01/3'), job('gone')],
    { kind: 'lost', because: 'machine-gone', machine: 'gpu-1', saidAtMs: 4_950_000 },
  ],
  [
    'lost with its machine also while that copied its results, or could not',
    ['machine-gone 950 gpu-1', go('gone', '6a1f-01/3'), 'ran 0 930', 'copied disk-full 0'],
    { kind: 'lost', because: 'machine-gone', machine: 'gpu-1', saidAtMs: 4_950_000 },
  ],
  [
    'done where its machine had copied its results before it was said to be gone',
    ['machine-gone 950 gpu-1', go('gone', '6a1f-01/3'), 'ran 0 930', 'copied copied 3'],
    { kind: 'done', exitCode: 0, copy: 'copied' },
  ],
  [
    'running, whatever was said of its machine',
    ['machine-gone 950 gpu-1', go('alive'), job('alive')],
    { kind: 'running' },
  ],
  [
    'lost to a restart, where what was said is not what is written there',
    ['machine-gone 950 \u001b[31m', go('gone', '6a1f-01/3'), job('gone')],
    { kind: 'lost', because: 'restart' },
  ],
  [
    'done on another machine',
    ['elsewhere gpu-1', go('gone', '6a1f-01/3'), 'end done 0 940 no'],
    { kind: 'done', exitCode: 0 },
  ],
  [
    'killed, whatever else is said of a machine',
    ['elsewhere \u001b[31m', go('gone')],
    { kind: 'lost' },
  ],
  [
    'done, although its keeper still shows',
    [go('alive'), job('gone'), 'end done 0 940 no'],
    { kind: 'done', exitCode: 0, atMs: 4_940_000, lacksSuccessLine: false },
  ],
  [
    'failed for want of its text',
    [go('gone'), 'end failed 0 940 yes'],
    { kind: 'failed', exitCode: 0, atMs: 4_940_000, lacksSuccessLine: true },
  ],
  [
    'copying its results',
    [go('alive'), job('gone'), 'ran 0 930'],
    { kind: 'running', isCopying: true },
  ],
  ['ending', [go('alive'), job('gone')], { kind: 'running', isEnding: true }],
  [
    'ending after its copy',
    [go('alive'), job('gone'), 'ran 0 930', `copier gone copier 12 79 ${LIFE} own`],
    { kind: 'running', isEnding: true },
  ],
  [
    'done with a copy, as its keeper could not say any more',
    [go('gone'), 'ran 0 930', 'copied copied 12'],
    { kind: 'done', exitCode: 0, atMs: 4_930_000, copy: 'copied' },
  ],
  [
    'failed where it was killed between its success and the copy',
    [go('gone', '6a1f-01/3'), 'ran 0 930'],
    { kind: 'failed', exitCode: 0, copy: 'cut-off' },
  ],
  [
    'failed for want of a copy',
    [go('gone'), 'ran 0 930', 'copied disk-full 0', 'end failed 0 940 no disk-full'],
    { kind: 'failed', exitCode: 0, atMs: 4_940_000, copy: 'disk-full' },
  ],
  ['unreadable', [go('gone'), 'ran perhaps'], { kind: 'unreadable' }],
  [
    'cut off by the box',
    [go('gone'), 'cut cut 930', 'end failed 0 940 no'],
    { kind: 'cut-off', exitCode: 0, atMs: 4_940_000 },
  ],
  [
    'ended by the person after that',
    [go('gone'), 'cut cut 930', 'end ended 143 940 no'],
    { kind: 'ended' },
  ],
  ['ended', [go('gone'), 'end ended - 940 no'], { kind: 'ended', exitCode: null, atMs: 4_940_000 }],
  ['unreadable', [go('gone'), 'end done 0 940 no more'], { kind: 'unreadable' }],
  ['unreadable', ['go gone else 1 1 a/1'], { kind: 'unreadable' }],
])('knows that it is %s', (_what, lines, expected) => {
  expect(status(...lines)).toMatchObject(expected);
});

it('shows one that lives although its words are gone, and says of others that they are', () => {
  const read = (...lines: readonly string[]) =>
    (readRunLook(answer(`run ${ID}`, ...lines), 'MARK', 0) as RunLook).runs[0];
  expect(read('about {"version":1', go('alive'))).toMatchObject({
    name: ID,
    status: { kind: 'running' },
  });
  expect(read(go('gone'))?.status).toMatchObject({ kind: 'unreadable' });
  const other = ABOUT.replace('1a2b3c4d', 'ffffffff');
  expect(read(`about ${other}`, 'end done 0 1 no', go('gone'))?.status).toMatchObject({
    kind: 'unreadable',
  });
});

it('does not list a launch of which nothing arrived, but knows its id', () => {
  expect(readRunLook(answer(`run ${ID}`, 'go gone sealed 950'), 'MARK', 0)).toMatchObject({
    runs: [],
    sealed: [ID],
  });
});

it('is nothing where it is not whole, or where the box hides its processes', () => {
  expect(readRunLook(answer().replace('MARK whole\n', ''), 'MARK', 0)).toBeNull();
  expect(readRunLook(answer(), 'OTHER', 0)).toBeNull();
  expect(readRunLook(answer().replace('table yes', 'table no'), 'MARK', 0)).toBe('no-table');
  // Another’s name cannot pretend to be a run of ours.
  expect(readRunLook(answer('run ../../x', 'about {}'), 'MARK', 0)).toMatchObject({ runs: [] });
});

it('reads what a launch went over, bounded, and nothing of what is no such thing', () => {
  const over = (overridden: unknown) => {
    const about = JSON.stringify({ ...JSON.parse(ABOUT), overridden });
    return readAbout(about)?.overridden;
  };
  const block = { title: 'Disk space', says: 'The disk is full.' };
  expect(readAbout(aboutOver(ABOUT, [block]))?.overridden).toEqual([block]);
  expect(aboutOver(ABOUT, [])).toBe(ABOUT);
  const many = Array.from({ length: 50 }, () => ({ title: 'x', says: 'y'.repeat(5000) }));
  expect(aboutOver(ABOUT, many).length).toBeLessThan(8000);
  expect(over(many.map(({ title }) => ({ title, says: 'y' })))).toHaveLength(12);
  expect(over('x')).toEqual([]);
  expect(over([null, 1, { title: 'x' }, block])).toEqual([block]);
});
